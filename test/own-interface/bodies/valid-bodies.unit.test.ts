import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { renderPlan } from '../../../src/report/text/run-plan.ts';
import { interfaceOf } from '../../../src/run/contract-of.ts';
import { DEFAULT_OPTIONS } from '../../../src/run/options.ts';
import { makePlan } from '../../../src/run/plan.ts';
import { type Answered, type Asked, documentWith, judged } from '../small-service.ts';

const text = { type: 'string' };
const ofAll = (properties: object, more: object = {}) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  ...more,
});
const Cat = ofAll({ petType: text, lives: { type: 'integer' } });
const THING = ofAll({ id: text });
const inJson = (schema: object) => ({ content: { 'application/json': { schema } } });

/** Things that are created with a body of this schema. */
function document(schema: object, components: object = {}): string {
  const id = { name: 'id', in: 'path', required: true, schema: text };
  const one = { 200: { description: 'x', ...inJson(THING) } };
  const requestBody = { required: true, ...inJson(schema) };
  return documentWith(
    {
      '/t': {
        post: {
          requestBody,
          responses: { 201: { description: 'x', ...inJson(THING) }, 400: { description: 'x' } },
        },
      },
      '/t/{id}': {
        get: { parameters: [id], responses: one },
        delete: { parameters: [id], responses: { 204: { description: 'x' } } },
      },
    },
    { schemas: { Cat, ...components } },
  );
}

/** A service that accepts what fits a schema. */
function startStrict(schema: object) {
  const isRight = new Ajv2020({ strict: false }).compile(schema);
  const things = new Set<string>();
  const accepted: unknown[] = [];
  const answer = ({ method, path, body }: Asked): Answered => {
    const id = path.split('/')[2] ?? '';
    if (method === 'DELETE') return [things.delete(id) ? 204 : 404];
    if (method === 'GET') return things.has(id) ? [200, { id }] : [404];
    const value = body === '{"' || body === '' ? undefined : JSON.parse(body);
    if (value === undefined || !isRight(value)) return [400];
    accepted.push(value);
    things.add(`t${accepted.length}`);
    return [201, { id: `t${accepted.length}` }];
  };
  return { answer, accepted };
}

const list = (items: object, more: object) => ofAll({ a: { type: 'array', items, ...more } });
const AB = { type: 'object', properties: { a: text, b: text } };

test.each<[what: string, schema: object]>([
  ['a list of different integers', list({ type: 'integer', minimum: 1 }, { uniqueItems: true, minItems: 2 })],
  ['a list of different texts', list(text, { uniqueItems: true, minItems: 3 })],
  ['a list of different members', list({ enum: ['a', 'b', 'c'] }, { uniqueItems: true, minItems: 2 })],
  [
    'a map with a key',
    ofAll({ m: { type: 'object', minProperties: 1, additionalProperties: { type: 'integer' } } }),
  ],
  [
    'a tuple',
    ofAll({
      p: { type: 'array', prefixItems: [{ type: 'number' }, text], items: { type: 'boolean' }, minItems: 3 },
    }),
  ],
  [
    'a field that asks for another one',
    { ...ofAll({ card: text }), properties: { card: text, cvv: text }, dependentRequired: { card: ['cvv'] } },
  ],
  ['one of two fields, or both', { ...AB, anyOf: [{ required: ['a'] }, { required: ['b'] }] }],
  ['exactly one of two fields', { ...AB, oneOf: [{ required: ['a'] }, { required: ['b'] }] }],
  [
    'two fields, or another one',
    {
      ...AB,
      properties: { ...AB.properties, c: text },
      oneOf: [{ required: ['a', 'b'] }, { required: ['c'] }],
    },
  ],
  [
    'what a condition asks for',
    {
      type: 'object',
      properties: { t: { enum: ['a', 'b'] }, x: text },
      required: ['t'],
      if: { properties: { t: { const: 'a' } } },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { required: ['x'] },
    },
  ],
])('a body with %s is valid', async (_, schema) => {
  const { answer, accepted } = startStrict(schema);
  const { asked, wrong, report } = await judged(document(schema), answer, { write: true });
  expect([wrong, report.verdict]).toEqual([[], 'conformant']);
  const plain = asked.filter(({ method }) => method === 'POST').slice(0, 2);
  expect(accepted.slice(0, 2)).toEqual(plain.map(({ body }) => JSON.parse(body)));
  expect(plain).toHaveLength(2);
});

test.each([
  [undefined, 'Cat'],
  [{ cat: '#/components/schemas/Cat' }, 'cat'],
])('a discriminator with the mapping %j names the member', async (mapping, name) => {
  const discriminator = { propertyName: 'petType', ...(mapping ? { mapping } : {}) };
  const schema = { oneOf: [{ $ref: '#/components/schemas/Cat' }], discriminator };
  const { answer, accepted } = startStrict(ofAll({ petType: { const: name }, lives: { type: 'integer' } }));
  await judged(document(schema), answer, { write: true });
  expect(accepted.length).toBeGreaterThan(1);
});

test.each([
  [undefined, 'Dog'],
  [{ dog: '#/components/schemas/Dog' }, 'dog'],
  // The document names another one alone.
  [{ cat: '#/components/schemas/Cat' }, 'Dog'],
])('the discriminator of a base class with the mapping %j names the class', async (mapping, name) => {
  const discriminator = { propertyName: 'kind', ...(mapping ? { mapping } : {}) };
  const base = {
    type: 'object',
    required: ['kind'],
    properties: { kind: { type: 'string' } },
    discriminator,
  };
  const dog = {
    allOf: [{ $ref: '#/components/schemas/Animal' }, { properties: { size: { type: 'integer' } } }],
  };
  const schema = { oneOf: [{ $ref: '#/components/schemas/Dog' }] };
  const { answer, accepted } = startStrict(ofAll({ kind: { const: name } }));
  await judged(document(schema, { Animal: base, Dog: dog }), answer, { write: true });
  expect(accepted.length).toBeGreaterThan(1);
});

test('what the schema says of the field that names a class comes before the discriminator', async () => {
  const base = {
    type: 'object',
    properties: { kind: { type: 'string' } },
    discriminator: { propertyName: 'kind' },
  };
  const own = { ...ofAll({ kind: { enum: ['hound'] } }), allOf: [{ $ref: '#/components/schemas/Animal' }] };
  const { answer, accepted } = startStrict(ofAll({ kind: { const: 'hound' } }));
  const schema = { $ref: '#/components/schemas/Dog' };
  await judged(document(schema, { Animal: base, Dog: own }), answer, { write: true });
  expect(accepted[0]).toEqual({ kind: 'hound' });
});

test.each<[what: string, schema: object, field: string]>([
  ['violates its schema', ofAll({ code: { ...text, not: { minLength: 1 } } }), '/code'],
  ['has no value', ofAll({ name: text, price: { ...text, pattern: '^\\d+$' } }), '/price'],
  [
    'has none inside',
    ofAll({ owner: ofAll({ age: text, tax: { ...text, pattern: '^(?!)$' } }) }),
    '/owner/tax',
  ],
])(
  'where petspec finds no valid body it sends none, and says which field needs an example: it %s',
  async (...row) => {
    const [, schema, field] = row;
    const path = document(schema);
    const { asked, report } = await judged(path, () => [400], { write: true });
    expect(asked).toEqual([]);
    expect(report.because).toContain('left out: no --example');
    const { contract, checks } = await interfaceOf({ interface: path });
    const options = { ...DEFAULT_OPTIONS, interface: path, write: true };
    expect(renderPlan(makePlan(contract, checks, options), options, contract)).toContain(
      `POST /t: not sent: petspec found no valid value for ${field} of the body; state the body with --example`,
    );
  },
);

test('a dry run shows addresses of mail and ids as texts', async () => {
  const formats = { mail: { type: 'string', format: 'email' }, key: { type: 'string', format: 'uuid' } };
  const path = document(ofAll(formats));
  const { contract, checks } = await interfaceOf({ interface: path });
  const options = { ...DEFAULT_OPTIONS, interface: path, write: true };
  expect(renderPlan(makePlan(contract, checks, options), options, contract)).toMatch(
    /\{"mail":"petspec-xxxxxxxx@example\.com","key":"[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}"\}/,
  );
});

test('an example of the document that violates its schema is not sent', async () => {
  const schema = { ...ofAll({ size: { type: 'integer' } }), example: { size: 'large' } };
  const { answer } = startStrict(schema);
  const { wrong, report } = await judged(document(schema), answer, { write: true });
  expect([wrong, report.verdict]).toEqual([[], 'conformant']);
});

const QUERIES: [schema: object, sent: string | undefined][] = [
  [{ type: 'array', items: { type: 'number' }, minItems: 4, maxItems: 4 }, '1,1,1,1'],
  [{ type: 'array', items: { type: 'integer' }, minItems: 2, uniqueItems: true }, '1,2'],
  [{ type: 'array', items: text, minItems: 2, uniqueItems: true }, 'petspec,petspec1'],
  [{ type: 'array', prefixItems: [{ type: 'integer' }, text], minItems: 2 }, '1,petspec'],
  [{ type: 'array', items: { enum: ['a'] }, minItems: 2, uniqueItems: true }, undefined],
  [{ ...text, not: { const: 'petspec' } }, undefined],
];

test.each(QUERIES)(
  'a required parameter of the query with the schema %j is sent as %s',
  async (schema, sent) => {
    const parameters = [{ name: 'p', in: 'query', required: true, explode: false, schema }];
    const responses = { 200: { description: 'x' } };
    const path = documentWith({
      '/t': { get: { operationId: 'list', parameters, responses } },
      '/z': { get: { responses } },
    });
    const { asked, report } = await judged(path, () => [200]);
    expect(asked.find((each) => each.path === '/t')?.query.get('p')).toBe(sent);
    const reason = report.requirements.find(({ id }) => id === 'list.200')?.reason ?? '';
    expect(reason.includes('required parameter p')).toBe(sent === undefined);
  },
);
