import { expect, test } from 'vitest';
import { type Answer, exhausting, falling, NOON, shown } from '../../../test/limiters/limited-runs.ts';
import { judgeEnforced } from './refusals.ts';

const CAME_BACK = 'requests came back as fast as they were sent; --concurrency sends them faster';
const from = (first: number, last: number) =>
  Array.from({ length: first - last + 1 }, (_, index) => first - index);

/** What uses up the limit before and after the end of a window, in a second each. */
const ending = (...answers: Answer[]): Answer[] =>
  answers.map((each, index) => ({
    ...exhausting,
    reset: NOON + 30,
    at: 29 - (answers.length - index) / 100,
    ...each,
  }));
const beginning = (...answers: Answer[]): Answer[] =>
  answers.map((each, index) => ({ ...exhausting, reset: NOON + 90, at: 30.5 + index / 100, ...each }));

test.each<[what: string, last: number, reason: string]>([
  ['some are left', 10, 'the limit was not used up: 10 requests remain'],
  ['none is left', 0, CAME_BACK],
])(
  'where a long exhaustion keeps too few of its exchanges to tell, a window may have ended: %s',
  (_what, last, reason) => {
    const evidence = shown([...ending(...falling(from(59, 10))), ...beginning(...falling(from(59, last)))]);
    const judged = evidence.judged.filter((_, index) => index !== 45);
    expect(judgeEnforced({ ...evidence, judged })).toMatchObject({
      status: 'not-tested',
      untested: 'no-refusal',
      reason,
    });
  },
);

test('nor is it known how many are left where one of two addresses is only presumed to be explained', () => {
  // Of so many at a time, any may have been counted first.
  const atOnce = falling([5, 4, 3, 15, 14, 13], { inFlight: 65 });
  const message: Answer = { operation: 'sendMessage', stage: 'list', status: 201, remaining: 59 };
  const answers = [
    ...ending(...falling(from(59, 30))),
    ...beginning(...falling(from(59, 6)), ...atOnce, message),
  ];
  expect(judgeEnforced(shown(answers))).toMatchObject({
    untested: 'no-refusal',
    reason: 'the limit was not used up: 13 requests remain',
  });
});

test('where all is explained, and the requests that should use up the limit are free, no more than the limit were let through', () => {
  const added: Answer = { operation: 'createPet', status: 201, stage: 'create', remaining: 59 };
  const free = (remaining: number) => falling(Array(20).fill(remaining));
  const answers = [...ending(added, ...free(59)), ...beginning(...free(60))];
  expect(judgeEnforced(shown(answers))).toMatchObject({
    untested: 'no-refusal',
    reason: 'no more requests were let through than the limit allows',
  });
});

test('no window ends half a minute before its Reset, whatever the next one is: more than the limit were let through', () => {
  const answers = [
    ...falling(from(59, 10), exhausting),
    ...falling(from(59, 10), { ...exhausting, resetIn: 70 }),
  ];
  expect(judgeEnforced(shown(answers))).toMatchObject({
    status: 'violated',
    reason: 'the 61st request of the minute got 200; no request was refused, however many were sent',
    received: '100 requests accepted',
  });
});
