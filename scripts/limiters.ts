/**
 * The honest limiter that explains each limiter of the reference, or the nearest and what excludes it, for docs/design/limiters.md:
 * `node dist/scripts/limiters.js [--write]`. `--write` writes the tables, without it they are printed.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { group } from 'd3-array';
import { loadContract } from '../src/contract/load.ts';
import type { Exchange } from '../src/model/exchange.ts';
import { isProblem } from '../src/model/finding.ts';
import { packageRoot } from '../src/model/package-root.ts';
import type { LimiterExclusion, LimiterResult } from '../src/model/report/limiter.ts';
import { limiterFaults } from '../src/reference/faults/index.ts';
import { limiterVariants } from '../src/reference/variants/index.ts';
import type { Conducted } from '../src/run/judging/judge-outcome.ts';
import { changeOf, conductChanged, idsWith, planOfTrial, type Subject } from '../src/selfcheck/selfcheck.ts';

const FILE = join(packageRoot, 'docs', 'design', 'limiters.md');

/** The tables by name. What conforms is excluded by nothing, so that its table needs one column less. */
const TABLES: Readonly<Record<string, { columns: readonly string[]; subjects: readonly Subject[] }>> = {
  variants: {
    columns: ['variant', 'what it does', 'explained by'],
    subjects: limiterVariants.map((variant) => ({ variant })),
  },
  faults: {
    columns: ['fault', 'what it does', 'explained by, or nearest to', 'what excludes it'],
    subjects: limiterFaults.map((fault) => ({ fault })),
  },
};

/** The text of docs/design/limiters.md, with tables made from runs against each limiter of the reference. */
async function withTables(): Promise<string> {
  const contract = loadContract();
  let made = readFileSync(FILE, 'utf8');
  for (const [name, { columns, subjects }] of Object.entries(TABLES)) {
    const rows: string[] = [];
    for (const subject of subjects)
      rows.push(rowOf(subject, await conductChanged(contract, planOfTrial(contract, subject), subject)));
    const between = new RegExp(`(<!-- ${name} -->\\n\\n)[\\s\\S]*?(<!-- /${name} -->)`);
    const head = [`| ${columns.join(' | ')} |`, `|${'---|'.repeat(columns.length)}`];
    made = made.replace(between, (_, start, end) => `${start}${[...head, ...rows].join('\n')}\n\n${end}`);
  }
  return made;
}

/** A limiter of the reference, as a row. */
export function rowOf(subject: Subject, run: Conducted): string {
  const { id, summary } = changeOf(subject);
  const excluded = run.limiters.find(({ excludedBy }) => excludedBy);
  const cells = excluded ? [excluded.model, exclusionOf(excluded, run)] : explanationOf(run);
  const last = 'fault' in subject ? cells : [cells.filter((each) => each !== '').join('; ')];
  const safe = [summary, ...last].map((each) => each.replaceAll('|', '\\|'));
  return `| \`${id}\` | ${safe.join(' | ')} |`;
}

/** The limiters that explain a run, and what else is wrong with it. */
function explanationOf(run: Conducted): [limiters: string, others: string] {
  const found = idsWith(run, isProblem);
  const others = found.length > 0 ? `nothing; found by ${found.map((id) => `\`${id}\``).join(', ')}` : '';
  const models = [...group(run.limiters, ({ model }) => model)];
  const names = models.map(([model, [first]]) => {
    const isOfOne = models.length > 1 && first?.operation !== undefined;
    return isOfOne ? `${model} for \`${first.operation}\`` : model;
  });
  return [names.join('; ') || 'no response states Remaining', others];
}

function exclusionOf({ excludedBy }: LimiterResult, { exchanges }: Conducted): string {
  const exchange = exchanges.find(({ id }) => id === excludedBy?.exchange);
  if (!excludedBy || !exchange) return '';
  const { remaining = 'absent' } = exchange.rate;
  const received = `\`${exchange.operation}\` gets ${exchange.response?.status ?? 'no response'}, Remaining ${remaining}`;
  return `${received}; expected ${expectedOf(excludedBy, exchange)}`;
}

function expectedOf({ kind, from, to }: LimiterExclusion, { rate }: Exchange): string {
  const range = from === to ? String(from) : `${from} to ${to}`;
  switch (kind) {
    case 'let-through':
      return `429: ${range} left`;
    case 'refused':
      return `no 429: ${range} left`;
    case 'remaining':
      return range;
    case 'reset':
      return (rate.reset ?? 0) > to ? 'an earlier Reset' : 'a later Reset';
  }
}

if (process.argv[1]?.endsWith('limiters.js') ?? false) {
  const text = await withTables();
  if (process.argv.includes('--write')) writeFileSync(FILE, text);
  else process.stdout.write(text);
}
