import { expect, test } from 'vitest';
import type { ChangeCase } from '../../../test/services/change-cases.ts';
import { adding, last, named, testChanges, unusual } from '../../../test/services/change-cases.ts';
import type { Reply } from '../../../test/services/running-reference.ts';
import { namesVariants } from './animals/names.ts';
import { historyVariants } from './http/history.ts';
import { variants } from './index.ts';

test('every variant has a unique id, in lower case and hyphens', () => {
  const ids = variants.map(({ id }) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  expect(ids.filter((id) => !/^[a-z0-9]+(?:-+[a-z0-9]+)*$/.test(id))).toEqual([]);
});

test('every variant says in one line what it does, and by which freedom', () => {
  expect(variants.length).toBeGreaterThan(300);
  const isLine = (text: string) => /^\S.*\S$/.test(text);
  expect(variants.filter(({ summary, freedom }) => !isLine(summary) || !isLine(freedom))).toEqual([]);
});

test('the start of a variant is a valid date', () => {
  expect(variants.filter(({ start }) => start !== undefined && Number.isNaN(Date.parse(start)))).toEqual([]);
});

const categorized = (id: string, categories: readonly number[], shown: number[]): ChangeCase => ({
  id,
  ask: async ({ ask }) => {
    await ask('/pets?limit=3');
    const statuses: number[] = [];
    for (const categoryId of categories)
      statuses.push((await ask('/pets', adding({ name: `Rex ${categoryId}`, categoryId }))).status);
    return statuses;
  },
  usual: categories.map(() => 201),
  shown,
});

const names = [
  named('names-unique-composed', ['Zoe\u0308', 'Zo\u00eb', 'Zoe'], [201, 201, 201], [201, 400, 201]),
  named('names-unique-accents', ['Zoe\u0308', 'zoe', 'Zoa'], [201, 201, 201], [201, 400, 201]),
  named('names-unique-letters', ['a-b 1', '"ab"1', 'ab2'], [201, 201, 201], [201, 400, 201]),
  named('names-unique-in-category', ['Rex', 'Rex', 'rex'], [201, 201, 201], [201, 400, 201]),
  named('names-512-bytes', ['猫'.repeat(170), '猫'.repeat(171)], [201, 201], [201, 400]),
  named('names-1000', ['🐈'.repeat(1_000), 'a'.repeat(1_001)], [201, 201], [201, 400]),
  categorized('categories-first', [1, 2], [201, 400]),
  categorized('categories-shown', [1, 2, 3, 7], [201, 201, 201, 400]),
  categorized('categories-32-bits', [4_294_967_295, 4_294_967_296, -1], [201, 400, 400]),
  named('names-control-422', ['a b', 'a\u0007b'], [201, 201], [201, 422]),
  named('names-255-413', ['a'.repeat(254), 'a'.repeat(255)], [201, 201], [201, 413]),
  named('names-64', ['猫'.repeat(64), 'a'.repeat(65)], [201, 201], [201, 400]),
  named('names-50', ['🐈'.repeat(50), 'a'.repeat(51)], [201, 201], [201, 400]),
  named('names-without-letters', ['007', '猫 007'], [201, 201], [400, 201]),
  categorized('categories-zero-404', [0, 1, -1], [404, 201, 201]),
  categorized('categories-negative-422', [-1, 0, 1], [422, 201, 201]),
];

const added = (id: string, name: string, look: (reply: Reply) => unknown, usual: unknown, shown: unknown) =>
  unusual(id, '/pets', adding({ name, categoryId: 1 }), [usual, shown], look);
const beside = [
  added(
    'names-search-key',
    'Zoe\u0308 <b>',
    ({ object }) => [object.name, object.searchName],
    ['Zoe\u0308 <b>', undefined],
    ['Zoe\u0308 <b>', 'zoe <b>'],
  ),
  added(
    'names-displayed',
    'a  <b>',
    ({ object }) => [object.name, object.displayName],
    ['a  <b>', undefined],
    ['a  <b>', '\u2068a &lt;b>\u2069'],
  ),
  added(
    'location-slug',
    'Zoë <b>',
    ({ headers }) => headers.location,
    '/v1/pets/1121',
    '/v1/pets/1121-zoe-b-',
  ),
  unusual(
    'order-by-composed-name',
    '/pets?limit=3',
    {},
    [
      ['Luna', 'Мурка', '小白'],
      ['Jürgen', 'Jürgen', 'Jürgen'],
    ],
    ({ list }) => list.map(({ name }) => name),
  ),
  added(
    'fields-as-sent',
    'Rex',
    ({ object }) => Object.keys(object),
    ['id', 'name', 'categoryId'],
    ['name', 'categoryId', 'id'],
  ),
  unusual('pages-rounded-down', '/pets?limit=37', {}, [37, 20], ({ list }) => list.length),
];

const VALID = adding({ name: 'Rex', categoryId: 1 });
const closing = (id: string, path: string): ChangeCase => ({
  id,
  ask: async ({ connect, log }) => {
    const ask = connect();
    await ask(path, path === '/pets' ? adding('{') : {});
    // The server ends the connection once it has sent the response.
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
    await ask('/store/orders');
    return log.map(({ connection }) => connection);
  },
  usual: [1, 1],
  shown: [1, 2],
});

const history = [
  last(
    'ids-gap-after-refusal',
    [
      ['/pets', adding('{')],
      ['/pets', adding({})],
      ['/pets', VALID],
    ],
    ({ object }) => object.id,
    [1121, 1123],
  ),
  last(
    'list-cached',
    [
      ['/pets?limit=100&status=sold'],
      ['/pets', adding({ name: 'Rex', categoryId: 1, status: 'sold' })],
      ['/pets?limit=100&status=sold'],
    ],
    ({ list }) => list.length,
    [37, 36],
  ),
  last(
    'refusals-told',
    [['/pets', { key: null }], ['/pets']],
    ({ headers }) => headers['x-failed-attempts'],
    [undefined, '1'],
  ),
  last('connection-told', [['/pets'], ['/pets']], ({ headers }) => headers['x-request-of-connection'], [
    undefined,
    '2',
  ]),
  closing('closes-after-400', '/pets'),
  closing('closes-after-404', '/pets/5'),
];

testChanges([...namesVariants, ...historyVariants], [...names, ...beside, ...history]);
