import { expect, test } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import type { Conducted } from '../../src/run/judge-outcome.ts';
import {
  changeOf,
  conductChanged,
  nameOf,
  optionsOfTrial,
  planOfTrial,
  subjects,
} from '../../src/selfcheck/selfcheck.ts';
import { sampled } from '../nightly/sampled.ts';

const contract = loadContract();

const wanted = sampled(subjects(), 12, nameOf, 'connections');

/** What a run found, and what it could not send. */
function found({ findings, rootCause, hints, unsent }: Conducted) {
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
  };
}

test.each(wanted.map((subject) => [changeOf(subject).id, subject] as const))(
  '%s: a run in memory finds what a run over sockets finds',
  async (_, subject) => {
    const plan = planOfTrial(contract, subject);
    // Which of several simultaneous requests arrives first depends on the connections.
    const options = { ...optionsOfTrial(subject), concurrency: 1 };
    const inMemory = await conductChanged(contract, plan, subject, options, 'memory');
    const overSockets = await conductChanged(contract, plan, subject, options, 'sockets');
    expect(found(inMemory)).toEqual(found(overSockets));
    // Whether a service closes a connection before the next request or while it is on its way depends on the moment.
    const isSentAgain = [inMemory, overSockets].some(({ exchanges }) =>
      exchanges.some((each) => each.isRepeated),
    );
    if (!isSentAgain) expect(inMemory.exchanges).toHaveLength(overSockets.exchanges.length);
  },
);
