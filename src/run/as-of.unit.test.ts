import { expect, test } from 'vitest';
import { variants } from '../reference/variants/index.ts';
import { conductBundled } from './bundled.ts';
import { interfaceOf } from './contract-of.ts';
import { DEFAULT_OPTIONS, ofBundled } from './options.ts';
import { makePlan } from './plan.ts';

const removed = variants.find(({ id }) => id === 'removed-410');

/** What is violated by a service that has removed GET /pets/{petId}, on some day, as of another. */
async function violatedOn(start: string, asOf?: string): Promise<string[]> {
  const { contract, checks } = await interfaceOf({ asOf });
  const options = ofBundled(contract.ratePlans, { ...DEFAULT_OPTIONS, frugal: true, asOf });
  const plan = makePlan(contract, checks, options);
  const { findings } = await conductBundled(contract, plan, options, {
    changes: removed ? [removed] : [],
    start: Date.parse(start),
  });
  return Object.entries(findings).flatMap(([id, { status }]) => (status === 'violated' ? id : []));
}

test.each([
  ['2026-11-28T12:00:00Z', undefined, ['getPet.200']],
  ['2026-11-28T12:00:00Z', '2030-12-05', []],
  ['2030-12-06T12:00:00Z', undefined, []],
  ['2030-12-06T12:00:00Z', '2029-01-01', ['getPet.200']],
])('an operation that is gone on %s, as of %s', async (start, asOf, violated) => {
  expect(await violatedOn(start, asOf)).toEqual(violated);
});
