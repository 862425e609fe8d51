import { expect, test } from 'vitest';
import type { Clock } from '../../model/clock.ts';
import { limitTime } from './time-limit.ts';

/** A clock whose timers end this many ms late, each in turn, and that notes how long they were asked to be. */
function lateClock(...late: readonly number[]) {
  const asked: number[] = [];
  let now = 0;
  const clock: Clock = {
    now: () => now,
    elapsed: () => now,
    sleep: async () => {},
    timer(ms, end) {
      const timer = setImmediate(() => {
        now += ms + (late[asked.length] ?? 0);
        asked.push(ms);
        end();
      });
      return () => clearImmediate(timer);
    },
    hold: () => () => {},
    pause: async () => {},
  };
  return { clock, asked };
}

test('a request ends when its time is over', async () => {
  const { clock, asked } = lateClock(3);
  const limit = limitTime(clock, 1_000);
  await expect(limit.aborted).rejects.toThrow('timed out');
  expect(limit.isTimedOut()).toBe(true);
  expect(asked).toEqual([1_000]);
});

test('a thread that was busy when the time was over gets the time that it lost, to read what has arrived', async () => {
  const { clock, asked } = lateClock(4_000, 5);
  const limit = limitTime(clock, 1_000);
  await expect(limit.aborted).rejects.toThrow('timed out');
  expect(asked).toEqual([1_000, 4_000]);
});
