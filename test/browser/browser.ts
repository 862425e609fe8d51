import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AxeResults } from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import type { Report } from '../../src/model/report/report.ts';
import { compareReports } from '../../src/report/compare/compare.ts';
import { renderCompareHtml } from '../../src/report/compare/compare-html.ts';
import { renderHtml } from '../../src/report/html/index.ts';
import { sampled } from '../nightly/sampled.ts';

/** Debian's Chromium, or the one in the variable CHROMIUM. */
export function launch(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe-core finds on a page, and how many of its rules passed. */
export async function accessibilityOf(page: Page) {
  await page.evaluate(AXE);
  const { violations, passes } = (await page.evaluate(
    'axe.run(document, { resultTypes: ["violations"] })',
  )) as AxeResults;
  return {
    violations: violations.map(({ id, nodes }) => ({ id, where: nodes.slice(0, 3).map(({ html }) => html) })),
    passed: passes.length,
  };
}

const ALL_LOOKS = [
  { colorScheme: 'light', width: 1280 },
  { colorScheme: 'dark', width: 390 },
  { colorScheme: 'light', width: 390 },
  { colorScheme: 'dark', width: 1280 },
] as const;

/** The looks in which a page is tried: each color scheme at each width at night, else one of them. */
export function looksOf(page: string) {
  return sampled(ALL_LOOKS, 1, (look) => JSON.stringify(look), page);
}

/** A page, and what it tried to do. */
export interface Opened {
  page: Page;
  /** Requested addresses. */
  requests: string[];
  /** Errors, console messages (such as policy violations), and dialogs. */
  noises: string[];
}

/**
 * Opens an address until the test ends.
 * @param isCounted whether a request to this address is one of the requests of the page
 */
export async function openAddress(
  browser: Browser,
  address: string,
  options: BrowserContextOptions = {},
  isCounted: (url: string) => boolean = () => true,
): Promise<Opened> {
  const context = await browser.newContext(options);
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const requests: string[] = [];
  const noises: string[] = [];
  page.on('request', (request) => {
    if (isCounted(request.url())) requests.push(request.url());
  });
  page.on('pageerror', (error) => noises.push(error.message));
  page.on('console', (message) => noises.push(message.text()));
  page.on('dialog', async (dialog) => {
    noises.push(dialog.message());
    await dialog.dismiss();
  });
  await page.goto(address);
  return { page, requests, noises };
}

/** Opens the page of a report, or of several compared. Its own address is not among its requests. */
export async function open(
  browser: Browser,
  shown: Report | readonly Report[],
  options: BrowserContextOptions = {},
): Promise<Opened> {
  const folder = mkdtempSync(join(tmpdir(), 'petspec-page-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'report.html');
  writeFileSync(file, isSeveral(shown) ? comparisonOf(shown) : renderHtml(shown));
  const address = pathToFileURL(file).href;
  return openAddress(browser, address, options, (url) => url.split('#')[0] !== address);
}

function isSeveral(shown: Report | readonly Report[]): shown is readonly Report[] {
  return Array.isArray(shown);
}

function comparisonOf(reports: readonly Report[]): string {
  const runs = reports.map((report, index) => ({
    name: `target-${index + 1}`,
    folder: `${index + 1}`,
    report,
  }));
  return renderCompareHtml(compareReports(runs, 'side-by-side'));
}
