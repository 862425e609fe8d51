import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../../../src/index.ts';
import { folderWith } from '../documents/folder.ts';
import { type Answered, type Asked, startRecorded } from '../recorded/recorded.ts';

const said = (status: number, schema?: object) => ({
  [status]: {
    description: 'x',
    ...(schema ? { content: { 'application/json': { schema } } } : {}),
  },
});
const thing = { $ref: '#/components/schemas/Thing' };
const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };

/** The report on a service by a document with these paths. Operations that name a key need one. */
async function reportOf(paths: object, answer: (asked: Asked) => Answered, write = false) {
  const folder = folderWith({});
  const document = {
    openapi: '3.1.0',
    info: { title: 'Things', version: '1' },
    paths,
    components: {
      securitySchemes: { key: { type: 'http', scheme: 'bearer' } },
      schemas: { Thing: { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } } },
    },
  };
  writeFileSync(join(folder, 'openapi.yaml'), JSON.stringify(document));
  const { baseUrl, asked } = await startRecorded(answer);
  const report = await run({ baseUrl, apiKey: 'a-key', interface: folder, write });
  return { report, asked, of: (wanted: string) => report.requirements.find((each) => each.id === wanted) };
}

const key = { security: [{ key: [] }] };
const LIST = { get: { operationId: 'list', responses: said(200, { type: 'array', items: thing }) } };

test('keys of operations that change something are left out by a run that only reads, which is complete', async () => {
  const create = { operationId: 'create', ...key, responses: { ...said(201, thing), ...said(401) } };
  const paths = {
    '/things': { ...LIST, post: create },
    '/things/{id}': { parameters: [id], get: { operationId: 'read', responses: said(200, thing) } },
  };
  const { report, of } = await reportOf(paths, ({ path }) =>
    path === '/things' ? { status: 200, value: [{ id: 1 }] } : { status: 200, value: { id: 1 } },
  );
  expect(of('authentication.key')?.status).toBe('not-tested');
  expect([report.verdict, report.because]).toEqual(['conformant', expect.stringContaining('left out')]);
});

test('nothing is asked of keys and limits that no request of any run could show', async () => {
  const paths = {
    '/things': { delete: { operationId: 'removeAll', ...key, responses: { ...said(204), ...said(401) } } },
    '/things/{id}': {
      parameters: [{ ...id, example: 1 }],
      get: { operationId: 'read', responses: { ...said(200, thing), ...said(429) } },
    },
  };
  const { report, of } = await reportOf(paths, () => ({ status: 200, value: { id: 1 } }), true);
  expect(report.verdict).toBe('conformant');
  expect([of('authentication.key'), of('rate-limit.enforced')]).toEqual([undefined, undefined]);
});

test('a part of a body that no request can ask for names the value that is missing', async () => {
  const paths = {
    '/health': { get: { operationId: 'health', responses: said(204) } },
    '/things/{id}': { parameters: [id], get: { operationId: 'read', responses: said(200, thing) } },
  };
  const { report, of } = await reportOf(paths, () => ({ status: 204 }));
  expect(report.verdict).toBe('incomplete');
  expect(of('Thing.id')).toMatchObject({
    status: 'not-tested',
    reason: 'no value known for {id}; give it an example in the document, or with --example',
  });
});
