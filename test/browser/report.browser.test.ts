import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launch, open } from './browser.ts';
import { incomplete, narrowed, rootCaused, sample } from './reports.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

describe('a report opened from disk', () => {
  test('shows the verdict, the target and the violations first', async () => {
    const { page, requests, noises } = await open(browser, sample('broken'));
    await expect.poll(() => page.locator('h1').textContent()).toBe('Non-conformant');
    const head = page.locator('.verdict');
    expect(await head.textContent()).toContain('http://127.0.0.1:8080/v1');
    expect(await head.textContent()).toContain('4 requirements violated');
    expect(await head.locator('.headlines li').count()).toBe(4);
    expect(await page.title()).toContain('Non-conformant');
    const headings = await page.locator('h2').allTextContents();
    expect(headings).toEqual([
      '4 violations',
      '1 advisory',
      'All requirements',
      'What this service does where the interface leaves it open',
      'What was covered',
      'The rate-limit window',
      'Response times',
      'Requests sent',
      'All requests in order',
    ]);
    expect({ requests, noises }).toEqual({ requests: [], noises: [] });
  });

  test('marks the deviation in the received value and in the exchange', async () => {
    const report = sample('broken');
    const name = 'X-RateLimit-Limit';
    const requirements = report.requirements.map((each) =>
      each.id === name ? { ...each, headers: [name] } : each,
    );
    const { page } = await open(browser, { ...report, requirements });
    const card = page.locator('.finding', { hasText: 'listPets.status' });
    expect(await card.locator('.side.received mark').allTextContents()).toEqual(['"status": "available"']);
    await card.locator('.exchange > summary').click();
    expect(await card.locator('.exchange mark').allTextContents()).toEqual(['"status": "available"']);
    const absent = page.locator('.finding', { hasText: name }).first();
    expect(await absent.locator('.exchange mark').textContent()).toBe(`${name}: absent`);
  });

  test('filters by status and by text, and folds', async () => {
    const { page } = await open(browser, sample('broken'));
    const rows = page.locator('.row:visible');
    await page.locator('.choice', { hasText: 'Violated' }).click();
    expect(await rows.count()).toBe(4);
    expect(await page.locator('[role=status]').textContent()).toBe('4 requirements shown');
    await page.locator('.choice', { hasText: 'All' }).click();
    await page.getByRole('searchbox').fill('retry-after');
    expect(await page.locator('.row:visible', { hasText: /retry-after/i }).count()).toBe(await rows.count());
    await page.getByRole('searchbox').fill('no requirement has this in it');
    expect(await rows.count()).toBe(0);
    await page.getByRole('searchbox').fill('');
    const fold = page.locator('.fold');
    if ((await fold.textContent()) === 'Unfold all') await fold.click();
    expect(await rows.count()).toBe(sample('broken').requirements.length);
    await fold.click();
    expect(await rows.count()).toBe(0);
  });

  test('says when nothing matches, searches requests too, and its address remembers the filter', async () => {
    const { page } = await open(browser, sample('broken'));
    await page.getByRole('searchbox').fill('no requirement has this in it');
    expect(await page.locator('.no-match').isVisible()).toBe(true);
    await page.locator('.all').click();
    expect(await page.locator('.no-match').isVisible()).toBe(false);
    await page.getByRole('searchbox').fill('listPets:limit=below');
    expect(await page.locator('.ledger > li:visible').count()).toBe(1);
    expect(await page.locator('[role=status]').textContent()).toMatch(/, and 1 request$/);
    await page.getByRole('searchbox').fill('');
    await page.locator('.choice', { hasText: 'Violated' }).click();
    await page.goto(await page.evaluate('location.href'));
    expect(await page.locator('.row:visible').count()).toBe(4);
  });

  test('links to a requirement by its id, and from a section to its requirements', async () => {
    const { page } = await open(browser, sample('broken'));
    await page.goto(`${page.url()}#r-listPets.limit`);
    await expect.poll(() => page.locator('[id="r-listPets.limit"]').isVisible()).toBe(true);
    await page.locator('.sections > summary').click();
    await page.locator('.matrix a', { hasText: 'Errors' }).click();
    await expect.poll(() => page.locator('.section:target').textContent()).toContain('Errors');
  });

  test('copies a finding as an issue', async () => {
    const { page } = await open(browser, sample('broken'), {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const button = page.locator('.finding', { hasText: 'listPets.status' }).locator('.actions .copy');
    await button.click();
    await expect.poll(() => button.textContent()).toBe('Copied');
    const issue = await page.evaluate('navigator.clipboard.readText()');
    expect(issue).toMatch(/^#### `listPets\.status`\n[\s\S]*```sh\ncurl -i [\s\S]*\n```/);
  });

  test('selects a finding as an issue where the page has no clipboard', async () => {
    const { page } = await open(browser, sample('broken'));
    await page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
    const finding = page.locator('.finding', { hasText: 'listPets.status' });
    await finding.locator('.actions .copy').click();
    await expect
      .poll(() => page.evaluate('getSelection().toString()'))
      .toMatch(/^#### `listPets\.status`\n[\s\S]*```sh\ncurl -i /);
  });

  test('unfolds the target of a link', async () => {
    const { page } = await open(browser, sample('broken'));
    await page.locator('#observations a[href^="#x"]').first().click();
    await expect.poll(() => page.locator('#exchanges .exchange:target .pair').isVisible()).toBe(true);
  });

  test('copies a command', async () => {
    const { page } = await open(browser, sample('broken'), {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const button = page.locator('.copy').first();
    await button.click();
    await expect.poll(() => button.textContent()).toBe('Copied');
    const shown = await page.locator('.command code').first().textContent();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(shown);
  });

  test('can be used with only the keyboard', async () => {
    const { page } = await open(browser, sample('broken'));
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.className')).toBe('skip');
    const summary = page.locator('.exchange > summary').first();
    await summary.focus();
    await page.keyboard.press('Enter');
    expect(await page.locator('.exchange').first().getAttribute('open')).toBe('');
  });

  test('is complete without scripts', async () => {
    const { page } = await open(browser, sample('broken'), { javaScriptEnabled: false });
    expect(await page.locator('h1').textContent()).toBe('Non-conformant');
    expect(await page.locator('.finding:visible').count()).toBe(5);
    expect(await page.locator('.filter:visible, .copy:visible').count()).toBe(0);
    const section = page.locator('.section', { hasText: 'Unspecified resources' });
    expect(await section.locator('.row:visible').count()).toBe(0);
    await section.locator('summary').click();
    expect(await section.locator('.row:visible').count()).toBeGreaterThan(0);
  });

  test.each([
    { width: 1280, chart: '.chart.wide' },
    { width: 380, chart: '.chart.narrow' },
  ])('fits a width of $width and shows the chart of that size', async ({ width, chart }) => {
    const { page } = await open(browser, sample('broken'), { viewport: { width, height: 800 } });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    expect(await page.locator('.chart:visible').count()).toBe(2);
    expect(await page.locator(`${chart}:visible`).count()).toBe(2);
  });

  test('unfolds for printing, with and without scripts', async () => {
    for (const javaScriptEnabled of [true, false]) {
      const { page } = await open(browser, sample('broken'), { javaScriptEnabled });
      await page.emulateMedia({ media: 'print' });
      await page.pdf({ format: 'A4' });
      expect(await page.locator('.exchange .wire').first().isVisible()).toBe(true);
    }
  });

  test('shows how much a narrowed run covers, and looks different from a whole one', async () => {
    const { page } = await open(browser, narrowed());
    expect(await page.locator('h1').textContent()).toMatch(/^Conformant \d+ of 68 requirements judged$/);
    const part = await lookOf(page);
    const whole = await lookOf((await open(browser, sample('conformant'))).page);
    expect(part.size).toBeLessThan(whole.size);
    expect([part.color, part.ground]).not.toContain(whole.color);
    expect(part.ground).not.toBe(whole.ground);
  });

  test('starts with the root cause and folds its consequences', async () => {
    const { page } = await open(browser, rootCaused());
    expect(await page.locator('.root-cause .cause').textContent()).toBe(
      'Root cause: every operation returned 503 text/html',
    );
    const follows = page.locator('#violations .follows');
    expect(await follows.locator('.finding:visible').count()).toBe(0);
    await follows.locator('summary').first().click();
    expect(await follows.locator('.finding:visible').count()).toBe(3);
  });

  test('shows what an incomplete run did not test, and why', async () => {
    const { page } = await open(browser, incomplete());
    expect(await page.locator('h1').textContent()).toMatch(/^Incomplete \d+ of \d+ requirements judged$/);
    expect(await page.locator('.narrowed').textContent()).toContain('no --api-url');
    expect(await page.locator('.untested').textContent()).toContain('could not be reached any more');
  });
});

/** The look of the head of a page. */
async function lookOf(page: Page): Promise<{ size: number; color: string; ground: string }> {
  const style = (selector: string, property: string) =>
    page.evaluate(`getComputedStyle(document.querySelector('${selector}')).${property}`) as Promise<string>;
  return {
    size: Number.parseFloat(await style('h1', 'fontSize')),
    color: await style('h1', 'color'),
    ground: await style('.verdict', 'backgroundColor'),
  };
}
