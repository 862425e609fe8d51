import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testedCommandLine } from '../../../test/command-line/tested-command-line.ts';
import { realClock } from '../../model/clock.ts';
import { faults } from '../../reference/faults/index.ts';
import { type Reference, startReference } from '../../reference/index.ts';

const KEY = 'a-key-of-a-test-of-agents-7f3a';
const { line } = testedCommandLine(KEY);
let client: Client;
let reference: Reference;

beforeAll(async () => {
  const fault = faults.find(({ id }) => id === 'list-public');
  reference = await startReference({ clock: realClock, apiKey: KEY, changes: fault ? [fault] : [] });
  client = new Client({ name: 'a test', version: '1' });
  const env = Object.fromEntries(
    Object.entries(line.variables).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [line.bin, 'mcp'], env, cwd: line.folder }),
  );
}, 60_000);
afterAll(async () => {
  await client.close();
  await reference.close();
});

/** What a tool answers, as text. */
async function called(name: string, given: Record<string, unknown>) {
  const { content, isError } = await client.callTool({ name, arguments: given });
  const [first] = content as { text: string }[];
  return { text: first?.text ?? '', isError };
}

test('an agent sees four tools, and which arguments they need', async () => {
  const { tools } = await client.listTools();
  expect(tools.map(({ name, inputSchema }) => [name, inputSchema.required])).toEqual([
    ['plan', ['target']],
    ['run', ['target']],
    ['explain', ['id']],
    ['verify', ['file']],
  ]);
});

test('a plan is printed, and nothing is sent', async () => {
  const { text, isError } = await called('plan', { target: reference.baseUrl });
  expect(isError).toBe(false);
  expect(text).toMatch(/GET \/pets -> 200/);
});

test('a run returns the violations for agents, without the key', async () => {
  const { text, isError } = await called('run', { target: reference.baseUrl, readOnly: true });
  expect(isError).toBe(false);
  expect(text).toMatch(/^# petspec: non-conformant/);
  expect(text).toContain('## `Unauthorized`');
  expect(text).not.toContain(KEY);
});

test('a requirement is explained', async () => {
  expect((await called('explain', { id: 'listPets.limit.minimum' })).text).toContain('petspec reads');
});

test.each([
  ['nosuch', {}, 'no such tool: nosuch'],
  ['run', {}, "missing 'target'"],
  ['run', { target: 'http://127.0.0.1:9/v1', out: '/' }, "unknown argument 'out'"],
  ['run', { target: '--config=/etc/passwd' }, "'target': expected a text that does not begin with -"],
  ['explain', { id: 5 }, "'id': expected a text that does not begin with -"],
  ['run', { target: 'http://127.0.0.1:9/v1', readOnly: 'true' }, "'readOnly': expected true or false"],
  ['verify', { file: 'nosuch.json' }, 'nosuch.json'],
])('%s with %j is refused in a line', async (name, given, said) => {
  const { text, isError } = await called(name, given);
  expect(isError).toBe(true);
  expect(text).toContain(said);
});
