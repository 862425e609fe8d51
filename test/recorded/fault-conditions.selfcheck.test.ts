import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { packageVersion } from '../../src/model/package-root.ts';
import { faults } from '../../src/reference/faults/index.ts';
import { shippedProof } from '../../src/selfcheck/proof.ts';
import { FAULT_INDEX, faultConditions } from '../../src/selfcheck/sensitivity/sensitivity.ts';
import { isNightly, sampled } from '../nightly/sampled.ts';
import { compareRecorded, SESSIONS } from './compared-recordings.ts';
import { isOnlyInRuns, minedText } from './mined-conditions.ts';
import { type Compared, compareNarrowed, NARROWED } from './narrowed-runs.ts';
import { recordedProof } from './recorded-proof.ts';

test('spec/fault-conditions.json is that of the recordings (npm run build && node dist/scripts/fault-conditions.js)', () => {
  const text = readFileSync(FAULT_INDEX, 'utf8');
  const ofRuns = faultConditions().filter((each) => each.isOnlyInRuns);
  expect(text).toBe(minedText(new Set(ofRuns.map(({ fault }) => fault))));
  expect(text.length).toBeLessThan(200_000);
  expect(faultConditions().map(({ fault }) => fault)).toEqual(faults.map(({ id }) => id));
});

test.each(sampled(faults, 3, ({ id }) => id, 'faults of runs'))(
  'whether only runs show $id is in spec/fault-conditions.json',
  async (fault) => {
    const condition = faultConditions().find((each) => each.fault === fault.id);
    expect(condition?.isOnlyInRuns).toBe(await isOnlyInRuns(fault));
  },
);

/** Shares of what is compared. Those that are drawn by day are too few to show exactly what all of them do. */
interface Bounds {
  leastRight: number;
  mostInVain: number;
}
const OF_ALL: Bounds = { leastRight: 0.9, mostInVain: 0.05 };

/** Of each way, what is claimed of every 97th fault is compared with what is found. */
async function expectRight<Way>(ways: readonly Way[], compare: Compare<Way>, drawn: Bounds): Promise<void> {
  const { leastRight, mostInVain } = isNightly ? OF_ALL : drawn;
  const all: Compared[] = [];
  for (const [number, way] of ways.entries())
    all.push(...(await compare(way, (place) => (place + 37 * number) % 97 === 0)));
  const right = all.filter(({ isClaimed, isFound }) => isClaimed === isFound);
  const inVain = all.filter(({ isClaimed, isFound }) => isClaimed && !isFound);
  expect(all.length).toBeGreaterThan(ways.length * 5);
  expect(right.length / all.length).toBeGreaterThanOrEqual(leastRight);
  expect(inVain.length / all.length).toBeLessThanOrEqual(mostInVain);
}

type Compare<Way> = (way: Way, isTried: (place: number) => boolean) => Promise<Compared[]>;

test(
  'narrowed runs find what they claim that they would, and at most one of twenty is claimed in vain',
  () =>
    expectRight(sampled(NARROWED, 2, JSON.stringify, 'narrowed runs'), compareNarrowed, {
      leastRight: 0.85,
      mostInVain: 0.05,
    }),
  1_800_000,
);

test(
  'recordings of other clients do, too',
  () =>
    expectRight(sampled(SESSIONS, 1, String, 'recordings'), compareRecorded, {
      leastRight: 0.75,
      mostInVain: 0.12,
    }),
  1_800_000,
);

test('the self-check that certificates name is that of the recordings', () => {
  const proof = recordedProof();
  expect(shippedProof(packageVersion)).toEqual(proof);
  expect([proof.found, proof.passed]).toEqual([proof.faults, proof.variants]);
});
