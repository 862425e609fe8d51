import { HttpErrors, RestApplication } from '@loopback/rest';

const priority = { type: 'integer', minimum: 1, maximum: 5 };
const title = { type: 'string', minLength: 1, maxLength: 40 };
const schemas = {
  NewTask: {
    type: 'object',
    required: ['title'],
    additionalProperties: false,
    properties: { title, done: { type: 'boolean', default: false }, priority },
  },
  Task: {
    type: 'object',
    required: ['id', 'title', 'done'],
    properties: { id: { type: 'string' }, title, done: { type: 'boolean' }, priority },
  },
  Problem: {
    type: 'object',
    required: ['error'],
    properties: {
      error: {
        type: 'object',
        required: ['statusCode', 'name', 'message'],
        properties: {
          statusCode: { type: 'integer' },
          name: { type: 'string' },
          message: { type: 'string' },
        },
      },
    },
  },
};
const ref = (name) => ({ $ref: `#/components/schemas/${name}` });
const json = (description, schema) => ({ description, content: { 'application/json': { schema } } });
const one = json('The task.', ref('Task'));
const refused = {
  422: json('It is not valid.', ref('Problem')),
  400: json('It is not valid.', ref('Problem')),
};
const none = { 404: json('There is no such task.', ref('Problem')) };
const requestBody = { ...json('The task.', ref('NewTask')), required: true };
const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
const app = new RestApplication({
  rest: { port: 0, host: '127.0.0.1', openApiSpec: { setServersFromRequest: true } },
});
app.api({ openapi: '3.0.0', info: { title: 'Tasks', version: '1.0.0' }, paths: {}, components: { schemas } });
const all = new Map();
let last = 0;
const known = (key) => {
  if (!all.has(key)) throw new HttpErrors.NotFound('none');
  return all.get(key);
};
const route = (verb, path, operationId, spec, handler) =>
  app.route(verb, path, { operationId, ...spec }, handler);
route(
  'get',
  '/tasks',
  'listTasks',
  {
    parameters: [
      { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 50, default: 20 } },
      { name: 'done', in: 'query', schema: { type: 'boolean' } },
    ],
    responses: { 200: json('The tasks.', { type: 'array', items: ref('Task') }), ...refused },
  },
  (limit = 20, done) =>
    [...all.values()].filter((each) => done === undefined || each.done === done).slice(0, limit),
);
route('post', '/tasks', 'addTask', { requestBody, responses: { 200: one, ...refused } }, (body) => {
  last += 1;
  const own = { done: false, ...body, id: `t${last}` };
  all.set(own.id, own);
  return own;
});
route('get', '/tasks/{id}', 'getTask', { parameters: [id], responses: { 200: one, ...none } }, known);
route(
  'put',
  '/tasks/{id}',
  'replaceTask',
  { parameters: [id], requestBody, responses: { 200: one, ...refused, ...none } },
  (body, key) => {
    known(key);
    all.set(key, { done: false, ...body, id: key });
    return all.get(key);
  },
);
route(
  'delete',
  '/tasks/{id}',
  'removeTask',
  { parameters: [id], responses: { 204: { description: 'It is gone.' }, ...none } },
  (key) => {
    known(key);
    all.delete(key);
  },
);
await app.start();
console.log(app.restServer.url);
