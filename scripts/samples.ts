/**
 * Writes the sample reports, what the terminal shows of one (`docs/terminal.svg`), and pictures of their pages:
 * `node dist/scripts/samples.js`. The pictures of pages need Debian's chromium; `--no-pictures` leaves them out.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import wrapAnsi from 'wrap-ansi';
import { loadContract } from '../src/contract/load.ts';
import { isProblem } from '../src/model/finding.ts';
import { packageRoot } from '../src/model/package-root.ts';
import type { Report } from '../src/model/report/report.ts';
import { faults } from '../src/reference/faults/index.ts';
import type { Change } from '../src/reference/index.ts';
import { assemble } from '../src/report/assemble/assemble.ts';
import { renderHtml } from '../src/report/html/index.ts';
import { renderInterface, renderStart } from '../src/report/text/announcement.ts';
import { styleOf } from '../src/report/text/style.ts';
import { renderReport } from '../src/report/text/terminal.ts';
import { conductBundled } from '../src/run/bundled.ts';
import { recordOf } from '../src/run/job.ts';
import { DEFAULT_OPTIONS } from '../src/run/options.ts';
import { makePlan } from '../src/run/plan.ts';
import { allChecks } from '../suites/index.ts';
import { COLUMNS, pictureOf } from './terminal-picture.ts';

const SAMPLES = join(packageRoot, 'reports', 'samples');
const START = Date.parse('2026-09-01T09:00:00Z');

/** One request at a time, so that the samples are the same each time, except for random ids. */
const OPTIONS = { ...DEFAULT_OPTIONS, concurrency: 1 };

/** Faults of several sections, and one that only causes an advisory. */
const BROKEN = [
  'list-status-sold-all',
  'create-name-no-tags',
  'create-status-null',
  'header-limit-missing-401',
  'retry-after-rfc850',
];

/** Cuts bodies that no violation needs, to keep the samples readable. */
const MAX_BODY = 240;

/** ms: time of an operation, which varies. */
const LATENCY: Readonly<Record<string, number>> = {
  listPets: 38,
  createPet: 74,
  getPet: 21,
  getStoreOrders: 46,
  sendMessage: 118,
};
const unhurried: Change = {
  around: async (call, next) => {
    await call.pause((LATENCY[call.operation ?? ''] ?? 20) + ((call.number * 37) % 29));
    return next(call);
  },
};

for (const [name, ids] of [
  ['conformant', []],
  ['broken', BROKEN],
] as const) {
  const folder = join(SAMPLES, name);
  const report = sampleOf(await run(ids));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'report.json'), `${JSON.stringify(report, null, 2)}\n`);
  writeFileSync(join(folder, 'report.html'), renderHtml(report));
  if (!process.argv.includes('--no-pictures'))
    await picture(join(folder, 'report.html'), join(SAMPLES, `${name}.png`));
  console.log(`${name}: ${report.verdict}, ${report.because}`);
}

writeFileSync(join(packageRoot, 'docs', 'terminal.svg'), pictureOf(await terminalOf(['list-default-25'])));

/** What the terminal shows of a run against a reference with faults. */
async function terminalOf(ids: readonly string[]): Promise<string> {
  const contract = loadContract();
  const options = {
    ...DEFAULT_OPTIONS,
    baseUrl: 'http://127.0.0.1:8080/v1',
    apiUrl: 'http://127.0.0.1:8081',
    plan: 'free',
  };
  const plan = makePlan(contract, allChecks(contract), options);
  const page = { style: styleOf({ isTTY: true }, {}), width: COLUMNS, detail: 'usual' as const, seconds: 47 };
  const start = `${renderInterface(contract)}${renderStart(contract, plan, options)}`;
  const command = '$ npx petspec run http://127.0.0.1:8080/v1 --api-url http://127.0.0.1:8081 --plan free';
  const wrapped = wrapAnsi(start, COLUMNS, { hard: true });
  const shown = `${command}\n${wrapped}\n${renderReport(sampleOf(await run(ids)), page)}`;
  // A terminal breaks what is longer than a line, such as a command that can be copied.
  return wrapAnsi(shown, COLUMNS, { hard: true, trim: false, wordWrap: false });
}

async function run(ids: readonly string[]): Promise<Report> {
  const unknown = ids.filter((id) => !faults.some((fault) => fault.id === id));
  if (unknown.length > 0) throw new Error(`no such fault: ${unknown.join(', ')}`);
  const contract = loadContract();
  const checks = allChecks(contract);
  const plan = makePlan(contract, checks, OPTIONS);
  const changes = [unhurried, ...faults.filter(({ id }) => ids.includes(id))];
  const conducted = await conductBundled(contract, plan, OPTIONS, { changes, start: START });
  const record = recordOf(contract, checks, plan, { options: OPTIONS }, conducted);
  return assemble({ contract, checks }, record, conducted.exchanges, plan);
}

/** A report without what differs between machines (ports), and bounded. It stands for a service, whose time is real. */
function sampleOf({ virtualTime: _, ...report }: Report): Report {
  const shown = new Set(report.requirements.filter(isProblem).map(({ evidence }) => evidence[0]));
  const exchanges = report.exchanges.map((exchange) => {
    const { id, response } = exchange;
    if (!response || shown.has(id) || response.body.length <= MAX_BODY) return exchange;
    const cut = response.cut ?? response.body.length;
    return { ...exchange, response: { ...response, body: response.body.slice(0, MAX_BODY), cut } };
  });
  const { baseUrl, apiUrl } = report.target;
  const text = JSON.stringify({ ...report, exchanges })
    .replaceAll(new URL(baseUrl).origin, 'http://127.0.0.1:8080')
    .replaceAll(apiUrl ?? '', 'http://127.0.0.1:8081');
  return JSON.parse(text) as Report;
}

/** The first screen of a page. */
async function picture(page: string, file: string): Promise<void> {
  const { chromium } = await import('playwright-core');
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  });
  try {
    const tab = await browser.newPage({ viewport: { width: 1280, height: 1500 }, colorScheme: 'light' });
    await tab.goto(pathToFileURL(page).href);
    await tab.screenshot({ path: file });
  } finally {
    await browser.close();
  }
}
