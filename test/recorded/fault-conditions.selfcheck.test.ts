import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { packageVersion } from '../../src/model/package-root.ts';
import { faults } from '../../src/reference/faults/index.ts';
import { shippedProof } from '../../src/selfcheck/proof.ts';
import { FAULT_INDEX, faultConditions } from '../../src/selfcheck/sensitivity/fault-index.ts';
import { isNightly, sampled } from '../nightly/sampled.ts';
import { minedText } from './mined-conditions.ts';
import { compareNarrowed, NARROWED } from './narrowed-runs.ts';
import { recordedProof } from './recorded-proof.ts';

test('spec/fault-conditions.json is that of the recordings (npm run build && node dist/scripts/fault-conditions.js)', () => {
  const text = readFileSync(FAULT_INDEX, 'utf8');
  expect(text).toBe(minedText());
  expect(text.length).toBeLessThan(200_000);
  expect(faultConditions().map(({ fault }) => fault)).toEqual(faults.map(({ id }) => id));
});

/** Of all hundred ways nine of ten are right; the few that are drawn are too few to show exactly that. */
const LEAST_RIGHT = isNightly ? 0.9 : 0.85;

test('narrowed runs find what they claim that they would, and at most one of twenty is claimed in vain', async () => {
  let [right, inVain, all] = [0, 0, 0];
  for (const [way, narrowed] of sampled(NARROWED, 4, JSON.stringify, 'narrowed runs').entries()) {
    const compared = await compareNarrowed(narrowed, (place) => (place + 37 * way) % 97 === 0);
    for (const { isClaimed, isFound } of compared) {
      all += 1;
      if (isClaimed === isFound) right += 1;
      else if (isClaimed) inVain += 1;
    }
  }
  expect(all).toBeGreaterThan(20);
  expect(right / all).toBeGreaterThanOrEqual(LEAST_RIGHT);
  expect(inVain / all).toBeLessThanOrEqual(0.05);
}, 1_800_000);

test('the self-check that certificates name is that of the recordings', () => {
  const proof = recordedProof();
  expect(shippedProof(packageVersion)).toEqual(proof);
  expect([proof.found, proof.passed]).toEqual([proof.faults, proof.variants]);
});
