import { expect, test } from 'vitest';
import { type Answered, type Asked, documentWith, judged } from '../small-service.ts';

const text = { type: 'string' };
const json = (schema: object) => ({ description: 'x', content: { 'application/json': { schema } } });
const responses = (schema: object) => ({ 200: json(schema), 404: { description: 'None.' } });
const named = (name: string) => [{ name, in: 'path', required: true, schema: text }];
const limit = { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 5 } };
const USER = { type: 'object', required: ['name'], properties: { name: text, login: text } };

/** Users that are listed with a name and a login, and whose path has a `{username}`. */
const users = (others: object = {}) =>
  documentWith({
    '/users': {
      get: { operationId: 'list', responses: responses({ type: 'array', items: USER }) },
      post: {
        operationId: 'create',
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { ...USER, properties: { name: text } } } },
        },
        responses: { 201: json(USER), 400: { description: 'No.' } },
      },
    },
    '/users/{username}': {
      parameters: named('username'),
      get: { operationId: 'get', parameters: [limit], responses: responses(USER) },
      delete: {
        operationId: 'remove',
        responses: { 204: { description: 'x' }, 404: { description: 'None.' } },
      },
    },
    ...others,
  });

/** A service that knows its users by their logins. @param status of an unknown one */
function byLogin(status = 404) {
  const all = new Map([['ann', { name: 'Ann Lee', login: 'ann' }]]);
  return ({ method, path, body }: Asked): Answered => {
    if (path === '/users' && method === 'GET') return [200, [...all.values()]];
    if (path === '/users') {
      const name = nameIn(body);
      if (name === undefined) return [400];
      const made = { name, login: `user-${all.size}` };
      all.set(made.login, made);
      return [201, made];
    }
    const login = decodeURIComponent(path.slice('/users/'.length));
    const user = all.get(login);
    if (!user) return [status];
    if (method === 'DELETE') all.delete(login);
    return method === 'DELETE' ? [204] : [200, user];
  };
}

function nameIn(body: string): string | undefined {
  try {
    const { name } = JSON.parse(body);
    return typeof name === 'string' ? name : undefined;
  } catch {
    return undefined;
  }
}

test.each([404, 400, 403, 410, 422])(
  'a service that knows no such {username} and returns %d is not accused',
  async (status) => {
    const { report, wrong, asked } = await judged(users(), byLogin(status));
    expect(asked.map(({ path }) => path)).toContain('/users/Ann%20Lee');
    expect([report.verdict, wrong]).toEqual(['incomplete', []]);
  },
);

test('with --write, what was created under another name is not missing', async () => {
  const { report, wrong, asked } = await judged(users(), byLogin(), { write: true });
  expect(asked.some(({ method, path }) => method === 'GET' && /petspec-/.test(path))).toBe(true);
  expect([report.verdict, wrong]).toEqual(['incomplete', []]);
});

test('with --write, the Location says which field it is', async () => {
  const answer = byLogin();
  const located: typeof answer = (asked) => {
    const [status, value] = answer(asked);
    return status === 201
      ? [201, value, { location: `/users/${(value as { login: string }).login}` }]
      : [status, value];
  };
  const { wrong, met } = await judged(users(), located, { write: true });
  expect([wrong, met.includes('get.created'), met.includes('remove.204')]).toEqual([[], true, true]);
});

test('with --write, two names that are the same are not two ids that are the same', async () => {
  const answer = byLogin();
  const shouting: typeof answer = (asked) => {
    const [status, value] = answer(asked);
    return status === 201 ? [201, { ...(value as object), name: 'PETSPEC' }] : [status, value];
  };
  expect((await judged(users(), shouting, { write: true })).wrong).toEqual([]);
});

test('with --write, a service that keeps nothing under its name but one thing is found', async () => {
  const all = new Map<string, { name: string }>();
  const byName = ({ method, path, body }: Asked): Answered => {
    if (path === '/users' && method === 'GET') return [200, [{ name: 'Ann' }]];
    if (path === '/users') {
      const name = nameIn(body);
      if (name === undefined) return [400];
      if (all.size === 0) all.set(name, { name });
      return [201, { name }];
    }
    const user = all.get(decodeURIComponent(path.slice('/users/'.length)));
    if (!user) return [404];
    if (method === 'DELETE') all.delete(user.name);
    return method === 'DELETE' ? [204] : [200, user];
  };
  expect((await judged(users(), byName, { write: true })).wrong).toEqual(['get.created']);
});

test.each(['', '.', '..'])('a value %j that leads to another path is not sent', async (name) => {
  const { wrong, asked } = await judged(users(), ({ path }) =>
    path === '/users' || path === '/users/' || path === '/' ? [200, [{ name }]] : [404],
  );
  expect(wrong).toEqual([]);
  expect(new Set(asked.map(({ path }) => path))).toEqual(new Set(['/users', '/users/petspec-none-such']));
});

test('a value that is the path of another operation is not sent', async () => {
  const popular = { get: { operationId: 'popular', responses: responses({ type: 'array', items: USER }) } };
  const list = [{ name: 'popular', login: 'x' }];
  const { report, wrong, asked } = await judged(users({ '/users/popular': popular }), ({ path }) =>
    path === '/users' || path === '/users/popular' ? [200, list] : [404],
  );
  expect([report.verdict, wrong]).toEqual(['incomplete', []]);
  expect(asked.filter(({ path }) => path === '/users/popular')).toHaveLength(1);
  const { reason } = report.requirements.find(({ id }) => id === 'get.200') ?? {};
  expect(reason).toBe('the value that a response showed is the path of another operation');
});

test('the id of what a created thing refers to is not its own, so nothing is changed or removed by it', async () => {
  const author = { type: 'object', properties: { id: text, name: text } };
  const body = { type: 'object', required: ['title'], properties: { title: text } };
  const id = [{ name: 'bookId', in: 'path', required: true, schema: text }];
  const path = (response: object) =>
    documentWith({
      '/books': {
        post: {
          operationId: 'create',
          requestBody: { required: true, content: { 'application/json': { schema: body } } },
          responses: { 201: json({ type: 'object', properties: response }) },
        },
      },
      '/books/{bookId}': {
        delete: { operationId: 'remove', parameters: id, responses: { 204: { description: 'x' } } },
      },
    });
  let last = 0;
  const answer =
    (made: (id: string) => object) =>
    ({ method }: Asked): Answered => {
      last += 1;
      return method === 'DELETE' ? [204] : [201, made(`id-${last}`)];
    };
  const removals = async (response: object, made: (id: string) => object) => {
    const { asked } = await judged(path(response), answer(made), { write: true });
    return asked.filter(({ method }) => method === 'DELETE').length;
  };
  expect(await removals({ title: text, author }, (each) => ({ title: 'x', author: { id: each } }))).toBe(0);
  expect(
    await removals({ message: text, book: author }, (each) => ({ message: 'x', book: { id: each } })),
  ).toBeGreaterThan(0);
});
