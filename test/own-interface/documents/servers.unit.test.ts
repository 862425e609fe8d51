import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../../../src/index.ts';
import { DOCUMENT, KEY, startBookshop } from '../bookshop.ts';
import { folderWith } from './folder.ts';

/** The bookshop, with its health at a server of its own. */
function elsewhere(url: string): string {
  const folder = folderWith({});
  const text = readFileSync(DOCUMENT, 'utf8');
  const changed = text.replace('  /health:\n', `  /health:\n    servers: [{ url: "${url}" }]\n`);
  expect(changed).not.toBe(text);
  writeFileSync(join(folder, 'openapi.yaml'), changed);
  return folder;
}

test.each([
  ['https://monitor.example/v2', 'monitor.example'],
  ['{monitor}', 'monitor'],
  ['{constructor}', 'constructor'],
  ['/v2', '/v2'],
])('an operation at %s is asked at the server that the user names %s', async (url, name) => {
  const folder = elsewhere(url);
  const [shop, monitor] = [await startBookshop(), await startBookshop()];
  const without = await run({ baseUrl: shop.baseUrl, apiKey: KEY, interface: folder });
  expect(without.narrowed.map(({ option }) => option)).toContain(`no --server ${name}`);
  expect([shop.asked.filter((each) => each.includes('/health')), monitor.asked]).toEqual([[], []]);
  expect(without.verdict).toBe('conformant');
  const servers = { [name]: `${monitor.baseUrl}/` };
  const both = await run({ baseUrl: shop.baseUrl, servers, apiKey: KEY, interface: folder });
  expect(monitor.asked).toEqual(['GET /health']);
  expect(shop.asked.filter((each) => each.includes('/health'))).toEqual([]);
  expect([both.verdict, both.target.servers]).toEqual(['conformant', { [name]: monitor.baseUrl }]);
});

test('a server that the interface does not have is refused by name', async () => {
  const folder = elsewhere('https://monitor.example');
  const running = run({
    baseUrl: 'http://127.0.0.1:1',
    servers: { monitor: 'http://127.0.0.1:1' },
    apiKey: KEY,
    interface: folder,
  });
  await expect(running).rejects.toThrow(
    "unknown server 'monitor'; beside the target the interface has monitor.example",
  );
});
