import { expect, test } from 'vitest';
import { type Answered, documentWith, judged } from '../small-service.ts';

const PAGE = {
  type: 'object',
  required: ['items', 'schema'],
  properties: { items: { type: 'array' }, schema: { type: 'string' } },
};
const RIGHT = { items: [], schema: 'v1' };

/** A document whose header `Page` has the name of a component, one of whose fields is called `schema`. */
const document = () => {
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Page' } } };
  const headers = {
    Page: { required: true, schema: { type: 'integer' } },
    Other: { required: true, schema: { type: 'integer' } },
  };
  return documentWith(
    { '/a': { get: { operationId: 'get', responses: { 200: { description: 'x', headers, content } } } } },
    { schemas: { Page: PAGE } },
  );
};

const other = { other: '1' };

test.each<[what: string, answered: Answered, wrong: string[]]>([
  ['nothing', [200, RIGHT, { ...other, page: '1' }], []],
  ['a header is missing', [200, RIGHT, other], ['Page header']],
  ['a header is not as documented', [200, RIGHT, { ...other, page: 'x' }], ['Page header.schema']],
  ['the body is something else', [200, [], { ...other, page: '1' }], ['Page']],
  ['a field is not as documented', [200, { items: [], schema: 1 }, { ...other, page: '1' }], ['Page.schema']],
  ['another header is missing', [200, RIGHT, { page: '1' }], ['Other']],
])('a component and a header with one name are two things: %s', async (_, answered, wrong) => {
  expect((await judged(document(), () => answered)).wrong).toEqual(wrong);
});

test('both are met, each by its own evidence', async () => {
  const { met } = await judged(document(), () => [200, RIGHT, { ...other, page: '1' }]);
  expect(met.filter((id) => /Page|Other/.test(id))).toEqual([
    ...['Page', 'Page.items', 'Page.schema', 'Page header', 'Page header.schema', 'Other', 'Other.schema'],
  ]);
});
