import { expect, test } from 'vitest';
import { type Answer, falling, shown } from '../../test/limited-runs.ts';
import { type Deviation, type Finding, vacuous, violated } from '../model/finding.ts';
import type { Check, Evidence } from './check.ts';
import { withoutContradicted } from './contradicted.ts';
import { ownedCheck } from './derived-checks.ts';
import type { Judged } from './judged.ts';
import { judgeRemaining } from './limiter/headers.ts';

const LIMIT = 'X-RateLimit-Limit';
const REMAINING = 'X-RateLimit-Remaining';

const deviationOf = (requirement: string): Deviation => ({
  requirement,
  kind: 'header',
  reason: `${requirement} is absent`,
  expected: requirement,
  received: `no ${requirement} header`,
});

/** What these answers show, the second of them changed. */
function evidenceOf(change: object, answers: readonly Answer[] = falling([59, 58, 57])): Evidence {
  const evidence = shown(answers);
  return {
    ...evidence,
    judged: evidence.judged.map((each, index) => (index === 1 ? ({ ...each, ...change } as Judged) : each)),
  };
}

const owning = (requirement: string): Check => ownedCheck(requirement, () => true);

/** What is found by these checks, contradictions included. */
function found(checks: readonly Check[], evidence: Evidence, known: Readonly<Record<string, Finding>> = {}) {
  const own = Object.fromEntries(checks.map((check) => [check.requirement, check.judge(evidence)]));
  return withoutContradicted(checks, { ...own, ...known }, evidence);
}

test('what another requirement owns is not tested, and names it', () => {
  const hiding = { deviations: [deviationOf(LIMIT)], hidden: [deviationOf(REMAINING)], met: [] };
  const findings = found([owning(LIMIT), owning(REMAINING), owning('service.http')], evidenceOf(hiding));
  expect(findings[LIMIT]).toMatchObject({ status: 'violated', evidence: [2] });
  expect(findings[REMAINING]).toEqual({
    status: 'not-tested',
    untested: 'contradicted',
    exercised: false,
    cause: LIMIT,
    reason: `contradicted: ${REMAINING} is absent`,
    evidence: [2],
  });
  expect(findings['service.http']).toMatchObject({ status: 'met', exercised: true });
});

test('what nothing put to the test is not met against the evidence, either', () => {
  const lazy: Check = {
    ...owning(REMAINING),
    judge: (evidence) => {
      const finding = owning(REMAINING).judge(evidence);
      return finding.status === 'violated' ? finding : vacuous('nothing came');
    },
  };
  const hiding = { deviations: [deviationOf(LIMIT)], hidden: [deviationOf(REMAINING)] };
  expect(found([owning(LIMIT), lazy], evidenceOf(hiding))[REMAINING]).toMatchObject({ cause: LIMIT });
});

test('where nothing is wrong, findings stay what they are', () => {
  const findings = { [LIMIT]: owning(LIMIT).judge(evidenceOf({})) };
  expect(withoutContradicted([owning(LIMIT)], findings, evidenceOf({}))).toBe(findings);
});

test('where its owner was not asked for, an exchange that shows a violation by itself is one', () => {
  const hiding = { deviations: [deviationOf(LIMIT)], hidden: [deviationOf(REMAINING)] };
  expect(found([owning(REMAINING)], evidenceOf(hiding))[REMAINING]).toMatchObject({
    status: 'violated',
    reason: `${REMAINING} is absent`,
    evidence: [2],
  });
});

test('a figure is looked at wherever it comes, also with a wrong status', () => {
  const above: Check = { ...owning('rate-limit.remaining'), judge: judgeRemaining };
  const answers = [{ remaining: 59 }, { status: 404, remaining: 61 }, { remaining: 57 }];
  expect(
    found([owning('listPets.200'), above], evidenceOf({}, answers))['rate-limit.remaining'],
  ).toMatchObject({
    status: 'not-tested',
    untested: 'contradicted',
    cause: 'listPets.200',
    evidence: [2],
  });
  expect(found([above], evidenceOf({}, answers))['rate-limit.remaining']).toMatchObject({
    status: 'not-tested',
    untested: 'contradicted',
    cause: 'listPets.200',
  });
});

test('of headers and body each has an owner of its own', () => {
  const shape = (requirement: string): Deviation => ({ ...deviationOf(requirement), kind: 'shape' });
  const both = {
    deviations: [deviationOf(LIMIT), shape('Error.code')],
    hidden: [deviationOf(REMAINING), shape('Error.status')],
  };
  const checks = [LIMIT, 'Error.code', REMAINING, 'Error.status'].map(owning);
  const known = { 'Error.status': vacuous('') };
  const findings = found(checks, evidenceOf(both), known);
  expect([findings[REMAINING]?.cause, findings['Error.status']?.cause]).toEqual([LIMIT, 'Error.code']);
});

test('an owner that is not tested itself passes its cause on', () => {
  const hiding = { deviations: [deviationOf(LIMIT)], hidden: [deviationOf(REMAINING)] };
  const known = {
    [LIMIT]: { ...vacuous(''), status: 'not-tested' as const, cause: 'service.http' },
    'service.http': violated(deviationOf('service.http'), [3]),
  };
  expect(found([owning(REMAINING)], evidenceOf(hiding), known)[REMAINING]?.cause).toBe('service.http');
});

test('what a check found in an exchange, or in its control, owns it where nothing else does', () => {
  const hidden = [deviationOf(REMAINING)];
  const absent = (evidence: number[]) => ({ 'getStoreOrders.exists': violated(deviationOf('it'), evidence) });
  const inWake = { hidden, outcome: 'inconclusive', inconclusive: { reason: 'it is not there', control: 3 } };
  const causeOf = (change: object, known: Record<string, Finding>) =>
    found([owning(REMAINING)], evidenceOf(change), known)[REMAINING];
  expect(causeOf({ hidden }, absent([2]))?.cause).toBe('getStoreOrders.exists');
  expect(causeOf(inWake, absent([3]))?.cause).toBe('getStoreOrders.exists');
  expect(causeOf(inWake, absent([1]))).toMatchObject({
    status: 'not-tested',
    untested: 'contradicted',
    evidence: [2],
  });
  expect(causeOf(inWake, absent([1]))).not.toHaveProperty('cause');
});
