import { expect, test } from 'vitest';
import { allChecks } from '../../../suites/index.ts';
import {
  contractOf,
  creation,
  operation,
  parameter,
  pathParameter,
} from '../../../test/operations/operations.ts';
import { loadContract } from '../../contract/load.ts';
import { statusesOf } from '../../model/http/expectation.ts';
import { stringifyJson } from '../../model/json.ts';
import { isLate } from '../../model/probe.ts';
import { probesOf } from '../../run/plan/probes.ts';
import { probe } from '../probe.ts';
import { caseAt, isCertainlyWrong } from './cases.ts';
import { generatedProbe, pathOf } from './generated.ts';

const contract = loadContract();
const planned = probesOf(contract, allChecks(contract), 0);
const drawn = (seed: number, count = 200) =>
  Array.from({ length: count }, (_, index) => generatedProbe(contract, planned, seed, [index])).filter(
    (each) => each !== undefined,
  );
/** The plainest request of each operation. */
const plainOf = ({ operations }: typeof contract) =>
  operations.map((each) => probe(each, 'plain', 'list', { title: 'a plain request' }));
const contentOf = ({ operation, query, path, body }: (typeof all)[number]) =>
  `${operation} ${JSON.stringify([query, path])} ${body && 'json' in body ? stringifyJson(body.json) : ''}`;
const all = drawn(0);

test('the same seed draws the same, another one draws others', () => {
  expect(drawn(0, 20).map(contentOf)).toEqual(all.slice(0, 20).map(contentOf));
  expect(drawn(1, 20).map(contentOf)).not.toEqual(all.slice(0, 20).map(contentOf));
});

test('an id says how to draw its request again', () => {
  expect(pathOf('listItems:generated-12.0.3')).toEqual([12, 0, 3]);
  expect(pathOf('listItems:further-12')).toBeUndefined();
  for (const each of all.slice(0, 20))
    expect(generatedProbe(contract, planned, 0, pathOf(each.id) ?? [])?.id).toBe(each.id);
});

test('each kind of request is drawn, and bodies are wrong in one field', () => {
  const kinds = new Set(all.map(({ operation, validity }) => `${operation} ${validity}`));
  expect(kinds).toEqual(
    new Set(['createPet invalid', 'listPets valid', 'listPets open', 'getPet open', 'getPet valid']),
  );
  const limits = all.flatMap(({ validity, query }) =>
    validity === 'valid' ? query.filter(([name]) => name === 'limit').map(([, value]) => Number(value)) : [],
  );
  expect(limits.length).toBeGreaterThan(5);
  expect(limits.every((each) => Number.isInteger(each) && each >= 1 && each <= 100)).toBe(true);
});

test('an entry of the longest list is read by its id, beyond those that others read', () => {
  const entries = all.filter(({ operation, validity }) => operation === 'getPet' && validity === 'valid');
  const places = entries.flatMap(({ path }) => {
    const { petId } = path;
    return isLate(petId) && petId.late === 'response'
      ? petId.sources.map(({ probe, pointer }) => ({
          probe,
          place: Number(/^\/(\d+)\/id$/.exec(pointer)?.[1]),
        }))
      : [];
  });
  expect(places.length).toBeGreaterThan(10);
  expect(places.every(({ place }) => place >= 20 && place < 100)).toBe(true);
  const lists = new Set(places.map(({ probe }) => planned.find(({ id }) => id === probe)?.query.join()));
  expect([...lists]).toEqual(['limit,100']);
  expect(entries.every(({ expectation }) => statusesOf(expectation).join() === '200,404')).toBe(true);
});

test('a smaller request is drawn by further numbers, until there is none', () => {
  const steps = [0, 1, 2, 3, 4].map((step) => generatedProbe(contract, planned, 0, [1, step])?.id);
  expect(steps[0]).toMatch(/:generated-1\.0$/);
  expect(generatedProbe(contract, planned, 0, [1, 100_000])).toBeUndefined();
});

test.each([
  [{ type: 'string' }, '', false],
  [{ type: 'string' }, 1, true],
  [{ type: 'string', enum: ['a', 'b'] }, 'a', false],
  [{ type: 'string', enum: ['a', 'b'] }, 'A', true],
  [{ type: 'integer', format: 'int64' }, 1, false],
  // It is an integer in JSON Schema.
  [{ type: 'integer', format: 'int64' }, 1.0, false],
  [{ type: 'integer', format: 'int64' }, 1.5, true],
  [{ type: 'integer', format: 'int64' }, 2n ** 63n, true],
  [{ type: 'integer' }, 2n ** 63n, false],
  [{ type: 'integer', format: 'int64' }, null, true],
])('%j and the value %s: certainly wrong is %s', (schema, value, expected) => {
  expect(isCertainlyWrong(value, schema)).toBe(expected);
});

test.each([
  'listItems:generated-',
  'generated-1',
  'a:b:generated-1',
  'a:generated-1.',
  'a:generated-1x',
  'a:regenerated-1',
])('%s is no id of a generated request', (id) => {
  expect(pathOf(id)).toBeUndefined();
});

test('numbers of a path may have several digits', () => {
  expect(pathOf('a:generated-10.20.30')).toEqual([10, 20, 30]);
});

/** JSON with all digits of an integer; a number that JSON cannot write is null. */
function jsonOf(value: unknown): string {
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return `[${value.map(jsonOf).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([name, each]) => `${JSON.stringify(name)}:${jsonOf(each)}`)
    .join(',')}}`;
}

test('a wrong value is sent exactly as it was drawn', () => {
  const create = contractOf([
    creation({ properties: { state: { enum: ['new', 'sold'] }, size: { type: 'integer' } } }),
  ]);
  for (let index = 0; index < 200; index += 1) {
    const found = caseAt(create, 3, [index]);
    const sent = generatedProbe(create, [], 3, [index]);
    if (found?.kind !== 'body') throw new Error('another case');
    const body = sent?.body && 'json' in sent.body ? (sent.body.json as Record<string, unknown>) : {};
    expect(stringifyJson(body[found.field])).toBe(jsonOf(found.value));
    expect(sent).toMatchObject({
      id: `createThing:generated-${index}`,
      title: `${found.field} is a generated wrong value`,
    });
    expect([sent?.stage, sent?.validity, sent && statusesOf(sent.expectation)]).toEqual([
      'invalid',
      'invalid',
      ['400'],
    ]);
  }
});

test('what else a request needs is as in the right one, and without one nothing is drawn', () => {
  const search = operation({
    path: '/things/{id}/parts',
    mayRefuse: true,
    parameters: [
      pathParameter('id', { type: 'string' }),
      parameter('state', { enum: ['a', 'b'] }),
      parameter('date', { type: 'string', format: 'date' }, { required: true }),
    ],
  });
  const right = { path: { id: 'x' }, query: [['date', '2026-11-30']] as const };
  const planned = [probe(search, 'plain', 'list', { title: 'a plain request', ...right })];
  const sent = Array.from({ length: 60 }, (_, index) =>
    generatedProbe(contractOf([search]), planned, 3, [index]),
  ).filter((each) => each !== undefined);
  expect(new Set(sent.map(({ title }) => title.replace(/=.*/, '')))).toContain('state');
  for (const { query, path, validity, expectation } of sent) {
    expect([validity, expectation.kind]).toEqual(['open', 'open']);
    expect(query.filter(([name]) => name === 'date')).toHaveLength(1);
    const changed = query.filter(([name, value]) => name === 'state' || value !== '2026-11-30').length;
    expect(changed + (path.id === 'x' ? 0 : 1)).toBeLessThanOrEqual(1);
  }
  expect(generatedProbe(contractOf([search]), [], 3, [0])).toBeUndefined();
});

test('a query is sent as it was drawn, in either order', () => {
  const list = contractOf([
    operation({
      parameters: [
        parameter('size', { type: 'integer', minimum: 1, maximum: 3 }),
        parameter('state', { enum: ['a'] }),
      ],
    }),
  ]);
  const titles = new Set<string>();
  for (let index = 0; index < 400; index += 1) {
    const found = caseAt(list, 3, [index]);
    const sent = generatedProbe(list, plainOf(list), 3, [index]);
    expect(sent?.stage).toBe('surplus');
    if (found?.kind === 'query')
      expect(sent).toMatchObject({
        query: [[found.name, found.value]],
        validity: 'open',
        title: `a generated ${found.name}`,
      });
    if (found?.kind !== 'valid') continue;
    const pairs = Object.entries(found.values);
    expect(sent?.query).toEqual(found.isReversed ? pairs.reverse() : pairs);
    titles.add(sent?.title ?? '');
  }
  expect(titles).toContain('without parameters, again');
  expect([...titles].some((title) => /^size=\d and state=a$|^state=a and size=\d$/.test(title))).toBe(true);
});

test('an id in the path is sent as it was drawn', () => {
  const get = contractOf([
    operation({ path: '/things/{id}', parameters: [pathParameter('id', { type: 'integer' })] }),
  ]);
  for (let index = 0; index < 20; index += 1) {
    const found = caseAt(get, 3, [index]);
    const value = found?.kind === 'path' ? found.value : undefined;
    expect(generatedProbe(get, plainOf(get), 3, [index])).toMatchObject({
      ...{ path: { id: value }, validity: 'open', title: 'a generated id', stage: 'surplus' },
    });
  }
});

test('no entry is read without the longest list', () => {
  const isEntry = ({ title }: { title: string }) => title.startsWith('entry');
  const without = Array.from(
    { length: 200 },
    (_, index) => generatedProbe(contract, plainOf(contract), 0, [index]) ?? [],
  ).flat();
  expect(all.some(isEntry)).toBe(true);
  expect(without.some(isEntry)).toBe(false);
  expect(without.length).toBeGreaterThan(100);
});
