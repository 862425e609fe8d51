import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type Live, type LiveServer, serveLive } from '../../src/proxy/page/live-page.ts';
import { countCoverage } from '../../src/traffic/coverage/coverage.ts';
import { contract } from '../proxy/judged.ts';
import { accessibilityOf, launch, looksOf, openAddress } from './browser.ts';
import { HOSTILE } from './reports.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

const news = (reason: string, request: string) => ({
  ...{ requirement: 'Pet.id', status: 'violated' as const, at: Date.UTC(2026, 10, 21, 12) },
  ...{ reason, expected: 'an integer', received: reason, request },
});

function live(change: Partial<Live> = {}): Live {
  return {
    target: 'https://api.example.com/v1',
    proxy: 'http://127.0.0.1:8090/v1',
    startedAt: Date.UTC(2026, 10, 21, 11),
    state: { requests: 0, judged: 0, omissions: {}, statuses: {} },
    coverage: countCoverage(contract).result(),
    newFindings: [],
    ways: 0,
    ...change,
  };
}

const VIOLATED = live({
  state: {
    ...{ requests: 1_234, judged: 1_200, statuses: { violated: 1, met: 12, 'not-tested': 90 } },
    omissions: { unreachable: 34 },
    ledger: { bytes: 5_000_000, kept: 1_000, notKept: 200 },
  },
  newFindings: [news(HOSTILE.slice(0, 500), `GET /v1/pets?${HOSTILE.slice(0, 100)} -> 200`)],
  ways: 1,
});

async function served(first: Live): Promise<LiveServer> {
  const server = await serveLive({ host: '127.0.0.1', port: 0 }, first);
  onTestFinished(() => server.close());
  return server;
}

test.each(looksOf('live'))(
  'live traffic, $colorScheme, at $width px: what is new appears, nothing of the target runs, nobody is left out',
  async ({ colorScheme, width }) => {
    const server = await served(live());
    const options = { viewport: { width, height: 800 }, colorScheme };
    const { page, noises, requests } = await openAddress(browser, server.origin, options);
    const connection = (words: RegExp) => page.locator('.connection', { hasText: words }).waitFor();
    await connection(/^live$/);
    expect(await page.textContent('h1')).toBe('No traffic yet');
    server.tell(VIOLATED);
    await page.waitForSelector('.news li');
    expect(await page.textContent('h1')).toBe('1 requirement violated');
    expect(await page.textContent('#traffic')).toContain('34: not judged: the target could not be reached');
    expect(await page.textContent('#traffic')).toContain(
      'the ledger is full: 200 exchanges judged and not kept',
    );
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    expect(requests.map((each) => new URL(each).pathname)).toEqual(['/', '/events']);
    expect(noises).toEqual([]);
    expect((await accessibilityOf(page)).violations).toEqual([]);
    await server.close();
    await connection(/^petspec proxy has ended$/);
  },
);

test('what a reader unfolded stays open when its numbers change', async () => {
  const server = await served(live());
  const { page } = await openAddress(browser, server.origin);
  const keywords = page.locator('details', { hasText: 'Schema keywords' });
  await keywords.locator('summary').click();
  const { coverage } = live();
  server.tell(live({ coverage: { ...coverage, keywords: { ...coverage.keywords, covered: 12 } } }));
  await page.locator('summary', { hasText: 'Schema keywords: 12 of' }).waitFor();
  expect(await keywords.getAttribute('open')).toBe('');
});

test('without scripts the page shows what is known', async () => {
  const server = await served(VIOLATED);
  const { page } = await openAddress(browser, server.origin, { javaScriptEnabled: false });
  expect(await page.textContent('h1')).toBe('1 requirement violated');
  expect(await page.isVisible('.connection')).toBe(false);
});
