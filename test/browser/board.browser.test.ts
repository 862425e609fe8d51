import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { slugOf } from '../../src/board/implementation.ts';
import { boardOf, historyOf } from '../boards/board.ts';
import { entry } from '../reports/history.ts';
import { accessibilityOf, launch, looksOf, openAddress } from './browser.ts';
import { HOSTILE, sample } from './reports.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

/** A board of sixty stores, one of them hostile, and of two reports. */
function site(): string {
  const entries = Array.from({ length: 60 }, (_, store) =>
    [0, 1, 2, 3].map((run) =>
      entry(
        store * 10 + run,
        {
          a: (store + run) % 3 === 0 ? 'violated' : 'met',
          b: store % 7 === 0 ? 'advisory' : 'met',
          c: 'not-tested',
        },
        {
          name: store === 4 ? HOSTILE.slice(0, 300) : `store ${store}`,
          because: store === 4 ? HOSTILE.slice(0, 300) : 'x',
        },
      ),
    ),
  );
  const reports = Object.fromEntries(
    (['conformant', 'broken'] as const).map((name) => [`${name}/report.json`, JSON.stringify(sample(name))]),
  );
  return boardOf({ 'h.jsonl': historyOf(entries.flat()), ...reports }).out;
}

const fromDisk = (out: string, page: string) => pathToFileURL(join(out, page)).href;

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
};

/** A web server for a folder. @returns its address */
async function serve(folder: string): Promise<string> {
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url ?? '/', 'http://x').pathname);
    const file = path === '/' ? '/index.html' : path;
    response.setHeader('content-type', TYPES[extname(file)] ?? 'application/octet-stream');
    // A browser also asks for an icon.
    if (file === '/favicon.ico') response.writeHead(204).end();
    else if (!existsSync(join(folder, file))) response.writeHead(404).end();
    else response.end(readFileSync(join(folder, file)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

describe.each(['from disk', 'from a web server'])('a board opened %s', (from) => {
  const addressOf = async (out: string) => (from === 'from disk' ? fromDisk(out, 'index.html') : serve(out));

  test('shows its list, and leads to requirements and reports', async () => {
    const { page, noises } = await openAddress(browser, await addressOf(site()));
    expect(await page.locator('.matrix tbody tr').count()).toBe(50);
    await page.getByRole('link', { name: 'http://127.0.0.1:8080/v1' }).click();
    await page.getByText('listPets.limit.maximum').waitFor({ state: 'attached' });
    await page.getByRole('link', { name: 'report', exact: true }).first().click();
    await page.getByRole('heading', { name: 'Conformant' }).first().waitFor();
    expect(noises).toEqual([]);
  });

  test('loads the names of all implementations only for who searches', async () => {
    const { page, noises, requests } = await openAddress(browser, await addressOf(site()));
    const loaded = () => requests.filter((url) => url.includes('implementations.js')).length;
    expect(loaded()).toBe(0);
    await page.getByPlaceholder('Search').fill('store 59');
    await page.getByRole('link', { name: 'store 59' }).waitFor();
    expect(await page.locator('.shown').textContent()).toBe('1 implementation');
    await page.getByPlaceholder('Search').fill('');
    expect(await page.locator('.matrix').isVisible()).toBe(true);
    await page.getByLabel('Verdict').selectOption('non-conformant');
    expect(await page.locator('.found li').count()).toBeGreaterThan(10);
    expect(await page.locator('.matrix').isVisible()).toBe(false);
    expect(loaded()).toBe(1);
    await page.getByPlaceholder('Search').fill('nothing like it');
    expect(await page.locator('.shown').textContent()).toBe('Nothing matches.');
    expect(noises).toEqual([]);
  });
});

test('nothing that a stranger wrote runs or is loaded', async () => {
  const out = site();
  const { page, noises, requests } = await openAddress(browser, fromDisk(out, 'index.html'));
  await page.getByPlaceholder('Search').fill('script');
  await page.locator('.found a').click();
  await page.getByRole('heading', { name: 'Runs' }).waitFor();
  expect(page.url()).toBe(fromDisk(out, `implementations/${slugOf(HOSTILE.slice(0, 300))}.html`));
  expect(await page.evaluate('globalThis.taken')).toBeUndefined();
  expect(noises).toEqual([]);
  expect(requests.filter((url) => !url.startsWith(pathToFileURL(out).href))).toEqual([]);
});

test('its policy also blocks markup that gets into the page', async () => {
  const { page } = await openAddress(browser, fromDisk(site(), 'index.html'));
  await page.evaluate(`
    const script = document.createElement('script');
    script.textContent = 'globalThis.taken = 1';
    document.body.append(script);
    document.body.insertAdjacentHTML('beforeend', '<img src="http://evil.invalid/a.png" onerror="globalThis.taken = 2">');
  `);
  await expect.poll(() => page.evaluate('document.images[document.images.length - 1].complete')).toBe(true);
  expect(await page.evaluate('globalThis.taken')).toBeUndefined();
});

test('can be read without scripts', async () => {
  const { page } = await openAddress(browser, fromDisk(site(), 'index.html'), { javaScriptEnabled: false });
  expect(await page.locator('.filter').isVisible()).toBe(false);
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: '2' }).click();
  expect(await page.locator('.matrix tbody tr').count()).toBe(11);
});

const PAGES = [
  'index.html',
  `implementations/${slugOf('store 0')}.html`,
  `implementations/${slugOf(HOSTILE.slice(0, 300))}.html`,
];

describe.each(PAGES)('the page %s', (name) => {
  test.each(looksOf(name))(
    'is clean under axe-core in $colorScheme at $width',
    async ({ colorScheme, width }) => {
      const options = { colorScheme, viewport: { width, height: 900 }, bypassCSP: true };
      const { page } = await openAddress(browser, fromDisk(site(), name), options);
      await page.evaluate('for (const each of document.querySelectorAll("details")) each.open = true');
      const { violations } = await accessibilityOf(page);
      expect(violations).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    },
  );
});

const EXAMPLE = join(import.meta.dirname, '../../examples/board/site');
const pages = readdirSync(join(EXAMPLE, 'implementations')).map((name) => `implementations/${name}`);

test.each(['index.html', ...pages])('the example is clean under axe-core: %s', async (name) => {
  const { page } = await openAddress(browser, fromDisk(EXAMPLE, name), { bypassCSP: true });
  await page.evaluate('for (const each of document.querySelectorAll("details")) each.open = true');
  expect((await accessibilityOf(page)).violations).toEqual([]);
});
