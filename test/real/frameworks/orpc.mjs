import { createServer } from 'node:http';
import { OpenAPIGenerator } from '@orpc/openapi';
import { OpenAPIHandler } from '@orpc/openapi/node';
import { ORPCError, os } from '@orpc/server';
import { ZodToJsonSchemaConverter } from '@orpc/zod/zod4';
import { z } from 'zod';

const NewTask = z.object({
  title: z.string().min(1).max(40),
  done: z.boolean().default(false),
  priority: z.int().min(1).max(5).optional(),
});
const Task = z.object({
  id: z.string(),
  title: z.string().min(1).max(40),
  done: z.boolean(),
  priority: z.int().min(1).max(5).optional(),
});
const all = new Map();
let last = 0;
const none = () => {
  throw new ORPCError('NOT_FOUND');
};
const One = z.object({ id: z.string() });
const router = {
  listTasks: os
    .route({ method: 'GET', path: '/tasks' })
    .input(z.object({ limit: z.coerce.number().int().min(1).max(50).default(20) }))
    .output(z.array(Task))
    .handler(({ input }) => [...all.values()].slice(0, input.limit)),
  addTask: os
    .route({ method: 'POST', path: '/tasks', successStatus: 201 })
    .input(NewTask)
    .output(Task)
    .handler(({ input }) => {
      last += 1;
      const own = { id: `t${last}`, ...input };
      all.set(own.id, own);
      return own;
    }),
  getTask: os
    .route({ method: 'GET', path: '/tasks/{id}' })
    .errors({ NOT_FOUND: {} })
    .input(One)
    .output(Task)
    .handler(({ input }) => all.get(input.id) ?? none()),
  replaceTask: os
    .route({ method: 'PUT', path: '/tasks/{id}' })
    .errors({ NOT_FOUND: {} })
    .input(NewTask.extend({ id: z.string() }))
    .output(Task)
    .handler(({ input }) => {
      if (!all.has(input.id)) none();
      all.set(input.id, input);
      return input;
    }),
  removeTask: os
    .route({ method: 'DELETE', path: '/tasks/{id}', successStatus: 204 })
    .errors({ NOT_FOUND: {} })
    .input(One)
    .handler(({ input }) => {
      if (!all.delete(input.id)) none();
    }),
};
const handler = new OpenAPIHandler(router);
const document = await new OpenAPIGenerator({ schemaConverters: [new ZodToJsonSchemaConverter()] }).generate(
  router,
  { info: { title: 'Tasks', version: '1.0.0' } },
);
const server = createServer(async (request, response) => {
  if (request.url === '/openapi.json')
    return response.setHeader('content-type', 'application/json').end(JSON.stringify(document));
  const { matched } = await handler.handle(request, response);
  if (!matched) response.writeHead(404).end();
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
