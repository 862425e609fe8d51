import type { Clock } from '../../model/clock.ts';
import type { Contract, Operation } from '../../model/contract.ts';
import type { Exchange } from '../../model/exchange.ts';
import { operationsById } from '../../model/large/lookups.ts';
import type { RequestCounts } from '../../model/limits/request-counts.ts';
import type { Probe } from '../../model/probe.ts';
import { Learnt } from '../learnt/learnt.ts';
import type { Destination, Pace } from '../pace/pace.ts';
import { type Budget, countsAs, keptAfterRecovery, openBudget } from '../terms/budget.ts';
import { EndOfRun } from '../terms/end-of-run.ts';
import { Transports } from '../terms/transports.ts';
import type { SessionOptions } from '../terms/types.ts';
import { Sender, UnsentProbes } from './sender.ts';
import { Shrinking } from './shrinking.ts';

/** The parts of a session, each for one purpose. A function of the session names those that it needs. */
export interface Parts {
  options: SessionOptions;
  clock: Clock;
  operations: readonly Operation[];
  end: EndOfRun;
  budget: Budget;
  transports: Transports;
  learnt: Learnt;
  pace: Pace;
  unsent: UnsentProbes;
  sender: Sender;
  shrinking: Shrinking;
  /** The requirements that an exchange violates by itself, or together with earlier ones. A refusal by the limit violates none. */
  violatedBy: (exchange: Exchange) => readonly string[];
}

/** Makes the parts of a session. They go on from where the restored exchanges of the run end. */
export function openParts(contract: Contract, options: SessionOptions): Parts {
  const { clock, generate = () => undefined } = options;
  const end = new EndOfRun(options);
  const budget = openBudget(options.most, reserveOf(options));
  const transports = new Transports(options, end.deadline);
  const learnt = new Learnt(contract, options);
  const unsent = new UnsentProbes();
  const sender = new Sender(contract, options, { end, budget, transports, learnt, unsent });
  const violatedBy = (exchange: Exchange) =>
    exchange.response?.status === 429
      ? []
      : (options.violatedBy?.(exchange, learnt.of, learnt.values.areReferencesKnown()) ?? []);
  for (const exchange of options.restored ?? []) {
    learnt.restore(exchange);
    const item = countsAs(exchange.address, exchange.key);
    budget.spend(item);
    if (exchange.isRepeated) budget.spend(item);
  }
  return {
    options,
    clock,
    operations: contract.operations,
    end,
    budget,
    transports,
    learnt,
    pace: learnt.pace,
    unsent,
    sender,
    shrinking: new Shrinking(generate, violatedBy),
    violatedBy,
  };
}

/** The requests that are reserved for the time after the recovery. */
function reserveOf({ confirming, afterRecovery }: SessionOptions): RequestCounts | undefined {
  const most = confirming?.most;
  if (!most || !afterRecovery) return most;
  return keptAfterRecovery(most, { withKey: afterRecovery.most, wrongKeys: afterRecovery.mostWrongKeys });
}

export function destinationOf({ operation }: Probe, { operations }: Pick<Parts, 'operations'>): Destination {
  return { operation, address: operationsById(operations).get(operation)?.address ?? 'baseUrl' };
}
