import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { drawn } from '../nightly/sampled.ts';
import { accessibilityOf, launch, looksOf, open } from './browser.ts';
import { client, hostile, incomplete, narrowed, rootCaused, sample } from './reports.ts';

const REPORTS = {
  conformant: () => sample('conformant'),
  broken: () => sample('broken'),
  incomplete,
  narrowed,
  rootCaused,
  client,
  comparison: () => [sample('conformant'), sample('broken'), incomplete()],
  // A few requirements and the first requests: the others have the same markup.
  hostile: () => {
    const report = hostile();
    const requirements = [...drawn(report.requirements, 20, ({ id }) => id, 'accessibility')];
    return { ...report, requirements, exchanges: report.exchanges.slice(0, 12) };
  },
};

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

const NAMES = Object.keys(REPORTS) as (keyof typeof REPORTS)[];

describe.each(NAMES)('the page: %s', (name) => {
  test.each(looksOf(name))(
    'is clean under axe-core in $colorScheme at $width',
    async ({ colorScheme, width }) => {
      const { page } = await open(browser, REPORTS[name](), {
        colorScheme,
        viewport: { width, height: 900 },
      });
      // Of all requests the first three: the others have the same markup.
      await page.evaluate(
        'for (const each of document.querySelectorAll("details:not(.ledger .exchange), .ledger > li:nth-child(-n + 3) .exchange")) each.open = true',
      );
      const { violations, passed } = await accessibilityOf(page);
      expect(violations).toEqual([]);
      expect(passed).toBeGreaterThan(20);
    },
  );
});
