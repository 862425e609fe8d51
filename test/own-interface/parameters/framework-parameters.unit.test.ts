import { expect, test } from 'vitest';
import type { Schema } from '../../../src/model/contract.ts';
import { interfaceOf } from '../../../src/run/contract-of.ts';
import { classify } from '../../../src/traffic/classify.ts';
import { documentWith, judged } from '../small-service.ts';

/** A document with one parameter. */
function listWith(parameter: object): string {
  const content = { 'application/json': { schema: { type: 'array' } } };
  const responses = { 200: { description: 'x', content } };
  const parameters = [{ name: 'p', in: 'query', ...parameter }];
  return documentWith({ '/list': { get: { operationId: 'list', parameters, responses } } });
}

const NULL = { type: 'null' };
const integer = { type: 'integer', minimum: 0, maximum: 9 };

test.each<[what: string, schema: object, sent: string[], requirements: string[]]>([
  ['an integer or null', { anyOf: [integer, NULL] }, ['0', '9'], ['list.p.minimum', 'list.p.maximum']],
  ['null or an integer', { oneOf: [NULL, integer] }, ['0', '9'], ['list.p.minimum', 'list.p.maximum']],
  ['a member or null', { anyOf: [{ enum: ['a', 'b'] }, NULL] }, ['a', 'b'], ['list.p.enum']],
  [
    'a default beside',
    { anyOf: [integer, NULL], default: 5 },
    ['0', '9'],
    ['list.p.minimum', 'list.p.maximum'],
  ],
])('a parameter that FastAPI writes as %s is sent', async (_, schema, sent, requirements) => {
  const { asked, report, wrong } = await judged(listWith({ schema }), () => [200, []]);
  const values = asked.flatMap(({ query }) => query.getAll('p'));
  expect(values).toEqual(expect.arrayContaining(sent));
  expect(values).not.toContain('null');
  expect([report.verdict, wrong]).toEqual(['conformant', []]);
  const own = report.requirements.filter(({ id }) => id.startsWith('list.p.'));
  expect(own.map(({ id, status }) => `${id} ${status}`)).toEqual(requirements.map((id) => `${id} met`));
});

const PAGEABLE = {
  type: 'object',
  properties: {
    page: { type: 'integer', minimum: 0 },
    size: { type: 'integer', minimum: 1 },
    sort: { type: 'array', items: { type: 'string' } },
  },
};

test.each<[what: string, schema: Schema, sent: string]>([
  ['the first page of Spring', PAGEABLE, 'page=0&size=1'],
  ['fields that have to be there', { ...PAGEABLE, required: ['size'] }, 'page=0&size=1'],
  [
    'an example of a field',
    { type: 'object', properties: { page: { type: 'integer', minimum: 0, example: 3 } } },
    'page=3',
  ],
  ['one of several types', { anyOf: [{ type: 'integer', minimum: 7 }, { type: 'boolean' }] }, 'p=7'],
  ['texts alone', { type: 'object', properties: { of: { type: 'string' } } }, 'of=petspec'],
])('a required parameter is sent: %s', async (_, schema, sent) => {
  const { asked, report } = await judged(listWith({ required: true, schema }), () => [200, []]);
  expect(asked[0]?.query.toString()).toBe(sent);
  expect(report.verdict).toBe('conformant');
});

test.each<[schema: Schema, query: string, isRight: boolean]>([
  [{ anyOf: [integer, NULL] }, 'p=5', true],
  [{ anyOf: [integer, NULL] }, 'p=a', false],
  [{ anyOf: [integer, { type: 'boolean' }] }, 'p=true', true],
  [{ anyOf: [integer, { type: 'boolean' }] }, 'p=7', true],
  [{ anyOf: [integer, { type: 'boolean' }] }, 'p=17', false],
  [PAGEABLE, 'page=0&size=20&sort=name,asc', true],
  [PAGEABLE, '', true],
])('%o: a client may send %s: %s', async (schema, query, isRight) => {
  const { contract } = await interfaceOf({ interface: listWith({ required: true, schema }) });
  const url = `http://a.example/list?${query}`;
  const { problems } = classify(
    contract,
    { baseUrl: 'http://a.example' },
    { method: 'GET', url, headers: [] },
  );
  expect(problems).toHaveLength(isRight ? 0 : 1);
});
