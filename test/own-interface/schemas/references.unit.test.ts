import { expect, test } from 'vitest';
import { run } from '../../../src/index.ts';
import { type Answered, type Asked, startRecorded } from '../recorded/recorded.ts';
import { shelvesFolder } from '../writing/shelves.ts';

const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const said = (status: number, schema?: object) => ({
  [status]: { description: 'x', ...(schema ? json(schema) : {}) },
});
const things = (name: string, fields: Record<string, object>, isListed = true) => {
  const properties = { title: { type: 'string', minLength: 1 }, ...fields };
  const made = {
    type: 'object',
    required: ['id', ...Object.keys(properties)],
    properties: { id: { type: 'integer' }, ...properties },
  };
  const sent = { type: 'object', required: Object.keys(properties), properties };
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };
  return {
    [`/${name}`]: {
      ...(isListed ? { get: { responses: said(200, { type: 'array', items: made }) } } : {}),
      post: {
        requestBody: { required: true, ...json(sent) },
        responses: { ...said(201, made), ...said(422) },
      },
    },
    [`/${name}/{id}`]: {
      parameters: [id],
      get: { responses: { ...said(200, made), ...said(404) } },
      delete: { responses: { ...said(204), ...said(404) } },
    },
  };
};

const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'Library', version: '1' },
  paths: {
    // What refers to others comes first in the document.
    ...things('loans', { book_id: { type: 'integer' } }, false),
    ...things('books', { authorId: { type: 'integer' }, categoryId: { type: 'integer', example: 4 } }),
    ...things('authors', {}),
    '/categories': {
      get: {
        responses: said(200, {
          type: 'array',
          items: { type: 'object', properties: { id: { type: 'integer' } } },
        }),
      },
    },
  },
};

/** A service in which a book has an author, a loan has a book, and what something refers to cannot be removed. */
function library() {
  const store = new Map<string, Record<string, unknown>>([
    ['/authors/1', { id: 1, title: 'of somebody else' }],
  ]);
  let last = 1;
  const refers = (each: Record<string, unknown>, path: string) =>
    `/authors/${each.authorId}` === path || `/books/${each.book_id}` === path;
  return ({ method, path, body }: Asked): Answered => {
    const own = store.get(path);
    if (method === 'GET' && own) return { status: 200, value: own };
    if (method === 'DELETE' && own) {
      if ([...store.values()].some((each) => refers(each, path))) return { status: 409 };
      store.delete(path);
      return { status: 204 };
    }
    if (method === 'GET' && /^\/\w+$/.test(path))
      return {
        status: 200,
        value: [...store].filter(([key]) => key.startsWith(`${path}/`)).map(([, each]) => each),
      };
    if (method !== 'POST') return { status: 404 };
    let sent: Record<string, unknown>;
    try {
      sent = JSON.parse(body) ?? {};
    } catch {
      return { status: 422 };
    }
    const isValid =
      typeof sent.title === 'string' &&
      sent.title !== '' &&
      (path !== '/books' || (store.has(`/authors/${sent.authorId}`) && Number.isInteger(sent.categoryId))) &&
      (path !== '/loans' || store.has(`/books/${sent.book_id}`));
    if (!isValid) return { status: 422 };
    last += 1;
    const made = { ...sent, id: last };
    store.set(`${path}/${last}`, made);
    return { status: 201, value: made };
  };
}

test('a body refers to what this run created, never to what is of somebody else, and all of it is gone at the end', async () => {
  const { baseUrl, asked } = await startRecorded(library());
  const report = await run({ baseUrl, interface: shelvesFolder({}, DOCUMENT), write: true });
  const told = report.requirements.filter(({ status }) => status === 'violated' || status === 'advisory');
  expect(told.map(({ id, reason, received }) => [id, reason, received])).toEqual([]);
  // petspec can send every operation, so nothing is left out.
  expect([report.verdict, report.narrowed]).toEqual(['conformant', []]);
  const statusOf = (wanted: string) => report.requirements.find(({ id }) => id === wanted)?.status;
  for (const name of ['authors', 'books', 'loans']) {
    expect([name, statusOf(`POST /${name}.201`)]).toEqual([name, 'met']);
    expect([name, statusOf(`GET /${name}/{id}.removed`)]).toEqual([name, 'met']);
  }
  const bodies = asked
    .filter(({ method, path }) => method === 'POST' && path === '/books')
    .map(({ body }) => body);
  expect(bodies.length).toBeGreaterThan(2);
  expect(bodies.filter((body) => /"authorId":1[,}]/.test(body))).toEqual([]);
  expect(bodies[0]).toContain('"categoryId":4');
  expect(report.requirements.find(({ id }) => id === 'open.left-over')?.observed).toBe(
    'everything that was created was removed',
  );
});

test('without anything that was created, the body is as it would be without the reference', async () => {
  const usual = library();
  const { baseUrl, asked } = await startRecorded((each) =>
    each.method === 'POST' && each.path === '/authors' ? { status: 403 } : usual(each),
  );
  const report = await run({ baseUrl, interface: shelvesFolder({}, DOCUMENT), write: true });
  const [first] = asked.filter(({ method, path }) => method === 'POST' && path === '/books');
  expect(JSON.parse(first?.body ?? '{}')).toMatchObject({ authorId: expect.any(Number), categoryId: 4 });
  expect(report.requirements.filter(({ status }) => status === 'violated')).toEqual([]);
});
