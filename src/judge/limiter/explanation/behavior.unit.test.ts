import { expect, test } from 'vitest';
import {
  type Answer,
  downTo,
  falling,
  lowOnce,
  shown,
  tooManyOrders,
} from '../../../../test/limited-runs.ts';
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
