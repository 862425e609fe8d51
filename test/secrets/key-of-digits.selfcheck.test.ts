import { describe, expect, test } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import { VirtualClock } from '../../src/model/clock.ts';
import { faults } from '../../src/reference/faults/index.ts';
import { appendHeaders } from '../../src/reference/http/answer.ts';
import { type Change, startInProcess } from '../../src/reference/index.ts';
import { conduct } from '../../src/run/conduct.ts';
import type { Conducted } from '../../src/run/judging/judge-outcome.ts';
import { DEFAULT_OPTIONS } from '../../src/run/options.ts';
import { makePlan } from '../../src/run/plan.ts';
import { idsWith } from '../../src/selfcheck/selfcheck.ts';
import { allChecks } from '../../suites/index.ts';
import { judgmentOf } from '../laws/judgment.ts';

const contract = loadContract();
const options = { ...DEFAULT_OPTIONS, frugal: true, plan: 'free' };
const plan = makePlan(contract, allChecks(contract), options);

/** Animals that are there before the first is added. */
const ANIMALS = 120n;

interface Service {
  apiKey: string;
  firstId: bigint;
  changes?: readonly Change[];
}

async function judged({ firstId, changes = [], apiKey }: Service): Promise<Conducted> {
  const clock = new VirtualClock(Date.parse('2026-11-21T12:00:20Z'));
  const reference = await startInProcess({ clock, apiKey, changes, settings: { firstId } });
  try {
    return await conduct(contract, plan, options, reference, { clock });
  } finally {
    await reference.close();
  }
}

/** Gives the key back as a number, wherever a number may be. */
const echoing = (key: string): Change => ({
  around: async (call, next) => {
    const answer = appendHeaders(await next(call), [['X-Echo', key]]);
    const { body } = answer;
    const isObject =
      typeof body === 'object' && body !== null && !Array.isArray(body) && !Buffer.isBuffer(body);
    return isObject ? { ...answer, body: { ...body, echo: BigInt(key), list: [BigInt(key), 1n] } } : answer;
  },
});

const KEYS = ['12345678', '1234567890', '12345678901234567', '9223372036854775000'] as const;

describe('a service whose numbers are the digits of the key is judged as it would be with any other key', () => {
  test.each([KEYS[0], KEYS[3]])('the first animal that is added gets it as its id: %s', async (apiKey) => {
    const firstId = BigInt(apiKey) - ANIMALS;
    const run = await judged({ apiKey, firstId });
    expect(judgmentOf(run)).toEqual(judgmentOf(await judged({ apiKey: 'any-other-key', firstId })));
    expect(idsWith(run, ({ status }) => status === 'violated')).toEqual([]);
    expect(JSON.stringify(run.exchanges)).not.toContain(apiKey);
  });

  test.each(KEYS)('the first animal that is listed has it, and every answer holds it: %s', async (apiKey) => {
    const run = await judged({ apiKey, firstId: BigInt(apiKey), changes: [echoing(apiKey)] });
    expect(idsWith(run, ({ status }) => status === 'violated')).toEqual([]);
    expect(idsWith(run, ({ status }) => status === 'not-tested')).toEqual([]);
    expect(JSON.stringify(run.exchanges)).not.toContain(apiKey);
  });

  test.each([
    'fetch-unknown-latest',
    'fetch-neighbour',
    'fetch-created-404',
    'pet-id-text-created',
    'list-ids-of-rows',
  ])('and its fault is found: %s', async (id) => {
    const fault = faults.find((each) => each.id === id);
    if (!fault) throw new Error(id);
    const apiKey = '1234567890';
    const run = await judged({ apiKey, firstId: BigInt(apiKey) - ANIMALS, changes: [fault] });
    expect(idsWith(run, ({ status }) => status === 'violated')).toEqual(fault.violates);
  });
});
