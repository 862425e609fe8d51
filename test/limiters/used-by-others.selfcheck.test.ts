import { describe, expect, test } from 'vitest';
import { loggedRun } from '../economy/logged-run.ts';

/** A limit that somebody else uses up before petspec can. */
const busy = { plan: { minute: 3, day: 1_000 }, limiter: { background: { perSecond: 2, perRequest: 0 } } };
const stated = { plan: 'custom', limits: { minute: 3, day: 1_000 } };

describe('a limit of 3 a minute that somebody else uses up twice a second', () => {
  test.each([
    ['no violation, if the key is stated as shared', true, []],
    [
      'a limit that does not recover, if it is presumed to be of one user alone',
      false,
      ['rate-limit.recovery: POST /pets got 429 again after the time that Retry-After states'],
    ],
  ])('is %s', async (_what, sharedKey, found) => {
    const { violated, untested } = await loggedRun({ ...busy, options: { ...stated, sharedKey } });
    expect(violated).toEqual(found);
    if (sharedKey) expect(Object.keys(untested)).toContain('rate-limit.recovery');
  });
});

const free = { plan: { minute: 60, day: 1_000 }, options: { plan: 'free' } };

describe.each([1, 4, 16])(
  'somebody else who uses the key while %i requests go out at a time',
  (concurrency) => {
    test.each([
      ['fixed-window', 10],
      ['fixed-window', 15],
      ['sliding-log', 30],
      ['token-bucket', 10],
      ['gcra', 15],
      ['sliding-counter', 1],
      ['sliding-counter', 5],
      ['sliding-counter', 30],
      ['token-bucket', 1],
    ] as const)(
      '%s, %i a second: no violation, as requests one at a time show it or the user says so',
      async (algorithm, perSecond) => {
        const limiter = { algorithm, background: { perSecond, perRequest: 0 } };
        // One request a second is too rare for a run of less than a second to see.
        const sharedKey = perSecond === 1;
        const options = { ...free.options, concurrency, sharedKey };
        const { violated } = await loggedRun({ ...free, limiter, options });
        expect(violated).toEqual([]);
      },
    );
  },
);
