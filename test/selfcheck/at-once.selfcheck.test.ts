import { expect, test } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import { variants } from '../../src/reference/variants/index.ts';
import { limiterVariants } from '../../src/reference/variants/limiter/limiter.ts';
import type { Variant } from '../../src/reference/variants/variant.ts';
import {
  compareWithCatalogue,
  conductChanged,
  optionsOfTrial,
  planOfTrial,
} from '../../src/selfcheck/selfcheck.ts';

const contract = loadContract();

/** The self-check tries every variant with four requests at once, and test/economy those of the limiter with others. */
const AT_ONCE = [1, 2, 16];

/** Its pages have gaps, but for the largest: what else a run sends may make it look as if they had none. */
const UNEVEN = 'pages-short-but-largest';

/** `npm test` tries one in sixty and the uneven pages, `npm run test:plans` all. */
const tried = variants
  .filter((each) => !limiterVariants.includes(each))
  .filter(({ id }, index) => process.env.PETSPEC_ALL_PLANS || id === UNEVEN || index % 60 === 0);

/** Whether a service is so slow that its windows end while they are used up: then a run may leave more of them untested. */
const isSlow = ({ id }: Variant) => id.startsWith('slow-');

test.each(
  tried.flatMap((variant) => AT_ONCE.map((concurrency) => [variant.id, concurrency, variant] as const)),
)('variant %s conforms with %i requests at once', async (_, concurrency, variant) => {
  const subject = { variant };
  const options = { ...optionsOfTrial(subject), concurrency };
  const run = await conductChanged(contract, planOfTrial(contract, subject), subject, options);
  const { violated, untested, rootCause } = compareWithCatalogue(contract, subject, run);
  const accused = mustsOf(violated);
  expect({ accused, rootCause, hints: run.hints }).toEqual({ accused: [], hints: [] });
  if (!isSlow(variant))
    expect(variant.untested ?? []).toEqual(expect.arrayContaining(mustsOf(Object.keys(untested))));
});

const mustsOf = (ids: readonly string[]) =>
  contract.requirements.filter(({ id, level }) => level === 'must' && ids.includes(id)).map(({ id }) => id);
