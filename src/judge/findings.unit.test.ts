import { describe, expect, test } from 'vitest';
import { evidenceOf } from '../../test/exchanges/suite-evidence.ts';
import { contractOf, requirement } from '../../test/operations/operations.ts';
import type { Level } from '../model/contract.ts';
import { type Finding, met, notTested, violated } from '../model/finding.ts';
import type { Check } from './evidence/check.ts';
import { judgeAll } from './findings.ts';

const WRONG = violated({ kind: 'meaning', reason: 'it is wrong', expected: 'this', received: 'that' }, []);

/** What is found of checks that find this, in turn, by their requirements. */
function found(
  found: Readonly<Record<string, Finding>>,
  { needs = {}, levels = {} }: { needs?: Record<string, string[]>; levels?: Record<string, Level> } = {},
) {
  const checks = Object.entries(found).map(
    ([id, finding]): Check => ({
      ...{ requirement: id, phase: 'functional', probes: () => false },
      needs: needs[id] ?? [],
      judge: () => finding,
    }),
  );
  const requirements = Object.keys(found).map((id) => ({
    ...requirement(id),
    level: levels[id] ?? 'must',
  }));
  return judgeAll(checks, evidenceOf([], { contract: contractOf([], { requirements }) }));
}

test('a violation is held against a target unless it is of good practice', () => {
  const findings = found(
    { must: WRONG, should: WRONG, good: met([1]) },
    { levels: { should: 'should', good: 'should' } },
  );
  expect(Object.entries(findings).map(([id, { status }]) => [id, status])).toEqual([
    ['must', 'violated'],
    ['should', 'advisory'],
    ['good', 'met'],
  ]);
});

describe('a check that needs another one', () => {
  test('cannot be judged where that is violated, whichever is first', () => {
    const needs = { before: ['met', 'wrong'], after: ['wrong'] };
    const findings = found({ before: met([1]), met: met([1]), wrong: WRONG, after: WRONG }, { needs });
    const blocked = {
      status: 'not-tested',
      untested: 'blocked',
      reason: 'follows from wrong',
      cause: 'wrong',
    };
    expect([findings.before, findings.after]).toMatchObject([blocked, blocked]);
  });

  test.each<[what: string, need: string]>([
    ['is met', 'met'],
    ['is against good practice', 'should'],
    ['is not asked for', 'other'],
  ])('is judged by itself where that %s', (_what, need) => {
    const given = { own: met([1], 'it is so'), met: met([1]), should: WRONG };
    const findings = found(given, { needs: { own: [need] }, levels: { should: 'should' } });
    expect(findings.own).toMatchObject({ status: 'met', reason: 'it is so' });
  });
});

describe('what was not tested because of another requirement', () => {
  const untested = notTested('inconclusive', 'the request was refused', 'cause', [1]);

  test('names it as its only reason', () => {
    expect(found({ own: untested, cause: WRONG }).own?.reason).toBe('follows from cause');
    expect(found({ own: untested, cause: notTested('left-out', 'left out') }).own?.reason).toBe(
      'follows from cause',
    );
  });

  test('names it also where it was not asked for', () => {
    expect(found({ own: untested }).own?.reason).toBe('follows from cause');
  });

  test('keeps its own reason if that requirement is met, or if it names none', () => {
    expect(found({ own: untested, cause: met([1]) }).own?.reason).toBe('the request was refused');
    expect(found({ own: notTested('left-out', 'left out') }).own?.reason).toBe('left out');
  });
});
