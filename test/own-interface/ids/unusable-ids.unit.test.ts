import { expect, test } from 'vitest';
import { documentWith, judged } from '../small-service.ts';

const FILE = { type: 'object', properties: { path: { type: 'string' } } };
const json = (schema: object) => ({ description: 'x', content: { 'application/json': { schema } } });
const FILES = {
  '/files': { get: { responses: { 200: json({ type: 'array', items: FILE }) } } },
  '/files/{path}': {
    parameters: [{ name: 'path', in: 'path', required: true, schema: { type: 'string' } }],
    get: { responses: { 200: json(FILE) } },
  },
};

test.each(['.', '..', ''])("an id '%s' is not sent, and the report names its parameter", async (id) => {
  const { report, asked } = await judged(documentWith(FILES), () => [200, [{ path: id }]]);
  expect(new Set(asked.map(({ path }) => path))).toEqual(new Set(['/files']));
  const { reason } = report.requirements.find((each) => each.id === 'GET /files/{path}.200') ?? {};
  expect(reason).toBe(
    `the value of {path} would be '${id}', which leads to another path; state one with --example`,
  );
});
