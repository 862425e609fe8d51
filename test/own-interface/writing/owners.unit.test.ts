import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contractFrom } from '../../../src/contract/contract-from.ts';
import { run } from '../../../src/index.ts';
import { judgeBody } from '../../../src/judge/exchange/body.ts';
import type { Json } from '../../../src/model/json.ts';
import { documentOf } from '../document.ts';
import { servedAt } from '../served.ts';

const PET = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'integer', format: 'int32' }, name: { type: 'string', format: 'date' } },
  additionalProperties: false,
};
const component = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const listOf = (items: object) => ({ type: 'array', items });
const COMPONENTS = {
  Pet: PET,
  Status: { type: 'string', enum: ['a', 'b'] },
  Prices: { type: 'object', additionalProperties: component('Pet') },
  Tree: {
    type: 'object',
    required: ['pet'],
    properties: { pet: component('Pet'), children: listOf(component('Tree')) },
    additionalProperties: false,
  },
  Rows: listOf(listOf(component('Pet'))),
  Lists: listOf(component('Lists')),
  Tags: listOf({ type: 'object', properties: { tag: component('Tags'), text: { type: 'string' } } }),
  Owner: { type: 'object', properties: { pets: component('Pets'), holder: component('Holder') } },
  Pets: listOf(component('Owner')),
  Holder: { type: 'object', properties: { owner: component('Owner'), pets: component('Pets') } },
};

const data = (schema: object) => ({ type: 'object', properties: { data: schema } });

test.each<[what: string, schema: object, value: Json, id: string]>([
  ['an entry that is no object', data(listOf(component('Pet'))), { data: [5] }, 'list.200.body.data'],
  ['an entry that is null', data(listOf(component('Pet'))), { data: [null] }, 'list.200.body.data'],
  [
    'a property too many in an entry',
    data(listOf(component('Pet'))),
    { data: [{ id: 1, leak: 1 }] },
    'list.200.body.data',
  ],
  ['a wrong field of an entry', data(listOf(component('Pet'))), { data: [{ id: 'x' }] }, 'Pet.id'],
  ['an entry that is no member', data(listOf(component('Status'))), { data: ['c'] }, 'list.200.body.data'],
  [
    'an entry of a list in a list',
    data(listOf(listOf(component('Pet')))),
    { data: [[7]] },
    'list.200.body.data',
  ],
  ['a field of an entry of a list in a list', data(component('Rows')), { data: [[{ id: 'x' }]] }, 'Pet.id'],
  ['an entry of a list in a body that is a list', listOf(listOf(component('Pet'))), [[7]], 'list.200.body'],
  [
    'a property too many of a component',
    data(component('Pet')),
    { data: { id: 1, x: 1 } },
    'list.200.body.data',
  ],
  [
    'an entry of a component inside itself',
    component('Tree'),
    { pet: { id: 1 }, children: [7] },
    'Tree.children',
  ],
  ['a value of a map', data(component('Prices')), { data: { a: { id: 'x' } } }, 'list.200.body.data'],
])('a service does not conform with %s', async (_what, schema, value, id) => {
  const target = await servedAt(documentOf(schema, COMPONENTS), () => ({ value }));
  const { verdict, requirements } = await run(target);
  expect(verdict).toBe('non-conformant');
  expect(requirements.filter(({ status }) => status === 'violated').map((each) => each.id)).toEqual([id]);
});

const { schema: schemas } = fc.letrec<{ schema: object }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<object>(...Object.keys(COMPONENTS).map(component), { type: 'integer', format: 'int32' }),
    tie('schema').map(listOf),
    fc.record({ a: tie('schema'), b: tie('schema') }).map((properties) => ({ properties, required: ['a'] })),
    tie('schema').map((additionalProperties) => ({ type: 'object', additionalProperties })),
    fc.array(tie('schema'), { minLength: 1, maxLength: 2 }).map((anyOf) => ({ anyOf })),
    fc.array(tie('schema'), { minLength: 1, maxLength: 2 }).map((allOf) => ({ allOf })),
  ),
}));

const { value: values } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    fc.constantFrom<Json>(null, 1, 3_000_000_000, 'a', 'c', {}),
    fc.array(tie('value'), { maxLength: 2 }),
    fc.dictionary(
      fc.constantFrom('a', 'b', 'id', 'name', 'pet', 'pets', 'owner', 'holder', 'children', 'tag', 'text'),
      tie('value'),
      { maxKeys: 3 },
    ),
  ),
}));

test('whatever is wrong with a body belongs to a requirement of the contract, as does what is met', () => {
  let wrong = 0;
  fc.assert(
    fc.property(fc.array(schemas, { minLength: 1, maxLength: 2 }), fc.array(values), (all, bodies) => {
      const paths = all.map((schema, index) => [`/${index}`, documentOf(schema).paths['/things']] as const);
      const document = { ...documentOf({}, COMPONENTS), paths: Object.fromEntries(paths) };
      const { operations, requirements } = contractFrom({ document, texts: [] });
      const ids = requirements.map(({ id }) => id);
      for (const documented of operations.flatMap(({ responses }) => responses))
        for (const body of bodies) {
          const received = { status: 200, headers: [['Content-Type', 'application/json']] as const };
          const judged = judgeBody({ ...received, body: JSON.stringify(body) }, documented);
          const found = [...judged.deviations, ...judged.hidden].map(({ requirement }) => requirement);
          expect(ids).toEqual(expect.arrayContaining([...judged.met, ...found]));
          wrong += found.length;
        }
    }),
    { numRuns: 200, seed: 1 },
  );
  expect(wrong).toBeGreaterThan(100);
});

test.each<[what: string, schema: object, value: Json, reason: string]>([
  ['a map', component('Prices'), { a: { id: 'x' } }, '/a/id is not an integer (int32)'],
  ['a tuple', { prefixItems: [{ type: 'string' }, { type: 'integer' }] }, ['a', 'b'], '/1 is not an integer'],
  ['a pattern', { patternProperties: { '^x': { type: 'string' } } }, { xa: 1 }, '/xa is not a string'],
])('a finding says what a value of %s should be', async (_what, schema, value, reason) => {
  const { requirements } = await run(await servedAt(documentOf(schema, COMPONENTS), () => ({ value })));
  const [violated] = requirements.filter(({ status }) => status === 'violated');
  expect(violated?.reason).toBe(reason);
});
