import { expect, test } from 'vitest';
import { contractOf, creation, operation, parameter } from '../../../test/operations/operations.ts';
import type { Operation, Schema } from '../../model/contract.ts';
import { expecting, OPEN } from '../../model/http/expectation.ts';
import { whole } from '../../model/large/steps.ts';
import { LENIENT_VARIATIONS, type Probe } from '../../model/probe.ts';
import { probe } from '../probe.ts';
import { varying } from './vary.ts';

const withVariations = whole(varying);

const SCHEMA: Schema = {
  type: 'object',
  properties: { name: { type: 'string' }, state: { type: 'string', enum: ['new', 'sold'] } },
};
const create = creation(SCHEMA);
const list = operation({ parameters: [parameter('size', { type: 'integer', minimum: 1, maximum: 50 })] });
const own = (of: string, like = 'Rex-xxxxxxxx') => ({ late: 'own', as: 'text', like, of });
const made = (name: string, change: Partial<Probe> = {}) =>
  probe(create, name, 'create', {
    title: name,
    expectation: expecting(['201']),
    body: { json: { name: own(`createThing:${name}`), state: 'new' } },
    ...change,
  });
const read = (id: string, change: Partial<Probe> = {}) =>
  probe(list, id, 'list', { title: id, expectation: expecting(['200']), ...change });
const SEEDS = Array.from({ length: 12 }, (_, seed) => seed);
const varied = (probes: Probe[], seed: number, operations: Operation[] = [list, create]) =>
  withVariations(probes, contractOf(operations), seed);
/** The variations that a request has with one seed or another. */
const everything = (one: Probe, operations?: Operation[], others: Probe[] = []) =>
  SEEDS.flatMap((seed) => varied([one, ...others], seed, operations)[0]?.variations ?? []);
const kindsOf = (...of: Parameters<typeof everything>) =>
  [...new Set(everything(...of).map(({ kind }) => kind))].sort();

test('a read varies in the names of its headers, and in the order of its query if it has one', () => {
  expect(kindsOf(read('a'))).toEqual(['header-names']);
  expect(kindsOf(read('a', { query: [['size', '1']] }))).toEqual(['header-names']);
  const two = everything(
    read('a', {
      query: [
        ['size', '1'],
        ['state', 'new'],
      ],
    }),
  );
  expect(new Set(two.map((each) => JSON.stringify(each)))).toEqual(
    new Set(
      [
        { id: 'header-names:title', kind: 'header-names', style: 'title' },
        { id: 'header-names:upper', kind: 'header-names', style: 'upper' },
        { id: 'query-order', kind: 'query-order' },
      ].map((each) => JSON.stringify(each)),
    ),
  );
});

test('a body varies in white space, escapes, order and texts', () => {
  const all = everything(made('a'));
  const ids = new Set(all.map(({ id }) => id).filter((id) => !id.startsWith('text:')));
  expect([...ids].sort()).toEqual([
    ...[
      'field-order',
      'header-names:title',
      'header-names:upper',
      'json-escapes:names',
      'json-escapes:solidus',
    ],
    ...['json-escapes:unicode', 'json-space:lines', 'json-space:spaces'],
  ]);
  const styles = all.flatMap((each) => ('style' in each ? [`${each.kind}:${each.style}` === each.id] : []));
  expect(styles.every((isNamed) => isNamed)).toBe(true);
  expect(all.some(({ kind }) => kind === 'text')).toBe(true);
});

test('a solidus is escaped only in a text that has one, and characters beyond the basic plane always', () => {
  for (const seed of SEEDS) {
    const own = varied([made('a')], seed)[0]?.variations ?? [];
    const texts = own.flatMap((each) => (each.kind === 'text' ? [each.text] : [])).join('');
    const escapes = own.find(({ kind }) => kind === 'json-escapes')?.id;
    if (/\p{Extended_Pictographic}/u.test(texts)) expect(escapes).toBe('json-escapes:unicode');
    if (!texts.includes('/')) expect(escapes).not.toBe('json-escapes:solidus');
  }
});

test('only a body with several fields varies in their order; one that is not JSON varies in headers alone', () => {
  const one = made('a', { body: { json: { size: 1 } } });
  expect(kindsOf(one)).toEqual(['header-names', 'json-escapes', 'json-space']);
  for (const json of [null, 'ab', 7])
    expect(kindsOf(made('a', { body: { json } }))).not.toContain('field-order');
  expect(kindsOf(made('a', { body: { text: '{"a":1,"b":2}' } }))).toEqual(['header-names']);
  const { body } = create;
  if (!body) throw new Error('no body');
  const form = { ...create, body: { ...body, mediaType: 'application/x-www-form-urlencoded' } };
  const lines = { ...create, body: { ...body, mediaType: 'application/json-seq' } };
  const plain = made('a', { body: { json: { size: 1, state: 'new' } } });
  for (const each of [form, lines]) expect(kindsOf(plain, [each])).toEqual(['header-names']);
});

test('what is invalid, open, without the right key, or first does not vary', () => {
  const still: Partial<Probe>[] = [
    { validity: 'invalid' },
    { validity: 'open' },
    { key: 'unknown' },
    { stage: 'first' },
    { stage: 'recover' },
    { operation: 'unknown' },
  ];
  for (const change of still) expect(everything(read('a', change)), JSON.stringify(change)).toEqual([]);
});

test('texts that are not plain, or that another request sends again, stay', () => {
  const isVaried = (one: Probe, others: Probe[] = []) => kindsOf(one, undefined, others).includes('text');
  expect(isVaried(made('a'))).toBe(true);
  expect(isVaried(made('a', { body: { json: { name: own('createThing:a', 'x') } } }))).toBe(false);
  expect(isVaried(made('a'), [made('b', { body: { json: { name: own('createThing:a') } } })])).toBe(false);
  expect(isVaried(made('a'), [made('b')])).toBe(true);
  expect(
    everything(made('a', { form: 'chunked' }))
      .filter(({ kind }) => kind === 'text')
      .every(({ id }) => id === 'text:latin'),
  ).toBe(true);
});

test('members are added to bodies that may be refused and leave them out, another one to each', () => {
  const free = (name: string, change: Partial<Probe> = {}) =>
    made(name, {
      expectation: expecting(['201'], ['400']),
      body: { json: { name: own(`createThing:${name}`) } },
      ...change,
    });
  const added = (...probes: Probe[]) =>
    varied(probes, 0).map(({ variations = [] }) => variations.find(({ kind }) => kind === 'optional-fields'));
  expect(added(free('a'), free('b'))).toEqual([
    { id: 'optional-fields', kind: 'optional-fields', variety: 0 },
    { id: 'optional-fields', kind: 'optional-fields', variety: 1 },
  ]);
  expect(
    added(
      free('a', { expectation: expecting(['201']) }),
      free('b', { isDuplicate: true }),
      free('c', { form: 'chunked' }),
    ),
  ).toEqual([undefined, undefined, undefined]);
  expect(added(made('a', { expectation: OPEN }))).toEqual([undefined]);
});

const exhaust = (change: Partial<Probe> = {}) =>
  read('exhaust', { stage: 'exhaust', controls: ['x'], ...change });

test('what uses up the limit goes on in rounds, which every simpler request of its operation controls', () => {
  const [sent] = varied([exhaust(), read('a'), read('b', { validity: 'open' }), made('c')], 0);
  expect(sent?.rounds).toHaveLength(9);
  expect(sent?.controls).toEqual(['x', 'listThings:a']);
  expect([...(sent?.lenient ?? [])].sort()).toEqual([...LENIENT_VARIATIONS].sort());
  expect(sent).not.toHaveProperty('variations');
  expect(varied([exhaust({ controls: ['listThings:a'] }), read('a')], 0)[0]?.controls).toEqual([
    'listThings:a',
  ]);
});

test('there are no rounds where a valid request may be refused, nothing can vary, or it is open what comes', () => {
  const alone = (change: Partial<Probe>, own: Operation = list) => varied([exhaust(change)], 0, [own])[0];
  expect(alone({}, { ...list, mayRefuse: true })).toEqual(exhaust());
  expect(alone({}, operation())).toEqual(exhaust());
  expect(alone({ validity: 'open' })).toEqual(exhaust({ validity: 'open' }));
  expect(alone({ operation: 'unknown' })).toEqual(exhaust({ operation: 'unknown' }));
});

test('each operation is dealt texts of its own', () => {
  const other = { ...create, id: 'createOther' };
  const of = (one: Operation, name: string) =>
    probe(one, name, 'create', {
      title: name,
      expectation: expecting(['201']),
      body: { json: { name: own(`${one.id}:${name}`) } },
    });
  const all = varied(
    [...['a', 'b', 'c'].map((each) => of(create, each)), ...['a', 'b', 'c'].map((each) => of(other, each))],
    3,
    [create, other],
  );
  const kinds = (part: Probe[]) =>
    new Set(
      part.flatMap(({ variations = [] }) =>
        variations.flatMap(({ id, kind }) => (kind === 'text' ? [id] : [])),
      ),
    );
  expect(kinds(all.slice(0, 3)).size).toBe(21);
  expect(kinds(all.slice(3)).size).toBe(21);
});
