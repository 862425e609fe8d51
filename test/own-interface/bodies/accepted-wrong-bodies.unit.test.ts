import { expect, test } from 'vitest';
import { type Asked, documentWith, judged } from '../small-service.ts';

const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const answers = (statuses: Record<number, object | undefined>) =>
  Object.fromEntries(
    Object.entries(statuses).map(([status, schema]) => [
      status,
      { description: 'x', ...(schema ? json(schema) : {}) },
    ]),
  );

const FIELDS = {
  title: { type: 'string', minLength: 1 },
  done: { type: 'boolean' },
  level: { type: 'string', enum: ['low', 'high'] },
};
const PAGE = { name: 'page', in: 'query', schema: { type: 'integer', minimum: 1 } };
const PROBLEM = { type: 'object', properties: { message: { type: 'string' } } };
const TASK = {
  type: 'object',
  required: ['id', 'title'],
  properties: { id: { type: 'integer' }, ...FIELDS },
};

/** Tasks that are listed, added, read, changed and removed. @param refusals the statuses of wrong bodies */
const tasks = (refusals: Record<number, object>) =>
  documentWith(
    {
      '/tasks': {
        get: {
          operationId: 'list',
          parameters: [PAGE],
          responses: answers({ 200: { type: 'array', items: ref('Task') } }),
        },
        post: {
          operationId: 'make',
          requestBody: {
            required: true,
            ...json({ type: 'object', required: ['title'], properties: FIELDS }),
          },
          responses: answers({ 201: ref('Task'), ...refusals }),
        },
      },
      '/tasks/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
        get: { operationId: 'read', responses: answers({ 200: ref('Task'), 404: PROBLEM }) },
        patch: {
          operationId: 'change',
          requestBody: { required: true, ...json({ type: 'object', properties: FIELDS }) },
          responses: answers({ 200: ref('Task'), 404: PROBLEM, ...refusals }),
        },
        delete: { operationId: 'drop', responses: answers({ 204: undefined, 404: PROBLEM }) },
      },
    },
    { schemas: { Task: TASK } },
  );

type Task = Record<string, unknown>;

/** A service that takes any body, as many do whose framework validates nothing. @param kept what it makes of a task */
function lax(kept = (task: Task): Task => task) {
  const all = new Map<number, Task>([[1, { id: 1, title: 'first' }]]);
  let last = 1;
  return ({ method, path, body }: Asked) => {
    let sent: Task = {};
    try {
      sent = body === '' ? {} : JSON.parse(body);
    } catch {
      return [400, {}] as const;
    }
    const id = Number(path.split('/')[2] ?? 0);
    if (method === 'POST') {
      last += 1;
      all.set(last, kept({ ...sent, id: last }));
      return [201, all.get(last)] as const;
    }
    if (id === 0) return [200, [...all.values()].reverse()] as const;
    const own = all.get(id);
    if (!own) return [404, {}] as const;
    if (method === 'DELETE') return all.delete(id) ? ([204] as const) : ([404, {}] as const);
    if (method === 'PATCH') all.set(id, kept({ ...own, ...sent, id }));
    return [200, all.get(id)] as const;
  };
}

test('a wrong body that was accepted and read back is one finding, of the request that sent it', async () => {
  const { report, wrong, met } = await judged(tasks({ 400: PROBLEM }), lax(), { write: true });
  expect(wrong).toEqual(['make.body', 'change.body']);
  expect([report.verdict, report.summary.violated]).toEqual(['conformant', 0]);
  expect(met).toEqual(expect.arrayContaining(['Task', 'Task.title', 'Task.done', 'Task.level']));
  const cause = report.requirements.find(({ id }) => id === 'make.body');
  expect(cause?.reason).toMatch(/: accepted with 201; GET \/tasks(, GET \/tasks\/\{id\})? shows? it since/);
  expect(cause?.curl).toMatch(/-X POST/);
});

test('so it is where the document names no status for wrong bodies', async () => {
  const { report, wrong } = await judged(tasks({}), lax(), { write: true });
  expect(wrong).toEqual(['make.body']);
  expect(report.requirements.find(({ id }) => id === 'make.body')).toMatchObject({
    status: 'advisory',
    expected: 'a rejection',
  });
});

test.each<[what: string, kept: (task: Task) => Task, violated: string]>([
  ['of right bodies', (task) => ({ ...task, done: 'yes' }), 'Task.done'],
  [
    'beside the wrong one',
    ({ title, ...task }) => ({ ...task, title: title ?? 'none', level: 5 }),
    'Task.level',
  ],
])('what a service itself makes %s is its own violation', async (_, kept, violated) => {
  const { wrong } = await judged(tasks({ 400: PROBLEM }), lax(kept), { write: true });
  expect(wrong).toContain(violated);
  expect(wrong).toContain('make.body');
});
