import { expect, test } from 'vitest';
import { loadContract } from '../src/contract/load.ts';
import type { Conducted } from '../src/run/judge-outcome.ts';
import {
  changeOf,
  conductChanged,
  optionsOfTrial,
  planOfTrial,
  subjects,
} from '../src/selfcheck/selfcheck.ts';

const contract = loadContract();

/** All on request (npm run test:connections); else one in 72. */
const wanted = subjects().filter((_, index) => process.env.PETSPEC_ALL_CONNECTIONS || index % 72 === 0);

/**
 * What a run found, and how much it sent. The order in which simultaneous requests arrive depends on the connections, and so
 * which of them a fault of every fifth response concerns, or which a limiter refuses.
 */
function found({ findings, rootCause, hints, exchanges, unsent }: Conducted) {
  return {
    findings: Object.fromEntries(
      Object.entries(findings).map(([id, { status, exercised, kind, untested, cause }]) => [
        id,
        { status, exercised, kind, untested, cause },
      ]),
    ),
    rootCause: rootCause?.statement,
    hints,
    unsent,
    sent: exchanges.length,
  };
}

test.each(wanted.map((subject) => [changeOf(subject).id, subject] as const))(
  '%s: a run in memory finds what a run over sockets finds',
  async (_, subject) => {
    const plan = planOfTrial(contract, subject);
    const options = optionsOfTrial(subject);
    const inMemory = await conductChanged(contract, plan, subject, options, 'memory');
    const overSockets = await conductChanged(contract, plan, subject, options, 'sockets');
    expect(found(inMemory)).toEqual(found(overSockets));
  },
);
