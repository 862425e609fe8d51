import Hapi from '@hapi/hapi';
import inert from '@hapi/inert';
import vision from '@hapi/vision';
import swagger from 'hapi-swagger';
import Joi from 'joi';

const newTask = Joi.object({
  title: Joi.string().min(1).max(40).required(),
  done: Joi.boolean().default(false),
  priority: Joi.number().integer().min(1).max(5),
}).label('NewTask');
const task = Joi.object({
  id: Joi.string().required(),
  title: Joi.string().min(1).max(40).required(),
  done: Joi.boolean().required(),
  priority: Joi.number().integer().min(1).max(5),
}).label('Task');
const problem = Joi.object({
  statusCode: Joi.number().integer().required(),
  error: Joi.string().required(),
  message: Joi.string().required(),
  validation: Joi.object(),
}).label('Problem');
const said = (statuses) => ({
  'hapi-swagger': {
    responses: Object.fromEntries(
      Object.entries(statuses).map(([status, schema]) => [
        status,
        { description: `A ${status}.`, ...(schema ? { schema } : {}) },
      ]),
    ),
  },
});
const server = Hapi.server({ port: 0, host: '127.0.0.1' });
await server.register([
  inert,
  vision,
  { plugin: swagger, options: { OAS: 'v3.0', info: { title: 'Tasks', version: '1.0.0' } } },
]);
const all = new Map();
let last = 0;
const none = (h) => h.response({ statusCode: 404, error: 'Not Found', message: 'none' }).code(404);
const params = Joi.object({ id: Joi.string().required() });
const route = (method, path, id, validate, statuses, handler) =>
  server.route({ method, path, options: { id, tags: ['api'], validate, plugins: said(statuses), handler } });
route(
  'GET',
  '/tasks',
  'listTasks',
  { query: Joi.object({ limit: Joi.number().integer().min(1).max(50).default(20), done: Joi.boolean() }) },
  { 200: Joi.array().items(task).label('Tasks'), 400: problem },
  ({ query: { limit, done } }) =>
    [...all.values()].filter((each) => done === undefined || each.done === done).slice(0, limit),
);
route('POST', '/tasks', 'addTask', { payload: newTask }, { 201: task, 400: problem }, ({ payload }, h) => {
  last += 1;
  const own = { id: `t${last}`, ...payload };
  all.set(own.id, own);
  return h.response(own).code(201);
});
route(
  'GET',
  '/tasks/{id}',
  'getTask',
  { params },
  { 200: task, 404: problem },
  ({ params: { id } }, h) => all.get(id) ?? none(h),
);
route(
  'PUT',
  '/tasks/{id}',
  'replaceTask',
  { params, payload: newTask },
  { 200: task, 400: problem, 404: problem },
  ({ params: { id }, payload }, h) => {
    if (!all.has(id)) return none(h);
    const own = { id, ...payload };
    all.set(id, own);
    return own;
  },
);
route(
  'DELETE',
  '/tasks/{id}',
  'removeTask',
  { params },
  { 204: undefined, 404: problem },
  ({ params: { id } }, h) => (all.delete(id) ? h.response().code(204) : none(h)),
);
await server.start();
console.log(server.info.uri);
