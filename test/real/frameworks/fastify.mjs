import swagger from '@fastify/swagger';
import fastify from 'fastify';

const task = {
  $id: 'Task',
  type: 'object',
  required: ['id', 'title', 'done'],
  properties: {
    id: { type: 'string' },
    title: { type: 'string', minLength: 1, maxLength: 40 },
    done: { type: 'boolean' },
    priority: { type: 'integer', minimum: 1, maximum: 5 },
  },
};
const newTask = {
  $id: 'NewTask',
  type: 'object',
  required: ['title'],
  additionalProperties: false,
  properties: {
    title: { type: 'string', minLength: 1, maxLength: 40 },
    done: { type: 'boolean', default: false },
    priority: { type: 'integer', minimum: 1, maximum: 5 },
  },
};
const problem = {
  $id: 'Problem',
  type: 'object',
  required: ['message'],
  properties: { message: { type: 'string' } },
};
const ref = (name) => ({ $ref: `${name}#` });
const app = fastify();
await app.register(swagger, {
  openapi: { openapi: '3.1.0', info: { title: 'Tasks', version: '1.0.0' } },
  refResolver: { buildLocalReference: (json) => json.$id },
});
for (const each of [task, newTask, problem]) app.addSchema(each);
const all = new Map();
let last = 0;
const params = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } };
const missing = (reply) => reply.code(404).send({ message: 'no such task' });
app.after(() => {
  app.get(
    '/tasks',
    {
      schema: {
        operationId: 'listTasks',
        querystring: {
          type: 'object',
          properties: {
            limit: { type: 'integer', minimum: 1, maximum: 50, default: 20 },
            done: { type: 'boolean' },
          },
        },
        response: { 200: { type: 'array', items: ref('Task') }, 400: ref('Problem') },
      },
    },
    ({ query: { limit, done } }) =>
      [...all.values()].filter((each) => done === undefined || each.done === done).slice(0, limit),
  );
  app.post(
    '/tasks',
    {
      schema: {
        operationId: 'addTask',
        body: ref('NewTask'),
        response: { 201: ref('Task'), 400: ref('Problem') },
      },
    },
    (request, reply) => {
      last += 1;
      const own = { id: `t${last}`, ...request.body };
      all.set(own.id, own);
      return reply.code(201).send(own);
    },
  );
  app.get(
    '/tasks/:id',
    { schema: { operationId: 'getTask', params, response: { 200: ref('Task'), 404: ref('Problem') } } },
    ({ params: { id } }, reply) => all.get(id) ?? missing(reply),
  );
  app.put(
    '/tasks/:id',
    {
      schema: {
        operationId: 'replaceTask',
        params,
        body: ref('NewTask'),
        response: { 200: ref('Task'), 400: ref('Problem'), 404: ref('Problem') },
      },
    },
    ({ params: { id }, body }, reply) => {
      if (!all.has(id)) return missing(reply);
      const own = { id, ...body };
      all.set(id, own);
      return own;
    },
  );
  app.delete(
    '/tasks/:id',
    {
      schema: { operationId: 'removeTask', params, response: { 204: { type: 'null' }, 404: ref('Problem') } },
    },
    ({ params: { id } }, reply) => (all.delete(id) ? reply.code(204).send() : missing(reply)),
  );
  app.get('/openapi.json', { schema: { hide: true } }, () => app.swagger());
});
console.log(await app.listen({ port: 0, host: '127.0.0.1' }));
