import { describe, expect, test } from 'vitest';
import { faults } from '../../src/reference/faults/index.ts';
import type { Answer, Change, LimiterSettings } from '../../src/reference/index.ts';
import { type LoggedRun, loggedRun, withKey } from './logged-run.ts';

const FREE = { minute: 60, day: 1_000 };

/** A default run on the Free plan: it uses the window after the recovery. */
const wholeRun = (limiter: Partial<LimiterSettings> = {}, changes: readonly Change[] = []) =>
  loggedRun({ plan: FREE, limiter, changes, options: { plan: 'free', frugal: false } });

/** The requests with the key after the first one that the limit refused. */
function afterExhaustion({ log }: Pick<LoggedRun, 'log'>) {
  const sent = withKey(log);
  return sent.slice(sent.findIndex(({ status }) => status === 429) + 1);
}

/** An answer that says so many requests remain. */
const withRemaining = (answer: Answer, remaining: number): Answer => ({
  ...answer,
  headers: answer.headers.map(([name, value]) =>
    name === 'X-RateLimit-Remaining' ? [name, `${remaining}`] : [name, value],
  ),
});

test('a fixed window: most of the next one is used, in order, and a fifth of it is left', async () => {
  const whole = await wholeRun();
  const frugal = await loggedRun({ plan: FREE, options: { plan: 'free' } });
  const after = afterExhaustion(whole);
  expect(after.length).toBeGreaterThan(40);
  expect(after.length).toBeLessThanOrEqual(48);
  expect(after.filter(({ status }) => status === 429)).toEqual([]);
  expect([whole.violated, whole.untested, whole.noRoom]).toEqual([[], {}, undefined]);
  // Until the recovery, both send the same.
  const sentBy = ({ log }: LoggedRun) => log.map(({ method, path, key }) => `${method} ${path} ${key}`);
  const known = sentBy(frugal).map((each) => each.replaceAll(/\d{6,}/g, 'id'));
  expect(
    sentBy(whole)
      .map((each) => each.replaceAll(/\d{6,}/g, 'id'))
      .slice(0, known.length),
  ).toEqual(known);
});

describe.each(['token-bucket', 'gcra', 'sliding-counter', 'sliding-log'] as const)('%s', (algorithm) => {
  test('what gives back one request at a time is not asked for more, and what was not sent is named', async () => {
    const whole = await wholeRun({ algorithm });
    const after = afterExhaustion(whole);
    expect(after.filter(({ status }) => status === 429)).toEqual([]);
    expect([whole.violated, whole.untested]).toEqual([[], {}]);
    if (whole.noRoom) {
      expect(after.length).toBe(1 + whole.noRoom.sent);
      expect(whole.noRoom.unsent.length).toBeGreaterThan(0);
    } else expect(after.length).toBeLessThanOrEqual(48);
  });
});

test('a bucket has no room after the recovery', async () => {
  const { noRoom } = await wholeRun({ algorithm: 'gcra' });
  expect(noRoom?.sent).toBe(0);
  expect(noRoom?.unsent.length).toBeGreaterThan(30);
});

test('a window that never opens again costs one request', async () => {
  let refused = 0;
  const closed: Change = {
    limit: (verdict) => {
      refused += verdict.allowed ? 0 : 1;
      return refused > 0 ? { ...verdict, allowed: false } : verdict;
    },
  };
  expect(afterExhaustion(await wholeRun({}, [closed]))).toHaveLength(1);
});

test('a Remaining that promises more than there is: the first refusal ends the run', async () => {
  let through = 0;
  let isReopened = false;
  const lying: Change = {
    limit: (verdict, { key }) => {
      if (key !== 'valid') return verdict;
      isReopened ||= !verdict.allowed;
      if (isReopened && verdict.allowed) through += 1;
      return through > 10 ? { ...verdict, allowed: false } : verdict;
    },
    around: async (call, next) => {
      const answer = await next(call);
      return isReopened ? withRemaining(answer, 59) : answer;
    },
  };
  const after = afterExhaustion(await wholeRun({}, [lying]));
  expect(after.filter(({ status }) => status === 429).length).toBeLessThanOrEqual(1);
  expect(after.at(-1)?.status).toBe(429);
});

test('what is found is seen again within the share of the window', async () => {
  const fault = faults.find(({ id }) => id === 'list-newest-sold-first') ?? faults[0];
  const whole = await wholeRun({}, fault ? [fault] : []);
  const after = afterExhaustion(whole);
  expect(whole.violated.length).toBeGreaterThan(0);
  expect(whole.exchanges.some(({ confirms }) => confirms !== undefined)).toBe(true);
  expect(after.length).toBeLessThanOrEqual(48);
});

test('a run that has little time leaves the next window alone', async () => {
  const { log, stopped } = await loggedRun({
    plan: FREE,
    options: { plan: 'free', frugal: false, maxTime: 100 },
  });
  expect(stopped).toBeUndefined();
  expect(afterExhaustion({ log })).toHaveLength(1);
});
