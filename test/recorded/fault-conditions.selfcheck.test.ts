import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { faults } from '../../src/reference/faults/index.ts';
import { FAULT_INDEX, faultConditions } from '../../src/selfcheck/sensitivity/fault-index.ts';
import { sampled } from '../nightly/sampled.ts';
import { minedText } from './mined-conditions.ts';
import { compareNarrowed, NARROWED } from './narrowed-runs.ts';

test('spec/fault-conditions.json is that of the recordings (npm run build && node dist/scripts/fault-conditions.js)', () => {
  const text = readFileSync(FAULT_INDEX, 'utf8');
  expect(text).toBe(minedText());
  expect(text.length).toBeLessThan(200_000);
  expect(faultConditions().map(({ fault }) => fault)).toEqual(faults.map(({ id }) => id));
});

test('narrowed runs find what they claim that they would: nine of ten are right, one of twenty is claimed in vain', async () => {
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
  expect(right / all).toBeGreaterThanOrEqual(0.9);
  expect(inVain / all).toBeLessThanOrEqual(0.05);
}, 600_000);
