import { expect, test } from 'vitest';
import { type Answered, type Asked, documentWith, judged } from '../small-service.ts';

const text = { type: 'string' };
const json = (schema: object) => ({ description: 'x', content: { 'application/json': { schema } } });
const none = { description: 'x' };
const TASK = { type: 'object', required: ['title'], properties: { id: text, title: text } };

/** Tasks, whose creation gets one of these responses. */
const tasks = (created: object, others: object = {}, task: object = TASK) =>
  documentWith({
    '/tasks': {
      get: { responses: { 200: json({ type: 'array', items: task }) } },
      post: {
        requestBody: { required: true, content: { 'application/json': { schema: task } } },
        responses: { ...created, 400: none },
      },
    },
    '/tasks/{taskId}': {
      parameters: [{ name: 'taskId', in: 'path', required: true, schema: text }],
      get: { responses: { 200: json(task), 404: none } },
      delete: { responses: { 204: none, 404: none } },
    },
    ...others,
  });

type Task = { id: string; title: string };

/** A service with a task of somebody else's. @param answer to a creation, of what was created and of what was there before */
function service(answer: (made: Task, before: Task) => Answered) {
  const before = { id: 't0', title: 'Of somebody else' };
  const store = new Map([[before.id, before]]);
  const answered = ({ method, path, body }: Asked): Answered => {
    const [, , id, action] = path.split('/');
    const sent = titleIn(body);
    if (method === 'POST' && id === undefined) {
      if (sent === undefined) return [400];
      const made = { id: `t${store.size + 40}`, title: sent };
      store.set(made.id, made);
      return answer(made, before);
    }
    if (id === undefined) return [200, [...store.values()]];
    const task = store.get(decodeURIComponent(id));
    if (!task) return [404];
    if (action !== undefined) return [204];
    return method === 'DELETE' && store.delete(task.id) ? [204] : [200, task];
  };
  return { store, answered };
}

function titleIn(body: string): string | undefined {
  try {
    const { title } = JSON.parse(body);
    return typeof title === 'string' && title !== '' ? title : undefined;
  } catch {
    return undefined;
  }
}

test.each<[what: string, created: object, answer: (made: Task, before: Task) => Answered]>([
  ['a 200 with the thing', { 200: json(TASK) }, (made) => [200, made]],
  ['a 200 with a Location', { 200: none }, ({ id }) => [200, undefined, { location: `/tasks/${id}` }]],
  ['a 202 with the thing', { 202: json(TASK) }, (made) => [202, made]],
  ['a 201 that says nothing, where the list shows it', { 201: none }, () => [201]],
  ['a 200 that says nothing, where the list shows it', { 200: none }, () => [200]],
])('%s: what was created is removed, and nothing else', async (_, created, answer) => {
  const { store, answered } = service(answer);
  const { report, wrong, asked } = await judged(tasks(created), answered, { write: true });
  expect(wrong).toEqual([]);
  expect([...store.keys()]).toEqual(['t0']);
  expect(report.requests.things).toMatchObject({ stillThere: 0 });
  expect(asked.filter(({ method, path }) => method !== 'GET' && path.endsWith('t0'))).toEqual([]);
});

test.each<[what: string, answer: (made: Task, before: Task) => Answered]>([
  ['a search that is a POST', (_, before) => [200, before]],
  ['a list', (_, before) => [200, [before]]],
])('%s shows something of somebody else, which is not touched', async (_, answer) => {
  const { store, answered } = service(answer);
  const lists = tasks({ 200: json(TASK) });
  const silent = (asked: Asked) =>
    asked.method === 'GET' && asked.path === '/tasks' ? ([200, []] as Answered) : answered(asked);
  const { report, wrong, asked } = await judged(lists, silent, { write: true });
  expect([store.has('t0'), wrong.filter((id) => !/body/.test(id))]).toEqual([true, []]);
  expect(asked.filter(({ method }) => method === 'DELETE')).toEqual([]);
  expect(report.requests.things).toMatchObject({ created: 0, removed: 0 });
  expect(report.requests.things?.mayHaveBeenCreated).toBeGreaterThan(0);
});

test('something is done only to what the run created', async () => {
  const action = {
    '/tasks/{taskId}/complete': {
      post: {
        parameters: [{ name: 'taskId', in: 'path', required: true, schema: text }],
        responses: { 204: none, 404: none },
      },
    },
  };
  const { answered } = service((made) => [201, made]);
  const { met, wrong, asked } = await judged(tasks({ 201: json(TASK) }, action), answered, { write: true });
  const done = asked.filter(({ path }) => path.endsWith('/complete')).map(({ path }) => path);
  expect([met.includes('POST /tasks/{taskId}/complete.204'), wrong]).toEqual([true, []]);
  expect(done.length).toBeGreaterThan(0);
  expect(done).not.toContain('/tasks/t0/complete');
});

test('a client that chooses the id reads and removes by it', async () => {
  const USER = { type: 'object', required: ['username'], properties: { username: text } };
  const users = documentWith({
    '/users': {
      post: {
        requestBody: { required: true, content: { 'application/json': { schema: USER } } },
        responses: { 201: none, 400: none },
      },
    },
    '/users/{username}': {
      parameters: [{ name: 'username', in: 'path', required: true, schema: text }],
      get: { responses: { 200: json(USER), 404: none } },
      delete: { responses: { 204: none, 404: none } },
    },
  });
  const store = new Map<string, object>();
  const { report, met, wrong } = await judged(
    users,
    ({ method, path, body }) => {
      if (path === '/users') {
        const { username } = /^\{"username":"[^"]+"/.test(body) ? JSON.parse(body) : {};
        if (username === undefined) return [400];
        store.set(username, { username });
        return [201];
      }
      const name = decodeURIComponent(path.slice('/users/'.length));
      const user = store.get(name);
      if (!user) return [404];
      return method === 'DELETE' && store.delete(name) ? [204] : [200, user];
    },
    { write: true },
  );
  expect([wrong, [...store.keys()]]).toEqual([[], []]);
  expect(met).toEqual(
    expect.arrayContaining(['GET /users/{username}.created', 'GET /users/{username}.removed']),
  );
  expect(report.requests.things).toMatchObject({ stillThere: 0 });
});
