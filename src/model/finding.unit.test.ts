import { expect, test } from 'vitest';
import { met, notTested, observed, vacuous, violated } from './finding.ts';

const MANY = Array.from({ length: 11 }, (_, index) => index + 1);
const TEN = MANY.slice(0, 10);
const DEVIATION = { kind: 'meaning' as const, reason: 'it is not', expected: 'this', received: 'that' };

test('a finding says what it is, and shows at most ten exchanges', () => {
  expect(met(MANY)).toEqual({ status: 'met', exercised: true, reason: '', evidence: TEN });
  expect(met([3], 'so')).toEqual({ status: 'met', exercised: true, reason: 'so', evidence: [3] });
  expect(vacuous('why', MANY)).toEqual({
    status: 'met',
    exercised: false,
    reason: 'why',
    evidence: TEN,
  });
  expect(vacuous('why')).toEqual({ status: 'met', exercised: false, reason: 'why', evidence: [] });
  expect(observed('what', MANY)).toEqual({
    status: 'observed',
    exercised: true,
    reason: '',
    observed: 'what',
    evidence: TEN,
  });
  expect(observed('what')).toEqual({
    status: 'observed',
    exercised: false,
    reason: '',
    observed: 'what',
    evidence: [],
  });
  expect(notTested('blocked', 'why', 'Pet.id', MANY)).toEqual({
    status: 'not-tested',
    exercised: false,
    untested: 'blocked',
    reason: 'why',
    cause: 'Pet.id',
    evidence: TEN,
  });
  expect(notTested(undefined, 'why')).toEqual({
    status: 'not-tested',
    exercised: false,
    reason: 'why',
    evidence: [],
  });
  expect(violated(DEVIATION, MANY)).toEqual({
    status: 'violated',
    seen: [{ what: 'it is not', kind: 'meaning', at: [] }],
    exercised: true,
    ...DEVIATION,
    deviating: MANY,
    evidence: TEN,
  });
  expect(violated({ ...DEVIATION, pointer: '/id' }, [1])).toEqual({
    status: 'violated',
    seen: [{ what: 'it is not', kind: 'meaning', pointer: '/id', at: [] }],
    exercised: true,
    ...DEVIATION,
    pointer: '/id',
    evidence: [1],
  });
});
