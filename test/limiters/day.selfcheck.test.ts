import { expect, test } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import { run, VirtualClock } from '../../src/index.ts';
import { variants } from '../../src/reference/variants/index.ts';
import { conductBundled } from '../../src/run/bundled.ts';
import { DEFAULT_OPTIONS } from '../../src/run/options.ts';
import { makePlan } from '../../src/run/plan.ts';
import { allChecks } from '../../suites/index.ts';
import { isNightly } from '../nightly/sampled.ts';

/** More than two windows of a minute allow; by night, a day of the Free plan. */
const DAY = isNightly ? 1_000 : 150;

/** Noon: no day ends while it is used up, whatever the time is here. */
const START = Date.UTC(2026, 10, 21, 12, 0, 20);

test('a day is used up in virtual time: as many requests as it allows, one that is refused, one that recovers', async () => {
  const { requests, requirements, verdict } = await run({
    exhaust: 'day',
    limits: { minute: 60, day: DAY },
    clock: new VirtualClock(START),
  });
  expect(verdict).toBe('conformant');
  // Messages are counted apart.
  const { messages = 0 } = requests.byPurpose;
  const wrongKeysOfMessages = 2;
  expect(requests.withKey - (messages - wrongKeysOfMessages)).toBe(DAY + 2);
  expect(requirements.filter(({ level, status }) => level === 'must' && status === 'not-tested')).toEqual([]);
});

test.each(['token-bucket-both', '4xx-free', 'per-operation', 'covers-list', 'headers-day'])(
  'a day of %s is no violation',
  async (id) => {
    const contract = loadContract();
    const options = { ...DEFAULT_OPTIONS, exhaust: 'day' as const, limits: { minute: 60, day: DAY } };
    const changes = variants.filter((each) => each.id === id);
    const { findings } = await conductBundled(
      contract,
      makePlan(contract, allChecks(contract), options),
      options,
      { changes, start: START, connections: 'memory' },
    );
    expect(changes).toHaveLength(1);
    expect(Object.entries(findings).filter(([, { status }]) => status === 'violated')).toEqual([]);
  },
);

test('a day that never ends is found', async () => {
  const contract = loadContract();
  const options = { ...DEFAULT_OPTIONS, exhaust: 'day' as const, limits: { minute: 60, day: DAY } };
  const changes = [{ settings: { limiter: { windows: 'minute' as const } } }];
  const { findings } = await conductBundled(
    contract,
    makePlan(contract, allChecks(contract), options),
    options,
    { changes, start: START, connections: 'memory' },
  );
  expect(findings.TooManyRequests).toMatchObject({
    status: 'violated',
    reason: 'more requests were let through than a day allows',
  });
});
