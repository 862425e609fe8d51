import { expect, test } from 'vitest';
import { run } from '../../../src/index.ts';
import { startRecorded } from '../recorded/recorded.ts';
import { shelvesFolder } from '../writing/shelves.ts';

const FIELDS = {
  type: 'object',
  required: ['name', 'tags', 'image', 'size'],
  properties: {
    name: { type: 'string' },
    tags: { type: 'array', items: { type: 'string' }, minItems: 2 },
    image: { type: 'string', format: 'binary' },
    size: { type: 'object', required: ['w'], properties: { w: { type: 'integer' } } },
  },
};

/** A document of pictures that are added as this media type. */
function pictures(mediaType: string, schema: object = FIELDS, encoding?: object): string {
  const answer = { 201: { description: 'x', headers: {} }, 422: { description: 'x' } };
  const one = { 200: { description: 'x' }, 404: { description: 'x' } };
  const id = [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }];
  return shelvesFolder(
    {},
    {
      openapi: '3.1.0',
      info: { title: 'Pictures', version: '1' },
      paths: {
        '/pictures': {
          post: {
            operationId: 'add',
            requestBody: { required: true, content: { [mediaType]: { schema, encoding } } },
            responses: answer,
          },
        },
        '/pictures/{id}': {
          get: { operationId: 'get', parameters: id, responses: one },
          delete: { operationId: 'remove', parameters: id, responses: { 204: { description: 'x' } } },
        },
      },
    },
  );
}

/** What a service of pictures gets with its first addition. */
async function firstSent(folder: string) {
  const kept = new Set<string>();
  let last = 0;
  const { baseUrl, asked } = await startRecorded(({ method, path }) => {
    if (method === 'POST') {
      last += 1;
      kept.add(`/pictures/${last}`);
      return { status: 201, headers: { Location: `/pictures/${last}` } };
    }
    if (method === 'DELETE') return { status: kept.delete(path) ? 204 : 404 };
    return { status: kept.has(path) ? 200 : 404 };
  });
  const report = await run({ baseUrl, interface: folder, write: true });
  const first = asked.find(({ method }) => method === 'POST');
  const type = String(first?.headers['content-type']);
  return { report, first, type, kept };
}

test('a form with files is one that another parser reads', async () => {
  const { report, first, type, kept } = await firstSent(pictures('multipart/form-data'));
  const form = await new Response(first?.body, { headers: { 'Content-Type': type } }).formData();
  const wrong = report.requirements.filter(({ status }) => status === 'violated' || status === 'advisory');
  // The service takes whatever a form has.
  expect([wrong.map(({ id }) => id), [...kept]]).toEqual([['add.body'], []]);
  expect(form.get('name')).toMatch(/^petspec-\w{8}$/);
  expect(form.getAll('tags')).toHaveLength(2);
  expect(form.get('image')).toBeInstanceOf(File);
  expect(JSON.parse(String(form.get('size')))).toEqual({ w: 1 });
});

test('a form is one that another parser reads', async () => {
  const { first, type } = await firstSent(pictures('application/x-www-form-urlencoded'));
  const form = await new Response(first?.body, { headers: { 'Content-Type': type } }).formData();
  expect(type).toBe('application/x-www-form-urlencoded');
  expect(form.get('name')).toMatch(/^petspec-\w{8}$/);
  expect(form.getAll('tags')).toHaveLength(2);
});

test.each([
  ['text/plain', { type: 'string' }, /^petspec-\w{8}$/],
  [
    'application/vnd.shop+json',
    { type: 'object', required: ['a'], properties: { a: { type: 'boolean' } } },
    /^\{"a":true\}$/,
  ],
])('a body of %s', async (mediaType, schema, text) => {
  const { first, type } = await firstSent(pictures(mediaType, schema));
  expect([type, first?.body]).toEqual([mediaType, expect.stringMatching(text)]);
});

test('the fields of a form are written as the document states', async () => {
  const encoding = {
    size: { style: 'deepObject', explode: true },
    tags: { style: 'pipeDelimited', explode: false },
  };
  const { first } = await firstSent(pictures('application/x-www-form-urlencoded', FIELDS, encoding));
  const form = new URLSearchParams(first?.body);
  expect([form.get('size[w]'), form.get('size')]).toEqual(['1', null]);
  expect(form.get('tags')?.split('|')).toHaveLength(2);
});

test.each([
  ['image/png', 'image/png'],
  ['image/jpeg, image/png', 'image/jpeg'],
  ['image/*', 'image/png'],
  [undefined, 'text/plain'],
])('a file of the media type %s is sent as %s', async (contentType, expected) => {
  const { first, type } = await firstSent(
    pictures('multipart/form-data', FIELDS, {
      image: { contentType },
      name: { contentType: 'application/json' },
    }),
  );
  const form = await new Response(first?.body, { headers: { 'Content-Type': type } }).formData();
  expect((form.get('image') as File).type).toBe(expected);
  expect(JSON.parse(String(form.get('name')))).toMatch(/^petspec-\w{8}$/);
});
