import { loadContract } from '../../src/contract/load.ts';
import type { Exchange } from '../../src/model/exchange.ts';
import type { Report } from '../../src/model/report/report.ts';
import { faults } from '../../src/reference/faults/index.ts';
import { assemble } from '../../src/report/assemble/assemble.ts';
import { conductBundled } from '../../src/run/bundled.ts';
import { recordOf } from '../../src/run/job.ts';
import { LedgerKeeper } from '../../src/run/keep-ledger.ts';
import { DEFAULT_OPTIONS, ofBundled, type RunOptions } from '../../src/run/options.ts';
import { makePlan } from '../../src/run/plan.ts';
import { allChecks } from '../../suites/index.ts';

export const contract = loadContract();
export const checks = allChecks(contract);

/** How a run for a test goes. */
export interface Sample {
  options?: Partial<RunOptions>;
  /** Ids of faults that the reference has. */
  faults?: readonly string[];
  /** Interrupted as by Ctrl-C once this many exchanges are there. */
  interruptAfter?: number;
  /** Where its ledger is written. */
  ledger?: string;
}

/** What a run found. */
interface SampleRun {
  report: Report;
  exchanges: readonly Exchange[];
}

const runs = new Map<string, Promise<SampleRun>>();

/**
 * Real runs against the bundled reference, in virtual time. Tests share a run that leaves nothing on disk: nobody can
 * change it.
 */
export function sampleRun(sample: Sample = {}): Promise<SampleRun> {
  if (sample.ledger !== undefined) return newRun(sample);
  const name = JSON.stringify(sample);
  const known = runs.get(name) ?? newRun(sample).then(frozen);
  runs.set(name, known);
  return known;
}

/** The value, which nobody can change any more. */
function frozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const each of Object.values(value)) frozen(each);
  return value;
}

async function newRun(sample: Sample): Promise<SampleRun> {
  const options = ofBundled(contract.ratePlans, { ...DEFAULT_OPTIONS, frugal: true, ...sample.options });
  const plan = makePlan(contract, checks, options);
  const interruption = new AbortController();
  const ledger = new LedgerKeeper(contract, { path: sample.ledger, run: 'a-run-of-a-test' });
  let seen = 0;
  const conducted = await conductBundled(contract, plan, options, {
    changes: (sample.faults ?? []).map(faultNamed),
    signal: interruption.signal,
    onStart: (start) => ledger.begin(start),
    onKept: (exchange) => ledger.keep(exchange),
    onExchange() {
      seen += 1;
      if (seen === sample.interruptAfter) interruption.abort();
    },
  });
  ledger.end(conducted);
  ledger.close();
  const record = recordOf(contract, checks, plan, { options }, conducted);
  return {
    report: assemble({ contract, checks }, record, conducted.exchanges, plan),
    exchanges: conducted.exchanges,
  };
}

function faultNamed(id: string) {
  const fault = faults.find((each) => each.id === id);
  if (!fault) throw new Error(`there is no fault ${id}`);
  return fault;
}
