import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { testedCommandLine } from '../../../test/command-line/tested-command-line.ts';

const PROJECTS = new URL('../../../test/document-server/documents/projects.yaml', import.meta.url).pathname;
const KEY = 'a-key-to-serve-with';
const { line: commandLine, petspec } = testedCommandLine();

/** Serves the document on a free port. */
async function serve(...options: string[]) {
  const served = ['serve', '--interface', PROJECTS, '--port', '0', '--api-key', KEY, ...options];
  const { child, ended } = commandLine.startProgram(process.execPath, [commandLine.bin, ...served]);
  const lines = createInterface({ input: child.stdout ?? process.stdin })[Symbol.asyncIterator]();
  const base = ((await lines.next()).value ?? '').split(/\s+/).at(-1) ?? '';
  const ask = async (method: string, path: string, body?: object, headers: Record<string, string> = {}) => {
    const response = await fetch(base + path, {
      method,
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      json: text === '' ? undefined : JSON.parse(text),
    };
  };
  return { ask, child, ended };
}

test('what is created is listed, found, changed and removed, and errors are those of the document', async () => {
  const { ask, child, ended } = await serve('--cors', '--limit', '100');
  const created = await ask('POST', '/projects', { name: 'Roof', state: 'open' });
  expect(created.status).toBe(201);
  const { id, ...rest } = created.json.data;
  expect(id).toMatch(/^prj_[a-z0-9]{8}$/);
  expect(rest).toMatchObject({ name: 'Roof', state: 'open' });
  expect(created.headers.get('location')).toBe(`/v2/projects/${id}`);
  expect(created.headers.get('ratelimit-limit')).toBe('100');
  expect(created.headers.get('access-control-allow-origin')).toBe('*');
  const patch = { 'content-type': 'application/merge-patch+json' };
  await ask('PATCH', `/projects/${id}`, { state: 'closed' }, patch);
  const closed = await ask('GET', '/projects?state=closed');
  expect(closed.json.data.map((each: { id: string }) => each.id)).toContain(id);
  const page = await ask('GET', '/projects?limit=1');
  expect([page.json.data.length, page.json.total]).toEqual([1, 4]);
  const next = await ask('GET', `/projects?limit=1&cursor=${page.json.nextCursor}`);
  expect(next.json.data[0].id).not.toBe(page.json.data[0].id);
  const task = await ask('POST', `/projects/${id}/tasks`, { title: 'Tiles' });
  expect(task.json).toMatchObject({ title: 'Tiles', projectId: id });
  expect((await ask('DELETE', `/projects/${id}`)).status).toBe(204);
  expect((await ask('GET', `/projects/${id}/tasks`)).status).toBe(404);
  const wrong = await ask('POST', '/projects', { name: 5 });
  expect([wrong.status, wrong.headers.get('content-type')]).toEqual([422, 'application/problem+json']);
  expect((await ask('GET', '/projects', undefined, { authorization: 'Bearer other' })).status).toBe(401);
  const asked = { origin: 'https://a.example', 'access-control-request-method': 'PUT' };
  expect((await ask('OPTIONS', '/projects', undefined, asked)).status).toBe(204);
  child.kill('SIGINT');
  expect((await ended).status).toBe(0);
});

test('options of the animal store are refused with a document, and those of documents without one', async () => {
  const both = await petspec('serve', '--interface', PROJECTS, '--scenario', 'plain');
  expect([both.status, both.err]).toEqual([2, expect.stringContaining('--scenario')]);
  const alone = await petspec('serve', '--latency', '5');
  expect([alone.status, alone.err]).toEqual([2, expect.stringContaining('name one with --interface')]);
  const unknown = await petspec('serve', '--interface', PROJECTS, '--fault', 'lost-updates');
  expect([unknown.status, unknown.err]).toEqual([2, expect.stringContaining("did you mean 'lost-update'?")]);
  const other = await petspec('serve', '--interface', PROJECTS, '--fault', 'xyz');
  const listed = "--fault: unknown fault 'xyz'; petspec serve --help lists them";
  expect([other.status, other.err]).toEqual([2, expect.stringContaining(listed)]);
});
