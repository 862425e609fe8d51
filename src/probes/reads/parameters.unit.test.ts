import { expect, test } from 'vitest';
import { operation, parameter, pathParameter } from '../../../test/operations/operations.ts';
import type { Parameter, Schema } from '../../model/contract.ts';
import { statusesOf } from '../../model/http/expectation.ts';
import type { Readable } from './find-reads.ts';
import { parameterReads } from './parameters.ts';

const ID = pathParameter('id', { type: 'integer' });
const SIZE = parameter('size', { type: 'integer', minimum: 1, maximum: 9 });
const STATE = parameter('state', { type: 'string', enum: ['new', 'sold'] });
const readOf = (parameters: Parameter[], change: Partial<Readable> = {}): Readable => ({
  operation: operation({ path: '/things/{id}', parameters: [ID, ...parameters] }),
  path: { id: '7' },
  query: [],
  headers: [],
  cookies: [],
  ...change,
});
const sent = (parameters: Parameter[], change: Partial<Readable> = {}) =>
  parameterReads(readOf(parameters, change)).map(({ id, title, query }) => [
    id.split(':')[1],
    title,
    query.map((each) => each.join('=')).join('&'),
  ]);

test('each parameter is sent at its bounds, with each member, with all others, and beyond each bound', () => {
  expect(sent([SIZE, STATE])).toEqual([
    ['size=ordinary', 'size at none of its bounds', 'size=2'],
    ['size=minimum', 'size at its minimum', 'size=1'],
    ['size=maximum', 'size at its maximum', 'size=9'],
    ['state=new', 'state new', 'state=new'],
    ['state=sold', 'state sold', 'state=sold'],
    ['all-parameters', 'all parameters together', 'size=1&state=new'],
    ['size=below', 'size one below the minimum', 'size=0'],
    ['size=above', 'size one above the maximum', 'size=10'],
    ['size=wrong-type', 'size of the wrong type', 'size=abc'],
    ['state=non-member', 'state not in its enumeration', 'state=petspec-unknown'],
  ]);
});

test('all of them are compared with the plain request, and a wrong value may get anything', () => {
  for (const each of parameterReads(readOf([SIZE, STATE]))) {
    const isOpen = each.stage === 'invalid' || each.id.endsWith('=ordinary');
    expect(each).toMatchObject({ controls: ['listThings:plain'], path: { id: '7' }, key: 'valid' });
    expect([each.validity, statusesOf(each.expectation)]).toEqual(isOpen ? ['open', []] : ['valid', ['200']]);
    const rule =
      isOpen || each.id.endsWith(':all-parameters')
        ? undefined
        : expect.stringMatching(/^listThings\.(?:size\.m(?:in|ax)imum|state\.enum)$/);
    expect(each.rule).toEqual(rule);
  }
});

test.each<[schema: Schema, sent: string[]]>([
  [{ type: 'string', minLength: 2, maxLength: 3 }, ['p=xx', 'p=xxx', 'p=x', 'p=xxxx']],
  [{ type: 'string', minLength: 0 }, []],
  // So many letters need not fit them.
  [{ type: 'string', minLength: 2, pattern: '^a' }, ['p=x']],
  [{ type: 'string', minLength: 2, format: 'date' }, ['p=x']],
  [{ type: 'integer' }, ['p=abc']],
  [{ type: 'number' }, ['p=abc']],
  [{ type: 'integer', maximum: 4 }, ['p=4', 'p=5', 'p=abc']],
  [{ type: 'string' }, []],
  [{ type: 'boolean' }, []],
  [{ enum: ['', 'a'] }, ['p=a', 'p=petspec-unknown']],
  [{ enum: [{ a: { b: 1 } }, 'a'] }, ['p=a', 'p=petspec-unknown']],
])('the values of %j', (schema, values) => {
  expect(sent([parameter('p', schema)]).map(([, , query]) => query)).toEqual(values);
});

test('what the plain request sends stays, but for the parameter itself', () => {
  const query = [
    ['size', '5'],
    ['q', 'a'],
  ] as const;
  const headers = [['trace', 't']] as const;
  const probes = parameterReads(readOf([SIZE], { query, headers }));
  expect(probes.map((each) => each.query)).toEqual(
    ['1', '9', '0', '10', 'abc'].map((size) => [
      ['q', 'a'],
      ['size', size],
    ]),
  );
  for (const each of probes) expect(each.headers).toEqual(headers);
});

test('all parameters are sent together only if that is more than the plain request', () => {
  const isTogether = (parameters: Parameter[], change: Partial<Readable> = {}) =>
    sent(parameters, change).some(([name]) => name === 'all-parameters');
  const inPlain = (...names: string[]) => ({ query: names.map((each): [string, string] => [each, '1']) });
  expect(isTogether([SIZE])).toBe(false);
  expect(isTogether([SIZE, STATE], inPlain('size', 'state'))).toBe(false);
  expect(isTogether([SIZE, STATE], inPlain('size'))).toBe(true);
  const elsewhere = (place: 'header' | 'cookie') => parameter('trace', { type: 'string' }, { in: place });
  expect(isTogether([SIZE, elsewhere('header')])).toBe(true);
  expect(isTogether([SIZE, elsewhere('cookie')])).toBe(true);
  expect(isTogether([elsewhere('header')], { headers: [['trace', 'x']] })).toBe(false);
  expect(isTogether([elsewhere('cookie')], { cookies: [['trace', 'x']] })).toBe(false);
  const unknown = parameter('code', { type: 'string', pattern: '^(?!)$' }, { required: true });
  expect(isTogether([SIZE, STATE, unknown])).toBe(false);
  const [together] = parameterReads(readOf([SIZE, elsewhere('header')])).filter(({ id }) =>
    id.endsWith('parameters'),
  );
  expect(together).toMatchObject({
    query: [['size', '1']],
    headers: [['trace', 'petspec']],
    path: { id: '7' },
  });
});

test('of an enumeration with many members, a few are sent, the first and the last among them', () => {
  const members = Array.from({ length: 100 }, (_, index) => `m${index}`);
  const values = sent([parameter('p', { type: 'string', enum: members })]).map(([, , query]) => query);
  expect(values.slice(0, 3)).toEqual(['p=m0', 'p=m14', 'p=m28']);
  expect(values.slice(-2)).toEqual(['p=m99', 'p=petspec-unknown']);
  expect(values).toHaveLength(9);
});
