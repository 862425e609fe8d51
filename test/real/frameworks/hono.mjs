import { serve } from '@hono/node-server';
import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi';

const NewTask = z
  .object({
    title: z.string().min(1).max(40),
    done: z.boolean().default(false),
    priority: z.number().int().min(1).max(5).optional(),
  })
  .strict()
  .openapi('NewTask');
const Task = z
  .object({
    id: z.string(),
    title: z.string().min(1).max(40),
    done: z.boolean(),
    priority: z.number().int().min(1).max(5).optional(),
  })
  .openapi('Task');
const Problem = z.object({ message: z.string() }).openapi('Problem');
const json = (schema, description) => ({ description, content: { 'application/json': { schema } } });
const params = z.object({ id: z.string().openapi({ param: { name: 'id', in: 'path' } }) });
const refuse = (result, c) => (result.success ? undefined : c.json({ message: 'not valid' }, 400));
const app = new OpenAPIHono({ defaultHook: refuse });
const all = new Map();
let last = 0;
const bad = { 400: json(Problem, 'Not valid.') };
const none = { 404: json(Problem, 'No such task.') };
const body = { content: { 'application/json': { schema: NewTask } }, required: true };
const query = z.object({
  limit: z.coerce.number().int().min(1).max(50).default(20),
  done: z.enum(['true', 'false']).optional(),
});
const route = (method, path, operationId, request, responses) =>
  createRoute({ method, path, operationId, request, responses });
app.openapi(
  route('get', '/tasks', 'listTasks', { query }, { 200: json(z.array(Task), 'Tasks.'), ...bad }),
  (c) => {
    const { limit, done } = c.req.valid('query');
    return c.json(
      [...all.values()].filter((each) => done === undefined || String(each.done) === done).slice(0, limit),
      200,
    );
  },
);
app.openapi(route('post', '/tasks', 'addTask', { body }, { 201: json(Task, 'The task.'), ...bad }), (c) => {
  last += 1;
  const own = { id: `t${last}`, ...c.req.valid('json') };
  all.set(own.id, own);
  return c.json(own, 201);
});
app.openapi(
  route('get', '/tasks/{id}', 'getTask', { params }, { 200: json(Task, 'The task.'), ...none }),
  (c) => {
    const own = all.get(c.req.valid('param').id);
    return own ? c.json(own, 200) : c.json({ message: 'none' }, 404);
  },
);
app.openapi(
  route(
    'put',
    '/tasks/{id}',
    'replaceTask',
    { params, body },
    { 200: json(Task, 'The task.'), ...bad, ...none },
  ),
  (c) => {
    const { id } = c.req.valid('param');
    if (!all.has(id)) return c.json({ message: 'none' }, 404);
    const own = { id, ...c.req.valid('json') };
    all.set(id, own);
    return c.json(own, 200);
  },
);
app.openapi(
  route('delete', '/tasks/{id}', 'removeTask', { params }, { 204: { description: 'Gone.' }, ...none }),
  (c) => (all.delete(c.req.valid('param').id) ? c.body(null, 204) : c.json({ message: 'none' }, 404)),
);
app.doc31('/openapi.json', { openapi: '3.1.0', info: { title: 'Tasks', version: '1.0.0' } });
serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) =>
  console.log(`http://127.0.0.1:${port}`),
);
