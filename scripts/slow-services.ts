/**
 * What a run does with services that take their time, and with windows of other lengths: `node dist/scripts/slow-services.js [--write]`.
 * It fails if an honest limiter is accused. With `--write` it writes the tables of docs/design/limiters.md and docs/requests.md.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isProblem } from '../src/model/finding.ts';
import { packageRoot } from '../src/model/package-root.ts';
import { delayed } from '../src/reference/changes/wire-changes.ts';
import { PLANS, type PlanName } from '../src/reference/settings.ts';
import { DEFAULT_OPTIONS } from '../src/run/options.ts';
import { idsWith } from '../src/selfcheck/selfcheck.ts';
import { type LoggedRun, loggedRun } from '../test/economy/logged-run.ts';
import { ALGORITHMS, type LimiterCell } from '../test/matrix/cells.ts';
import { runOf } from '../test/matrix/run-cell.ts';

/** A run with the default size of bursts, against the reference and its limiter, for which nothing else is unusual. */
const PLAIN: LimiterCell = {
  plan: 'free',
  size: DEFAULT_OPTIONS.concurrency,
  latency: 0,
  clockSkew: 0,
  connections: 'memory',
  seed: 0,
  algorithm: 'fixed-window',
  window: 60,
  counted: 'each address',
  others: 'nobody',
  describes: 'minute',
  resetMeans: 'full',
  rounding: 'up',
  retryAfter: 'seconds',
  beside: 'nothing',
};

/** @throws Error if the service is accused of anything */
function unaccused(what: string, run: LoggedRun): LoggedRun {
  const violated = idsWith(run, isProblem);
  if (violated.length > 0) throw new Error(`${what}: ${violated.join(', ')} is reported`);
  return run;
}

const isLimitSeen = ({ findings }: LoggedRun) => findings.TooManyRequests?.status === 'met';

/** A table with a row for each of some values, and a column for each of others. */
async function tableOf<Row, Column>(
  [rows, nameOf]: [readonly Row[], (row: Row) => string],
  [columns, headOf]: [readonly Column[], (column: Column) => string],
  [corner, cellOf]: [string, (row: Row, column: Column) => Promise<string>],
): Promise<string> {
  const lines = [
    `| ${[corner, ...columns.map(headOf)].join(' | ')} |`,
    `|${'---|'.repeat(columns.length + 1)}`,
  ];
  for (const row of rows) {
    const cells = [nameOf(row)];
    for (const column of columns) cells.push(await cellOf(row, column));
    lines.push(`| ${cells.join(' | ')} |`);
  }
  return lines.join('\n');
}

const milliseconds = (latency: number) => `${latency.toLocaleString('en')} ms`;

/** With how many of the limiters a run sees that the limit holds. */
async function seenOf(window: number, latency: number): Promise<string> {
  let seen = 0;
  for (const algorithm of ALGORITHMS) {
    const run = await runOf({ ...PLAIN, algorithm, window, latency });
    if (isLimitSeen(unaccused(`${algorithm}, ${window} s, ${latency} ms`, run))) seen += 1;
  }
  return `${seen} of ${ALGORITHMS.length}`;
}

/** How long a whole run takes, and the requests with the key. */
async function lengthOf(plan: PlanName, latency: number): Promise<string> {
  const changes = latency > 0 ? [delayed({}, latency)] : [];
  const run = await loggedRun({ plan: PLANS[plan], changes, options: { plan, frugal: false } });
  const { exchanges, startedAt, finishedAt } = unaccused(`${plan}, ${latency} ms`, run);
  const withKey = exchanges.filter(({ key, address }) => key === 'valid' && address === 'baseUrl');
  const seconds = Math.round((finishedAt - startedAt) / 1_000);
  return `${seconds} s, ${withKey.length}${isLimitSeen(run) ? '' : ', the limit not seen'}`;
}

const made = {
  'docs/requests.md': {
    times: await tableOf(
      [['free', 'pro', 'business'] as const, (plan) => plan.replace(/^./, (letter) => letter.toUpperCase())],
      [[0, 50, 300, 1_000], milliseconds],
      ['plan', lengthOf],
    ),
  },
  'docs/design/limiters.md': {
    reached: await tableOf(
      [[2, 3, 5, 10, 20, 30, 60], (window) => `${window} s`],
      [[0, 50, 300, 1_000, 3_000], milliseconds],
      ['window', seenOf],
    ),
  },
};
for (const [file, tables] of Object.entries(made))
  for (const [name, table] of Object.entries(tables)) {
    console.log(table);
    if (!process.argv.includes('--write')) continue;
    const path = join(packageRoot, file);
    const between = new RegExp(`(<!-- ${name} -->\\n\\n)[\\s\\S]*?(\\n\\n<!-- /${name} -->)`);
    const text = readFileSync(path, 'utf8');
    writeFileSync(
      path,
      text.replace(between, (_, start, end) => `${start}${table}${end}`),
    );
  }
