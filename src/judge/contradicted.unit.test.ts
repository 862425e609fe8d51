import { describe, expect, test } from 'vitest';
import { type Answer, falling, shown } from '../../test/limiters/limited-runs.ts';
import { type Deviation, type Finding, vacuous, violated } from '../model/finding.ts';
import { withoutContradicted } from './contradicted.ts';
import { ownedCheck } from './derived-checks.ts';
import { type Check, type Evidence, eachExchange } from './evidence/check.ts';
import type { Judged } from './evidence/judged.ts';
import { judgeRemaining } from './limiter/seen/headers.ts';

const LIMIT = 'X-RateLimit-Limit';
const REMAINING = 'X-RateLimit-Remaining';

const deviationOf = (requirement: string): Deviation => ({
  requirement,
  kind: 'header',
  reason: `${requirement} is absent`,
  expected: requirement,
  received: `no ${requirement} header`,
});

const ANSWERS: readonly Answer[] = falling([59, 58, 57]);

/** What these answers show, some of them changed, by their numbers. */
function changed(changes: Readonly<Record<number, object>>, answers = ANSWERS): Evidence {
  const evidence = shown(answers);
  return {
    ...evidence,
    judged: evidence.judged.map((each) => ({ ...each, ...changes[each.exchange.id] }) as Judged),
  };
}

/** What these answers show, the second of them changed. */
const evidenceOf = (change: object, answers = ANSWERS) => changed({ 2: change }, answers);

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
  expect(causeOf(inWake, absent([1]))?.cause).toBeUndefined();
});

test('a check that has no finding gets none', () => {
  const hiding = { deviations: [deviationOf(LIMIT)], hidden: [deviationOf(REMAINING)] };
  expect(withoutContradicted([owning(REMAINING)], {}, evidenceOf(hiding))).toEqual({});
});

describe('a second look leaves as they are', () => {
  /** Finds something in the third answer, if it looks at it. */
  const check = eachExchange(
    { requirement: 'listPets.ordered', probes: () => true, of: 'answered' },
    ({ exchange: { id } }) => (id === 3 ? { reason: 'wrong', expected: 'this', received: 'that' } : 'held'),
  );
  const hiding = { deviations: [deviationOf(LIMIT)], hidden: [deviationOf(REMAINING)] };

  test('exchanges in which nothing is hidden', () => {
    const evidence = changed({ 2: hiding, 3: { outcome: 'removed' } });
    expect(found([check], evidence)['listPets.ordered']).toMatchObject({ status: 'met', evidence: [1, 2] });
  });

  test('exchanges without a response', () => {
    const failure = { kind: 'reset', phase: 'headers', message: 'reset' } as const;
    const evidence = shown([...falling([59, 58]), { failure }]);
    expect(found([check], evidence)['listPets.ordered']).toMatchObject({ status: 'met', evidence: [1, 2] });
  });
});

describe('of several exchanges that hide something', () => {
  const behind = (owner: string, ...hidden: string[]) => ({
    deviations: [deviationOf(owner)],
    hidden: hidden.map(deviationOf),
  });

  test('the one with a header that is wrong names the owner of a header, not one with a wrong status', () => {
    const status = { ...deviationOf('authentication.first'), kind: 'status' };
    const evidence = changed({
      1: { deviations: [status], hidden: [deviationOf(LIMIT), deviationOf(REMAINING)] },
      2: behind(LIMIT, REMAINING),
    });
    const checks = ['authentication.first', LIMIT, REMAINING].map(owning);
    expect(found(checks, evidence)[REMAINING]).toMatchObject({ cause: LIMIT, evidence: [1, 2] });
    const shape = { ...deviationOf('Error.code'), kind: 'shape' };
    const andBody = { deviations: [deviationOf(LIMIT), shape], hidden: [deviationOf(REMAINING)] };
    expect(found(checks, changed({ 1: evidence.judged[0] ?? {}, 2: andBody }))[REMAINING]?.cause).toBe(LIMIT);
  });

  test('the one that shows the contradiction names its owner', () => {
    const evidence = changed({ 1: behind(LIMIT, 'a'), 2: behind('service.http', REMAINING) });
    expect(found([LIMIT, 'service.http', REMAINING].map(owning), evidence)[REMAINING]).toMatchObject({
      cause: 'service.http',
      evidence: [2],
    });
  });

  test('any that has an owner among the findings names it', () => {
    const evidence = changed({ 1: behind(LIMIT, REMAINING), 2: behind('service.http', REMAINING) });
    expect(found(['service.http', REMAINING].map(owning), evidence)[REMAINING]).toMatchObject({
      status: 'not-tested',
      cause: 'service.http',
      evidence: [1, 2],
    });
  });

  /** Finds what is wrong with Remaining, and cites these exchanges for it. */
  const citing = (cited: number[]): Check => ({
    ...owning(REMAINING),
    judge: (evidence) => {
      const finding = owning(REMAINING).judge(evidence);
      return finding.status === 'violated' ? { ...finding, evidence: cited } : finding;
    },
  });

  test('one that shows a violation by itself suffices, if its owner was not asked for', () => {
    const evidence = changed({ 1: behind(LIMIT, 'a'), 2: behind(LIMIT, REMAINING) });
    expect(found([citing([1, 2])], evidence)[REMAINING]).toMatchObject({
      status: 'violated',
      evidence: [1, 2],
    });
  });

  test.each([[[1, 2]], [[3]]])('one that hides nothing names no owner, though it is cited: %j', (cited) => {
    const status = { ...deviationOf('authentication.first'), kind: 'status' };
    const evidence = evidenceOf({ deviations: [status], hidden: [deviationOf(REMAINING)] });
    const known = { 'listPets.ordered': violated(deviationOf('listPets.ordered'), [1, 3]) };
    const checks = [owning('authentication.first'), citing(cited)];
    expect(found(checks, evidence, known)[REMAINING]).toMatchObject({
      status: 'not-tested',
      untested: 'contradicted',
      cause: 'authentication.first',
      evidence: cited,
    });
  });

  test('what is hidden for another requirement shows no violation by itself', () => {
    const above: Check = {
      ...owning(REMAINING),
      judge: ({ judged }) =>
        judged.some((each) => each.isRevealed)
          ? violated(deviationOf(REMAINING), [2])
          : vacuous('nothing came'),
    };
    expect(found([above], changed({ 2: behind(LIMIT, 'a') }))[REMAINING]).toMatchObject({
      status: 'not-tested',
      untested: 'contradicted',
      cause: LIMIT,
    });
  });
});

test('a finding that cites other exchanges as well owns those that nothing else does', () => {
  const known = { 'getStoreOrders.exists': violated(deviationOf('it'), [1, 2]) };
  const hidden = [deviationOf(REMAINING)];
  expect(found([owning(REMAINING)], evidenceOf({ hidden }), known)[REMAINING]?.cause).toBe(
    'getStoreOrders.exists',
  );
});
