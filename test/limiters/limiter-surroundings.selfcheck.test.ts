import { describe, expect, test } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import { limiterFaults } from '../../src/reference/faults/limiter/limiter.ts';
import { variants } from '../../src/reference/variants/index.ts';
import { limiterVariants } from '../../src/reference/variants/limiter/limiter.ts';
import type { Variant } from '../../src/reference/variants/variant.ts';
import { DEFAULT_OPTIONS, ofBundled } from '../../src/run/options.ts';
import { makePlan } from '../../src/run/plan.ts';
import {
  changeOf,
  compareWithCatalogue,
  conductChanged,
  nameOf,
  type Subject,
} from '../../src/selfcheck/selfcheck.ts';
import { allChecks } from '../../suites/index.ts';
import { sampled } from '../nightly/sampled.ts';
import { isKeyShared } from '../secrets/shared-key.ts';
import { tryPair } from '../selfcheck/pairs.ts';

const contract = loadContract();
const checks = allChecks(contract);

const SUBJECTS: readonly Subject[] = [
  // Some faults show only in more than one window.
  ...limiterFaults.filter(({ budget }) => budget === undefined).map((fault) => ({ fault })),
  ...limiterVariants.map((variant) => ({ variant })),
];

/** Which requirement is violated in place of the one of the catalogue. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  // Requests of one operation are too far apart to see that Remaining does not fall, and the refusal shows it.
  'remaining-is-limit-less-one, 1 at a time': 'rate-limit.early',
};

/** One request at a time takes long enough for the cache to ask again, so that the limit is used up. */
const TESTED_WHOLE = new Set(['cached-lists-briefly, 1 at a time']);

describe.each([1, 16])('%i requests at a time', (concurrency) => {
  const options = ofBundled(contract.ratePlans, { ...DEFAULT_OPTIONS, concurrency });
  const plan = makePlan(contract, checks, options);

  const tried = sampled(SUBJECTS, 12, nameOf, `limiters, ${concurrency} at a time`);

  test.each(tried.map((subject) => [changeOf(subject).id, subject] as const))(
    '%s is judged as the catalogue says',
    async (id, subject) => {
      const run = await conductChanged(contract, plan, subject, options);
      expect(
        compareWithCatalogue(contract, expectedOf(subject, `${id}, ${concurrency} at a time`), run).problems,
      ).toEqual([]);
    },
  );
});

/** What such a run is expected to show of a subject. */
function expectedOf(subject: Subject, name: string): Subject {
  const elsewhere = ELSEWHERE[name];
  if ('fault' in subject) return elsewhere ? { fault: { ...subject.fault, violates: [elsewhere] } } : subject;
  return TESTED_WHOLE.has(name) ? { variant: { ...subject.variant, untested: [] } } : subject;
}

/** What changes nothing about a limiter: a slow service, a clock that is off, other users of the key. */
const SURROUNDINGS = variants.filter(({ id }) =>
  [
    'slow-now-and-then',
    'overtaking',
    'clock-ahead',
    'clock-behind',
    'shared-key-by-request',
    'shared-key-by-second',
  ].includes(id),
);

/** Where Date has a clock of its own and the service another one that is off, Reset is wrong by every clock that a client sees. */
const isWrongByEachClock = (variant: Variant, surrounding: Variant) =>
  variant.id.startsWith('date-') && surrounding.id.startsWith('clock-');

const pairs = limiterVariants.flatMap((variant) =>
  SURROUNDINGS.filter((each) => each !== variant && !isWrongByEachClock(variant, each)).map(
    (surrounding) => [variant.id, surrounding.id, variant, surrounding] as const,
  ),
);

const plan = makePlan(contract, checks, DEFAULT_OPTIONS);

test.each(sampled(pairs, 24, ([one, other]) => `${one}, ${other}`, 'limiters with surroundings'))(
  '%s conforms, with %s',
  async (one, other, variant, surrounding) => {
    const options = { ...DEFAULT_OPTIONS, sharedKey: isKeyShared(one) || isKeyShared(other) };
    expect(await tryPair(contract, plan, [{ variant }, { variant: surrounding }], options)).toEqual([]);
  },
);
