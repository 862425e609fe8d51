import { createServer } from 'node:http';
import express from 'express';
import {
  attachRouting,
  createConfig,
  Documentation,
  EndpointsFactory,
  ensureHttpError,
  ResultHandler,
} from 'express-zod-api';
import createHttpError from 'http-errors';
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
const Problem = z.object({ message: z.string() });
const all = new Map();
let last = 0;
const none = () => {
  throw createHttpError(404, 'none');
};
const plain = (statusCode) =>
  new EndpointsFactory(
    new ResultHandler({
      positive: (output) => ({ schema: output, statusCode }),
      negative: [{ schema: Problem, statusCode: [400, 404] }],
      handler: ({ error, output, response }) => {
        if (error) {
          const { statusCode: status, message } = ensureHttpError(error);
          return void response.status(status).json({ message });
        }
        response.status(statusCode).json(output);
      },
    }),
  );
const [ok, created] = [plain(200), plain(201)];
const One = z.object({ id: z.string() });
const routing = {
  tasks: {
    get: ok.build({
      input: z.object({ limit: z.string().transform(Number).pipe(z.int().min(1).max(50)).optional() }),
      output: z.object({ items: z.array(Task) }),
      handler: async ({ input }) => ({ items: [...all.values()].slice(0, input.limit ?? 20) }),
    }),
    post: created.build({
      method: 'post',
      input: NewTask,
      output: Task,
      handler: async ({ input }) => {
        last += 1;
        const own = { id: `t${last}`, ...input };
        all.set(own.id, own);
        return own;
      },
    }),
    ':id': {
      get: ok.build({ input: One, output: Task, handler: async ({ input }) => all.get(input.id) ?? none() }),
      put: ok.build({
        method: 'put',
        input: NewTask.extend({ id: z.string() }),
        output: Task,
        handler: async ({ input }) => {
          if (!all.has(input.id)) none();
          all.set(input.id, input);
          return input;
        },
      }),
      delete: ok.build({
        method: 'delete',
        input: One,
        output: Task,
        handler: async ({ input }) => {
          const own = all.get(input.id) ?? none();
          all.delete(input.id);
          return own;
        },
      }),
    },
  },
};
const app = express();
app.use(express.json());
const config = createConfig({ app, cors: false, logger: { level: 'silent' } });
const document = new Documentation({
  routing,
  config,
  version: '1.0.0',
  title: 'Tasks',
  serverUrl: 'http://127.0.0.1',
}).getSpecAsJson();
app.get('/openapi.json', (_, response) => void response.type('json').send(document));
attachRouting(config, routing);
const server = createServer(app).listen(0, '127.0.0.1', () =>
  console.log(`http://127.0.0.1:${server.address().port}`),
);
