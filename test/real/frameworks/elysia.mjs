import { node } from '@elysiajs/node';
import { openapi } from '@elysiajs/openapi';
import { Elysia, t } from 'elysia';

const fields = {
  title: t.String({ minLength: 1, maxLength: 40 }),
  done: t.Boolean({ default: false }),
  priority: t.Optional(t.Integer({ minimum: 1, maximum: 5 })),
};
const NewTask = t.Object({ ...fields, done: t.Optional(fields.done) }, { additionalProperties: false });
const Task = t.Object({ id: t.String(), ...fields });
const Problem = t.Object({ message: t.String() });
const all = new Map();
let last = 0;
const params = t.Object({ id: t.String() });
const none = (status) => status(404, { message: 'none' });
const named = (operationId) => ({ operationId });
new Elysia({ adapter: node() })
  .use(openapi({ documentation: { info: { title: 'Tasks', version: '1.0.0' } }, specPath: '/openapi.json' }))
  .onError(({ code, status }) =>
    code === 'VALIDATION' || code === 'PARSE' ? status(400, { message: 'not valid' }) : undefined,
  )
  .get(
    '/tasks',
    ({ query: { limit, done } }) =>
      [...all.values()].filter((each) => done === undefined || each.done === done).slice(0, limit),
    {
      query: t.Object({
        limit: t.Integer({ minimum: 1, maximum: 50, default: 20 }),
        done: t.Optional(t.Boolean()),
      }),
      response: { 200: t.Array(Task), 400: Problem },
      detail: named('listTasks'),
    },
  )
  .post(
    '/tasks',
    ({ body, status }) => {
      last += 1;
      const own = { done: false, ...body, id: `t${last}` };
      all.set(own.id, own);
      return status(201, own);
    },
    { body: NewTask, response: { 201: Task, 400: Problem }, detail: named('addTask') },
  )
  .get('/tasks/:id', ({ params: { id }, status }) => all.get(id) ?? none(status), {
    params,
    response: { 200: Task, 404: Problem },
    detail: named('getTask'),
  })
  .put(
    '/tasks/:id',
    ({ params: { id }, body, status }) => {
      if (!all.has(id)) return none(status);
      const own = { done: false, ...body, id };
      all.set(id, own);
      return own;
    },
    {
      params,
      body: NewTask,
      response: { 200: Task, 400: Problem, 404: Problem },
      detail: named('replaceTask'),
    },
  )
  .delete(
    '/tasks/:id',
    ({ params: { id }, status }) => (all.delete(id) ? status(204, undefined) : none(status)),
    { params, response: { 204: t.Undefined(), 404: Problem }, detail: named('removeTask') },
  )
  .listen({ port: 0, hostname: '127.0.0.1' }, ({ node: { server } }) => {
    server.once('listening', () => console.log(`http://127.0.0.1:${server.address().port}`));
  });
