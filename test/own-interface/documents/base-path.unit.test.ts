import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type RunSettings, run } from '../../../src/index.ts';
import { startSmall } from '../small-service.ts';

/** What a run hints whose service has everything below `/shop/v3`. */
async function hintFor(server: object, settings: RunSettings = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'petspec-base-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'openapi.json');
  const paths = { '/mugs': { get: { responses: { 200: { description: 'x' }, 404: { description: 'x' } } } } };
  writeFileSync(file, JSON.stringify({ openapi: '3.1.0', servers: [server], paths }));
  const { baseUrl } = await startSmall(({ path }) => [path.startsWith('/shop/v3/') ? 200 : 404]);
  const { hints } = await run({ baseUrl, interface: file, ...settings });
  return { hints, baseUrl, file };
}

test.each<[what: string, server: object]>([
  ['absolute', { url: 'https://mugs.test/shop/v3' }],
  ['a path', { url: '/shop/v3' }],
  ['a path with a slash at its end', { url: '/shop/v3/' }],
  ['relative to the document', { url: 'shop/v3' }],
  ['without a scheme', { url: '//mugs.test/shop/v3' }],
  ['with a variable', { url: '/{area}/v3', variables: { area: { default: 'shop' } } }],
])('the hint says that the base path is missing, where the server is %s', async (_, server) => {
  const { hints, baseUrl, file } = await hintFor(server);
  expect(hints).toEqual([
    {
      kind: 'base-path',
      text: 'the base address does not end with /shop/v3, which the interface requires',
      command: `npx petspec run ${baseUrl}/shop/v3 --interface ${file}`,
    },
  ]);
});

test.each<[what: string, server: object]>([
  ['the root', { url: '/' }],
  ['unknown', { url: '/{area}/v3' }],
])('nothing is said of a base path that is %s', async (_, server) => {
  expect((await hintFor(server)).hints?.map(({ kind }) => kind)).toEqual(['elsewhere']);
});

test('the command of a hint has the options of the run, and no value of a header', async () => {
  const { hints, file } = await hintFor(
    { url: '/shop/v3' },
    {
      write: true,
      strict: true,
      only: ['GET /mugs.200'],
      timeout: 5_000,
      headers: [['X-Gate', 's3cret-value']],
    },
  );
  expect(hints?.[0]?.command).toMatch(
    /\/shop\/v3 --interface \S+ --write --only 'GET \/mugs\.200' --strict --timeout 5000 --header 'X-Gate: '"\$\{HEADER_X_GATE:\?\}"$/,
  );
  expect(hints?.[0]?.command).toContain(file);
});
