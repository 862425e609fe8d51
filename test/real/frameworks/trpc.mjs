import { createServer } from 'node:http';
import { initTRPC, TRPCError } from '@trpc/server';
import { createOpenApiHttpHandler, generateOpenApiDocument } from 'trpc-to-openapi';
import { z } from 'zod';

const t = initTRPC.meta().create();
const NewTask = z.object({
  title: z.string().min(1).max(40),
  done: z.boolean().default(false),
  priority: z.number().int().min(1).max(5).optional(),
});
const Task = z.object({
  id: z.string(),
  title: z.string().min(1).max(40),
  done: z.boolean(),
  priority: z.number().int().min(1).max(5).optional(),
});
const all = new Map();
let last = 0;
const none = () => {
  throw new TRPCError({ code: 'NOT_FOUND' });
};
const at = (method, path) => t.procedure.meta({ openapi: { method, path, protect: false } });
const One = z.object({ id: z.string() });
const router = t.router({
  listTasks: at('GET', '/tasks')
    .input(z.object({ limit: z.coerce.number().int().min(1).max(50).default(20) }))
    .output(z.array(Task))
    .query(({ input }) => [...all.values()].slice(0, input.limit)),
  addTask: at('POST', '/tasks')
    .input(NewTask)
    .output(Task)
    .mutation(({ input }) => {
      last += 1;
      const own = { id: `t${last}`, ...input };
      all.set(own.id, own);
      return own;
    }),
  getTask: at('GET', '/tasks/{id}')
    .input(One)
    .output(Task)
    .query(({ input }) => all.get(input.id) ?? none()),
  replaceTask: at('PUT', '/tasks/{id}')
    .input(NewTask.extend({ id: z.string() }))
    .output(Task)
    .mutation(({ input }) => {
      if (!all.has(input.id)) none();
      all.set(input.id, input);
      return input;
    }),
  removeTask: at('DELETE', '/tasks/{id}')
    .input(One)
    .output(Task)
    .mutation(({ input }) => {
      const own = all.get(input.id) ?? none();
      all.delete(input.id);
      return own;
    }),
});
const handle = createOpenApiHttpHandler({ router, createContext: () => ({}) });
const document = generateOpenApiDocument(router, {
  title: 'Tasks',
  version: '1.0.0',
  baseUrl: 'http://127.0.0.1',
});
const server = createServer((request, response) => {
  if (request.url === '/openapi.json')
    return response.setHeader('content-type', 'application/json').end(JSON.stringify(document));
  return handle(request, response);
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
