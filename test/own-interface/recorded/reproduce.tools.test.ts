import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { run } from '../../../src/index.ts';
import { documentWith, startSmall } from '../small-service.ts';
import { type Difference, shelvesFolder, startShelves } from '../writing/shelves.ts';

const execute = promisify(execFile);

async function reproducedFor(id: string, difference: Difference) {
  const service = await startShelves(difference);
  const report = await run({ baseUrl: service.baseUrl, interface: shelvesFolder(), write: true });
  const { reproduce } = report.requirements.find((each) => each.id === id) ?? {};
  return { ...service, reproduce };
}

test('a script creates again what the run created and removed, and shows the violation', async () => {
  const { reproduce, store } = await reproducedFor('getShelf.replaced', ({ method, path, body }) =>
    method === 'PUT'
      ? { status: 200, value: { ...JSON.parse(body), id: Number(path.split('/').at(-1)) } }
      : undefined,
  );
  expect([...store.keys()]).toEqual(['/shelves/1']);
  const { stdout } = await execute('bash', ['--norc', '-c', reproduce?.script ?? 'false']);
  const [created = '', changed = '', ...rest] = stdout.split('\n').filter((line) => line.startsWith('{'));
  const nameIn = (line: string) => JSON.parse(line).name;
  expect(nameIn(changed)).not.toBe(nameIn(created));
  expect(rest.map(nameIn)).toEqual([nameIn(created)]);
  expect(reproduce?.warning).toBe('adds a record; may change or remove a record');
});

/** Payments that are created with a form and an Idempotency-Key. */
function payments(): string {
  const text = { type: 'string' };
  const named = (name: string, place: string) => ({ name, in: place, required: true, schema: text });
  const form = { type: 'object', required: ['owner'], properties: { owner: text } };
  const shown = { type: 'object', required: ['id', 'owner'], properties: { id: text } };
  return documentWith({
    '/payments': {
      post: {
        parameters: [named('Idempotency-Key', 'header')],
        requestBody: { required: true, content: { 'application/x-www-form-urlencoded': { schema: form } } },
        responses: { 201: { description: 'x', content: { 'application/json': { schema: shown } } } },
      },
    },
    '/payments/{id}': {
      delete: { parameters: [named('id', 'path')], responses: { 204: { description: 'x' } } },
    },
  });
}

test('a script that is pasted twice sends another Idempotency-Key and another form', async () => {
  const { baseUrl, asked } = await startSmall(({ method }) =>
    method === 'POST' ? [201, { id: `p${asked.length}` }] : [204],
  );
  const report = await run({ baseUrl, interface: payments(), write: true });
  const found = report.requirements.find(({ status }) => status === 'violated');
  const { length } = asked;
  for (const _ of [1, 2]) await execute('bash', ['--norc', '-c', found?.reproduce?.script ?? 'false']);
  const [first, second, ...others] = asked
    .slice(length)
    .map(({ headers, body }) => [headers['idempotency-key'], body]);
  expect(first).toEqual([expect.stringMatching(/^petspec-\d{8}$/), `owner=${first?.[0]}`]);
  expect(second).not.toEqual(first);
  expect(others).toEqual([]);
});
