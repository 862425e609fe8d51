// What it takes `petspec report` to judge a ledger again: of a run against the bundled reference with a limit so high that
// its exhaustion has so many exchanges, and that leaves none of them out. Usage: node bench/ledgers.js [exchanges...]
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadContract } from '../dist/src/contract/load.js';
import { VirtualClock } from '../dist/src/model/clock.js';
import { conductBundled } from '../dist/src/run/bundled.js';
import { LedgerKeeper } from '../dist/src/run/keep-ledger.js';
import { DEFAULT_OPTIONS } from '../dist/src/run/options.js';
import { makePlan } from '../dist/src/run/plan.js';
import { allChecks } from '../dist/suites/index.js';
import { once } from './figures.js';

const PETSPEC = join(import.meta.dirname, '..', 'bin', 'petspec.js');

/** Writes the ledger of a run with every exchange. A run itself leaves out what shows nothing new. */
export async function writeLedger(path, exchanges) {
  const contract = loadContract();
  const limits = { minute: exchanges, day: 10 * exchanges };
  const options = { ...DEFAULT_OPTIONS, plan: 'enterprise', limits };
  const plan = makePlan(contract, allChecks(contract), options);
  // All of them fit into a minute.
  const clock = new VirtualClock(Date.now(), 30_000 / exchanges);
  const ledger = new LedgerKeeper(contract, { path, run: 'bench' });
  const conducted = await conductBundled(contract, plan, options, {
    clock,
    onStart: (start) => ledger.begin(start),
    onExchange: (exchange) => ledger.keep(exchange),
  });
  ledger.end(conducted);
  ledger.close();
}

/** Seconds of wall and CPU, and the peak memory in MB. */
export async function judgedAgain(exchanges) {
  const folder = mkdtempSync(join(tmpdir(), 'petspec-bench-'));
  try {
    await writeLedger(join(folder, 'ledger.jsonl'), exchanges);
    return once([PETSPEC, 'report', folder, '--quiet']);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (process.argv[1] === import.meta.filename) {
  const counts = process.argv.slice(2).map(Number);
  for (const exchanges of counts.length > 0 ? counts : [1_000, 10_000, 100_000]) {
    const { wall, cpu, megabytes } = await judgedAgain(exchanges);
    process.stdout.write(
      `a ledger of ${exchanges} exchanges: ${wall.toFixed(1)} s, ${cpu.toFixed(1)} s of CPU, peak ${megabytes.toFixed(0)} MB\n`,
    );
  }
}
