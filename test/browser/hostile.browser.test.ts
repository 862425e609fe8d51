import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launch, open } from './browser.ts';
import { HOSTILE, hostile } from './reports.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

test('a page runs nothing and loads nothing of what a target sent', async () => {
  const { page, requests, noises } = await open(browser, hostile());
  await page.evaluate('for (const each of document.querySelectorAll("details")) each.open = true');
  for (const button of await page.locator('.copy:visible').all()) await button.click();
  await page.waitForTimeout(200);
  expect(await page.evaluate('globalThis.taken')).toBeUndefined();
  expect({ requests, noises }).toEqual({ requests: [], noises: [] });
  expect(await page.locator('script').count()).toBe(1);
  expect(await page.locator('style').count()).toBe(1);
  expect(await page.locator('iframe, img, link, base, object, embed, textarea').count()).toBe(0);
  expect(await page.locator('a:not([href^="#"])').count()).toBe(0);
});

test('its policy forbids what would get in all the same', async () => {
  const { page, requests } = await open(browser, hostile());
  await page.evaluate(`
    document.body.insertAdjacentHTML('beforeend', '<img src="http://evil.invalid/a.png" onerror="globalThis.taken=1">');
    const script = document.createElement('script');
    script.textContent = 'globalThis.taken = 2';
    document.body.append(script);
  `);
  await page.waitForTimeout(200);
  expect(await page.evaluate('globalThis.taken')).toBeUndefined();
  expect(requests).toEqual([]);
});

test('what is hidden or turns the direction is seen as an escape', async () => {
  const { page } = await open(browser, hostile());
  const text = (await page.locator('body').textContent()) ?? '';
  expect(text).toContain('\\u202edesrever\\u202c');
  expect(text).toContain('\\u001b[31mred');
  expect(text).toContain('\\ud800');
  expect(text).toContain('\\u{e0041}');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  expect(text).not.toMatch(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffd]/u,
  );
  expect(text).toContain(HOSTILE.slice(0, 35));
});
