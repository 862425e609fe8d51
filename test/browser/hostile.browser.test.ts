import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launch, open } from './browser.ts';
import { HOSTILE, hostile } from './reports.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

test('a page runs and loads nothing that a target sent', async () => {
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

test('its policy also blocks markup that gets into the page', async () => {
  const { page } = await open(browser, hostile());
  const refused: (string | undefined)[] = [];
  page.on('requestfailed', (request) => refused.push(request.failure()?.errorText));
  await page.evaluate(`
    document.body.insertAdjacentHTML('beforeend', '<img src="http://evil.invalid/a.png" onload="globalThis.taken=1">');
    const script = document.createElement('script');
    script.textContent = 'globalThis.taken = 2';
    document.body.append(script);
  `);
  await expect.poll(() => refused).toEqual(['csp']);
  expect(await page.evaluate('globalThis.taken')).toBeUndefined();
});

test('invisible characters and direction marks are shown as escapes', async () => {
  const { page } = await open(browser, hostile());
  const text = (await page.locator('body').textContent()) ?? '';
  expect(text).toContain('\\u202edesrever\\u202c');
  expect(text).toContain('\\u001b[31mred');
  expect(text).toContain('\\ud800');
  expect(text).toContain('\\u{e0041}');
  expect(text.match(/[\p{Cf}\p{Cs}\p{Zl}\p{Zp}\ufffd]|(?!\n)\p{Cc}/gu)).toBeNull();
  expect(text).toContain(HOSTILE.slice(0, 35));
});
