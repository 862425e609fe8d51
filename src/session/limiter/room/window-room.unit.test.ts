import { describe, expect, test } from 'vitest';
import { exchange } from '../../../../test/exchanges/exchange.ts';
import type { Exchange } from '../../../model/exchange.ts';
import type { Probe } from '../../../model/probe.ts';
import type { Parts } from '../../parts/parts.ts';
import { waitForWholeLimit, waitForWholePlan } from './window-room.ts';

const NOW = 1_800_000_000_000;

interface Situation {
  /** Requests that the limit still allows. */
  left?: number;
  concurrency?: number;
  /** ms until the run has to end. */
  msLeft?: number;
  /** Seconds since the last response. */
  since?: number;
}

/** A response that took so many seconds, so many seconds before the end of its window. */
function answer(took: number, resetIn: number, limit = 60): Exchange {
  return exchange({
    operation: 'listPets',
    key: 'valid',
    sentAt: NOW - took * 1_000,
    receivedAt: NOW,
    response: { status: 200, headers: [], body: '' },
    rate: { limit, reset: NOW / 1_000 + resetIn },
  });
}

/** The waits (ms) that a session asks for. */
async function waits(
  ask: (parts: Parts) => Promise<void>,
  { left, concurrency = 1, msLeft = 300_000, since = 0 }: Situation,
  exchanges: readonly Exchange[] = [],
): Promise<number[]> {
  const waited: number[] = [];
  const parts = {
    pace: { remaining: () => left, waiting: () => {} },
    options: { concurrency, timeout: 30_000 },
    clock: { now: () => NOW + since * 1_000 },
    learnt: { exchanges },
    end: { msLeft, waitFor: async (ms: number) => void waited.push(ms) },
  };
  await ask(parts as unknown as Parts);
  return waited;
}

describe('ten requests fall into one window', () => {
  const withKey = Array.from({ length: 10 }, () => ({ key: 'valid', stage: 'list' }));
  const others = [
    { key: 'absent', stage: 'list' },
    { key: 'valid', stage: 'exhaust' },
    { key: 'valid', stage: 'recover' },
  ];
  const plan = [...withKey, ...others] as Probe[];

  test.each<[what: string, first: Exchange, situation: Situation, ms: number[]]>([
    ['as many are left', answer(0, 30), { left: 10 }, []],
    ['one is missing', answer(0, 30), { left: 9 }, [31_000]],
    ['one is missing, but no window allows more', answer(0, 30, 10), { left: 9 }, []],
    ['one is missing, but the window is a day', answer(0, 91), { left: 9 }, []],
    ['what is left is unknown', answer(0, 30), {}, []],
    ['the window ends in three seconds', answer(0, 3), { left: 59 }, []],
    ['the window ends in two seconds', answer(0, 2), { left: 59 }, [3_000]],
    // With the wrong key they are eleven, and each may take half as long again as the first: 16.5 s.
    ['they are slow', answer(1, 16), { left: 59 }, [17_000]],
    ['they are slow, but the window is long enough', answer(1, 17), { left: 59 }, []],
    ['they are so slow that no window is long enough', answer(4, 30), { left: 59 }, []],
    ['the run ends before', answer(0, 30), { left: 9, msLeft: 31_000 }, []],
    ['Reset is not told', { ...answer(0, 30), rate: { limit: 60 } }, { left: 9 }, []],
  ])('%s', async (_what, first, situation, ms) => {
    expect(await waits((parts) => waitForWholePlan(parts, plan, first), situation)).toEqual(ms);
  });
});

describe('a window is used up by requests that take a second', () => {
  const inWindow = (resetIn: number) => [answer(1, resetIn), answer(1, resetIn)];

  // Two more than there are, and a fifth of all that; in bursts twice as long, but for the last four.
  test.each<[what: string, limit: number, exchanges: Exchange[], situation: Situation, ms: number[]]>([
    ['twenty take 24 s', 20, inWindow(23), { left: 20 }, [24_000]],
    ['twenty have 25 s', 20, inWindow(25), { left: 20 }, []],
    ['how many are left is unknown', 20, inWindow(23), {}, [24_000]],
    ['four are left', 20, inWindow(8), { left: 4 }, []],
    ['four are left, and take 7.2 s', 20, inWindow(7), { left: 4 }, [8_000]],
    ['four may go at a time', 20, inWindow(16), { left: 20, concurrency: 4 }, []],
    ['four may go at a time, and take 15.2 s', 20, inWindow(15), { left: 20, concurrency: 4 }, [16_000]],
    ['a whole minute is too short', 60, inWindow(26), { left: 60 }, []],
    ['time has passed since', 20, inWindow(27), { left: 20, since: 4 }, [24_000]],
    ['the window is over', 20, inWindow(3), { left: 20, since: 4 }, []],
    ['Reset moves', 20, [answer(1, 22), answer(1, 23)], { left: 20 }, []],
    ['only one response tells Reset', 20, [answer(1, 23)], { left: 20 }, []],
    ['the run ends before', 20, inWindow(23), { left: 20, msLeft: 24_000 }, []],
  ])('%s', async (_what, limit, exchanges, situation, ms) => {
    const ask = (parts: Parts) => waitForWholeLimit(parts, 'listPets', limit);
    expect(await waits(ask, situation, exchanges)).toEqual(ms);
  });
});
