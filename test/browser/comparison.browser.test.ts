import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launch, open } from './browser.ts';
import { incomplete, sample } from './reports.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

const RUNS = [sample('conformant'), sample('broken'), incomplete()];

test('what some run violates comes first; the rest is folded, found by a search, and left out by a choice', async () => {
  const { page, requests, noises } = await open(browser, RUNS);
  expect(await page.locator('.group').first().locator('.row').count()).toBe(5);
  expect(await page.locator('.row:visible').count()).toBeLessThan(10);
  await page.getByRole('searchbox').fill('getPet.404');
  expect(await page.locator('.row:visible').count()).toBe(1);
  await page.getByRole('searchbox').fill('nothing has this');
  expect(await page.getByRole('status').textContent()).toBe('Nothing matches.');
  await page.getByRole('searchbox').fill('');
  await page.getByRole('checkbox').check();
  expect(await page.locator('.row:visible').count()).toBe(5);
  expect({ requests, noises }).toEqual({ requests: [], noises: [] });
});

test('on a narrow page each cell names its run, and nothing is wider than the page', async () => {
  const { page } = await open(browser, RUNS, { viewport: { width: 390, height: 800 } });
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  expect(await page.locator('.row').first().locator('td').allInnerTexts()).toEqual([
    expect.stringMatching(/^target-1 Met/),
    expect.stringMatching(/^target-2 Violated/),
    expect.stringMatching(/^target-3 (?:Met|Not tested)/),
  ]);
});
