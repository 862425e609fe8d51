import { expect, test } from 'vitest';
import {
  type Answer,
  again,
  downTo,
  exhausting,
  NOON,
  refused,
  shown,
} from '../../../test/limiters/limited-runs.ts';
import { judgeReset } from './reset.ts';

/** A limit that is used up within a second, and a request after the wait. */
function run(change: { reset?: number; retryAfter?: string; later?: Partial<Answer> } = {}) {
  const { reset = NOON + 1, retryAfter = '30', later = {} } = change;
  const used = [...downTo(0, { ...exhausting, reset }), refused({ at: 0.7, reset, retryAfter })];
  return shown([...used, again({ at: 31, remaining: 59, resetIn: 1, ...later })]);
}

test('Reset is always the time of the response: Retry-After and the next Reset show it', () => {
  expect(judgeReset(run())).toMatchObject({
    status: 'violated',
    reason: 'Reset is always the time of the response, not the end of the window',
    expected: 'the end of the window, which Retry-After says is 30 s away',
    received: `X-RateLimit-Reset: ${NOON + 1}, and ${NOON + 32} after the wait`,
    evidence: [61, 62],
  });
});

test.each<[what: string, change: Parameters<typeof run>[0]]>([
  ['a window that only lasts less than a minute', { retryAfter: '1' }],
  ['one whose Retry-After is a few seconds longer', { retryAfter: '6' }],
  ['one that ends a whole minute after the one before', { later: { resetIn: 30 } }],
  ['one that nothing has used, so that it may not have begun', { later: { remaining: 60 } }],
  ['one whose Resets may be the same, as they are rounded', { later: { at: 2.5, reset: NOON + 2 } }],
  ['one whose Reset is ten seconds away', { reset: NOON + 10, retryAfter: '30' }],
  ['one without a later Reset', { later: { reset: '' } }],
])('%s is not judged', (_what, change) => {
  expect(judgeReset(run(change)).status).toBe('met');
});

test('a bucket that says when the next request comes back is another limiter', () => {
  expect(judgeReset(run({ retryAfter: '21', later: { at: 22, remaining: 20 } })).status).toBe('met');
});

test('without a refusal nothing says that the window lasts longer', () => {
  const { judged, ...circumstances } = run();
  const answered = judged.filter(({ exchange }) => exchange.response?.status !== 429);
  expect(judgeReset({ ...circumstances, judged: answered }).status).toBe('met');
});
