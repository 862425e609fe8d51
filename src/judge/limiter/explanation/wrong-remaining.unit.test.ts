import { expect, test } from 'vitest';
import { type Answer, downTo, falling, NOON, shown } from '../../../../test/limiters/limited-runs.ts';
import { exclusionOf } from './exclusion.ts';

const reset = NOON + 60;
const headers = ['X-RateLimit-Remaining'];
const added: Answer = { operation: 'createPet', status: 201, reset };
/** From 57 to 1 by two each. */
const odd = Array.from({ length: 29 }, (_, index) => 57 - 2 * index);

test.each<[what: string, answers: readonly Answer[], seen: string, finding: object]>([
  [
    'an addition costs two, and is let through when one is left',
    [...falling(odd, added), { ...added, remaining: 45 }],
    'POST /pets got 201 with 1 request left',
    { expected: 'status 429: 1 request left', received: 'status 201 with X-RateLimit-Remaining: 45' },
  ],
  [
    'refused bodies are free, but for one',
    [
      ...downTo(50, { reset }),
      ...falling([50, 50, 50, 49], { ...added, status: 400 }),
      ...falling([48, 47, 46], { reset }),
    ],
    'Remaining fell from 50 to 49 with POST /pets',
    { expected: 'X-RateLimit-Remaining: 50', received: 'X-RateLimit-Remaining: 49', evidence: [14, 13] },
  ],
  [
    'reads are free from some number on',
    [...downTo(1, { reset }), ...falling([1, 1], { reset })],
    'Remaining stayed at 1 with GET /pets',
    { expected: 'X-RateLimit-Remaining: 0', received: 'X-RateLimit-Remaining: 1', evidence: [60, 59] },
  ],
])('%s', (_what, answers, seen, finding) => {
  expect(exclusionOf(shown(answers), 'remaining')).toMatchObject({
    status: 'violated',
    kind: 'sequence',
    reason: `${seen}; no honest limiter does that, the nearest is a fixed window`,
    headers,
    ...finding,
  });
});

test('it rises once, as that of another node might, and is too high for two nodes in the end: the rise is wrong', () => {
  const answers = [...downTo(30, { reset }), ...downTo(14, { reset }).slice(22)];
  // After 53 requests, seven are left, and neither node may say more than twice as many.
  expect([answers[30]?.remaining, answers[52]?.remaining]).toEqual([37, 15]);
  expect(exclusionOf(shown(answers), 'remaining')).toMatchObject({
    status: 'violated',
    kind: 'sequence',
    reason:
      'Remaining rose from 30 to 37 with GET /pets; no honest limiter does that, the nearest is a fixed window, counted by two nodes',
    headers,
    expected: 'X-RateLimit-Remaining: at most 30',
    received: 'X-RateLimit-Remaining: 37',
    repetition: { kind: 'in-turn-and-again', exchanges: [1, 31], times: 31 },
    deviating: [31],
    evidence: [31, 30],
  });
});
