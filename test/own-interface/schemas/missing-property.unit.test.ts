import { expect, test } from 'vitest';
import { type Answered, type Asked, documentWith, judged } from '../small-service.ts';

const names = ['title', 'isbn', 'year', 'shelf', 'pages', 'color', 'price'];
const text = { type: 'string', maxLength: 60 };

/** A document whose books have these required properties. */
function books(required: readonly string[]): string {
  const properties = Object.fromEntries(required.map((name) => [name, text]));
  const content = { 'application/json': { schema: { type: 'object', required, properties } } };
  const id = { name: 'bookId', in: 'path', required: true, schema: { type: 'string' } };
  return documentWith({
    '/books': {
      post: {
        operationId: 'create',
        requestBody: { required: true, content },
        responses: { 201: { description: 'x' }, 400: { description: 'No.' } },
      },
    },
    '/books/{bookId}': {
      delete: { operationId: 'remove', parameters: [id], responses: { 204: { description: 'x' } } },
    },
  });
}

/** A service that accepts books without some properties, and refuses whatever else is wrong. */
function lacking(required: readonly string[], optional: readonly string[]) {
  let last = 0;
  return ({ method, body }: Asked): Answered => {
    if (method === 'DELETE') return [204];
    const sent = parsed(body);
    const isRight = (name: string) =>
      sent?.[name] === undefined
        ? optional.includes(name)
        : typeof sent[name] === 'string' && sent[name].length <= 60;
    if (!sent || !required.every(isRight)) return [400];
    last += 1;
    return [201, undefined, { location: `/books/${last}` }];
  };
}

function parsed(body: string): Record<string, unknown> | undefined {
  try {
    const sent = JSON.parse(body);
    return Array.isArray(sent) ? undefined : sent;
  } catch {
    return undefined;
  }
}

test.each<[required: string[], optional: string[], reason: string | undefined]>([
  [['title', 'isbn'], [], undefined],
  [['title', 'isbn'], ['isbn'], 'isbn is missing: accepted with 201'],
  [['title', 'isbn'], ['title', 'isbn'], 'title is missing: accepted with 201; also isbn is missing'],
])('of the required properties %j, a service needs all but %j', async (required, optional, reason) => {
  const { report } = await judged(books(required), lacking(required, optional), { write: true });
  const found = report.requirements.find(({ id }) => id === 'create.body');
  expect(found?.reason).toBe(reason ?? '');
  expect(found?.status).toBe(reason === undefined ? 'met' : 'advisory');
});

test('a finding names some of very many', async () => {
  // The bodies that are no object come after the first four.
  const { report } = await judged(books(names), () => [201], { write: true });
  const found = report.requirements.find(({ id }) => id === 'create.body');
  expect(found?.reason).toBe(
    'title is missing: accepted with 201; also title is one longer than allowed, isbn is missing, isbn is one longer than allowed, an empty body, an array instead of an object, ...',
  );
});
