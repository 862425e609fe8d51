import { expect, test } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import { isProblem } from '../../src/model/finding.ts';
import { variants } from '../../src/reference/variants/index.ts';
import { DEFAULT_OPTIONS, ofBundled } from '../../src/run/options.ts';
import { seedOf } from '../../src/run/plan/probes.ts';
import { makePlan } from '../../src/run/plan.ts';
import { conductChanged } from '../../src/selfcheck/selfcheck.ts';
import { allChecks } from '../../suites/index.ts';
import { sampled } from '../nightly/sampled.ts';

// The self-check ends at the recovery, where a default run goes on with what it has not sent.
const contract = loadContract();
const options = ofBundled(contract.ratePlans, { ...DEFAULT_OPTIONS, seed: seedOf(contract) });
const plan = makePlan(contract, allChecks(contract), options);

test.each(sampled(variants, 16, ({ id }) => id, 'variants of default runs'))(
  '$id conforms by a default run',
  async (variant) => {
    const { findings } = await conductChanged(contract, plan, { variant }, options);
    expect(Object.entries(findings).filter(([, finding]) => isProblem(finding))).toEqual([]);
  },
);
