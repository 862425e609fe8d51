import { expect, test } from 'vitest';
import { observed, refused, type Seen } from '../../../test/limiters/limiter-states.ts';
import { isRefusedWithNone } from './model.ts';

test.each<[what: string, seen: Seen, expected: boolean]>([
  ['a refusal with Remaining 0', refused(0, { remaining: 0 }), true],
  ['one that leaves some, too few for what it costs', refused(0, { remaining: 2 }), false],
  ['one that does not tell', refused(0), false],
  ['the last request that is let through', { at: 0, remaining: 0 }, false],
  ['a request without a response', { at: 0, outcome: 'unknown' }, false],
])('whether a refusal says that none are left: %s', (_what, seen, expected) => {
  expect(isRefusedWithNone(observed(seen))).toBe(expected);
});
