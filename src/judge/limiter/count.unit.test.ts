import { expect, test } from 'vitest';
import { type Answer, falling, lowOnce, shown, tooManyOrders } from '../../../test/limiters/limited-runs.ts';
import { judgeCount } from './count.ts';

test.each<[what: string, answers: readonly Answer[], finding: object]>([
  ['an honest limiter would say so', falling([59, 58, 57]), { status: 'met', evidence: [1, 2, 3] }],
  ['none would', lowOnce, { status: 'violated', evidence: [22, 21] }],
  [
    'no search can try every order in which requests may have been counted',
    tooManyOrders,
    {
      status: 'met',
      exercised: false,
      reason: 'simultaneous requests may have been counted in too many orders to try them all',
      evidence: [1, 2, 3, 4, 5, 6],
    },
  ],
  [
    'so it is if another address has an order that is known',
    [{ operation: 'sendMessage', status: 202, remaining: 59 }, ...tooManyOrders],
    { status: 'met', exercised: false },
  ],
  [
    'no response says what remains',
    [{ limit: undefined }],
    { status: 'not-tested', cause: 'X-RateLimit-Remaining' },
  ],
  [
    'a response without it is left out',
    [{ remaining: 59 }, {}, { remaining: 57 }],
    { status: 'met', evidence: [1, 3] },
  ],
])('Remaining is what is left: %s', (_what, answers, finding) => {
  expect(judgeCount(shown(answers))).toMatchObject(finding);
});
