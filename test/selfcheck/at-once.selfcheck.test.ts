import { describe, expect, test } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import { faults } from '../../src/reference/faults/index.ts';
import { variants } from '../../src/reference/variants/index.ts';
import { limiterVariants } from '../../src/reference/variants/limiter/limiter.ts';
import type { Variant } from '../../src/reference/variants/variant.ts';
import { ofBundled } from '../../src/run/options.ts';
import { sharedPlans } from '../../src/run/plan.ts';
import {
  compareWithCatalogue,
  conductChanged,
  optionsOfTrial,
  type Subject,
} from '../../src/selfcheck/selfcheck.ts';
import { allChecks } from '../../suites/index.ts';
import { sampled } from '../nightly/sampled.ts';

const contract = loadContract();
const checks = allChecks(contract);
const planFor = sharedPlans();

/** Tries a change with bursts of at most so many requests. */
async function tried(subject: Subject, concurrency: number) {
  const options = ofBundled(contract.ratePlans, { ...optionsOfTrial(subject), concurrency });
  const run = await conductChanged(contract, planFor(contract, checks, options), subject, options);
  return { run, trial: compareWithCatalogue(contract, subject, run) };
}

/** The self-check has the largest bursts, and test/economy tries the variants of the limiter with others. */
const SIZES = [1, 2, 16];

/** Its pages have gaps, but for the largest: what else a run sends may make it look as if they had none. */
const UNEVEN = 'pages-short-but-largest';

const others = variants.filter((each) => !limiterVariants.includes(each));
const sample = new Set([
  ...sampled(others, 8, ({ id }) => id, 'bursts'),
  ...others.filter(({ id }) => id === UNEVEN),
]);

/** Whether a service is so slow that its windows end while they are used up: then a run may leave more of them untested. */
const isSlow = ({ id }: Variant) => id.startsWith('slow-');

test.each([...sample].flatMap((variant) => SIZES.map((size) => [variant.id, size, variant] as const)))(
  'variant %s conforms with bursts of %i',
  async (_, size, variant) => {
    const { run, trial } = await tried({ variant }, size);
    const accused = mustsOf(trial.violated);
    expect({ accused, rootCause: trial.rootCause, hints: run.hints }).toEqual({ accused: [], hints: [] });
    if (!isSlow(variant))
      expect(variant.untested ?? []).toEqual(expect.arrayContaining(mustsOf(Object.keys(trial.untested))));
  },
);

const mustsOf = (ids: readonly string[]) =>
  contract.requirements.filter(({ id, level }) => level === 'must' && ids.includes(id)).map(({ id }) => id);

describe('what only requests that go out together show', () => {
  const races = faults.filter(({ isRace }) => isRace).map((fault) => [fault.id, fault] as const);

  test.each(races)('%s is found by bursts of two and four, and not one at a time', async (_, fault) => {
    expect((await tried({ fault }, 1)).trial.violated).toEqual([]);
    for (const size of [2, 4]) {
      const { violated } = (await tried({ fault }, size)).trial;
      expect(violated.filter((id) => !fault.violates.includes(id))).toEqual([]);
      expect(violated).not.toEqual([]);
    }
  });
});
