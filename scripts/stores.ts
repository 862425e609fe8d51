/**
 * Judges the stores of examples/ that were written from the interface alone, and every fault that was planted in them:
 * `node dist/scripts/stores.js [--plan free|pro|business] [--frugal] [--jobs 3] [--write] [store or fault...]`. It needs their
 * Debian packages. `--write` keeps what was found in test/real/stores/found.jsonl, and writes the table of docs/trust.md.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pLimit from 'p-limit';
import { packageRoot } from '../src/model/package-root.ts';
import {
  type Found,
  foundIn,
  keyOf,
  outcomeOf,
  RUNS,
  readFound,
  writeFound,
} from '../test/real/stores/found.ts';
import { faultsOf, judged, STORES } from '../test/real/stores/stores.ts';
import { withStores } from '../test/real/stores/table.ts';

const PAGE = join(packageRoot, 'docs', 'trust.md');
const { values, positionals } = parseArgs({
  options: {
    plan: { type: 'string', default: 'free' },
    frugal: { type: 'boolean', default: false },
    jobs: { type: 'string', default: '3' },
    write: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const run = RUNS.find(({ plan, frugal }) => plan === values.plan && frugal === values.frugal);
if (!run) throw new Error(`unknown plan '${values.plan}'; expected free, pro or business`);
const atOnce = pLimit(Number(values.jobs));
const wanted = (...names: string[]) =>
  positionals.length === 0 || names.some((name) => positionals.includes(name));
const found = readFound();

/** Each store as it is, and with each fault. */
const cases = STORES.flatMap((store) =>
  [undefined, ...faultsOf(store)]
    .filter((fault) => wanted(store.name, fault?.id ?? 'none'))
    .map((fault) => ({ store, fault })),
);
await Promise.all(
  cases.map(({ store, fault }) =>
    atOnce(async () => {
      const one: Found = foundIn(store, fault, await judged(store, fault, run), run);
      found.set(keyOf(one.store, one.fault, run), one);
      const { verdict, violated, seconds } = one;
      const outcome = fault ? outcomeOf(fault, one) : verdict;
      process.stdout.write(
        `${store.name} ${one.fault}: ${outcome} (${[verdict, ...violated].join(', ')}; ${seconds} s)\n`,
      );
      if (values.write) writeFound(found);
    }),
  ),
);
if (values.write) writeFileSync(PAGE, withStores(readFileSync(PAGE, 'utf8'), found));
