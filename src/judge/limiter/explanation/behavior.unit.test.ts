import { expect, test } from 'vitest';
import {
  type Answer,
  downTo,
  falling,
  lowOnce,
  shown,
  tooManyOrders,
} from '../../../../test/limiters/limited-runs.ts';
import { behaviorOf } from './behavior.ts';

const MINUTE = 'fixed window, 60 a minute';
const messages = (change: Answer = {}): Answer[] =>
  falling([59, 58], { operation: 'sendMessage', status: 201, ...change });
const ofDay = { limit: 1_000, resetIn: 40_000 };

test.each<[what: string, answers: readonly Answer[], behavior: string | undefined]>([
  ['names the limiter and its limit', downTo(40), MINUTE],
  ['also if one response does not tell Remaining', [...downTo(40), {}], MINUTE],
  ['says once what holds for both addresses', [...downTo(40), ...messages()], MINUTE],
  [
    'names the limiter of each address if they differ',
    [...downTo(40), ...messages({ ...ofDay, remaining: 900 }).slice(1)],
    `${MINUTE}; fixed window, 1000 a day`,
  ],
  [
    'says nothing of a minute that no header describes',
    falling([999, 998], ofDay),
    'fixed window, 1000 a day',
  ],
  ['is unknown if no response tells Remaining', [{}, {}], undefined],
  ['is unknown if no honest limiter explains the run', lowOnce, undefined],
  ['is unknown if no search can try all orders of simultaneous requests', tooManyOrders, undefined],
  ['is unknown if Limit changes', [{ remaining: 59 }, { limit: 61, remaining: 58 }], undefined],
])('%s', (_what, answers, behavior) => {
  expect(behaviorOf(shown(answers))).toBe(behavior);
});

test.each<[what: string, later: Answer, behavior: string]>([
  ['a minute after it', { at: 61, resetIn: 29 }, MINUTE],
  ['two seconds less than a minute after it', { at: 59, resetIn: 29 }, MINUTE],
  ['ten seconds after it', { at: 31, resetIn: 9 }, 'fixed window, 60 in at most 10 s, not a minute'],
  ['at no time, as nothing has used it', { at: 31, resetIn: 9, remaining: 60 }, MINUTE],
])('a window whose next one ends %s', (_what, later, behavior) => {
  const answers: Answer[] = [
    { at: 1, resetIn: 29, remaining: 59 },
    { remaining: 59, ...later },
  ];
  expect(behaviorOf(shown(answers))).toBe(behavior);
});
