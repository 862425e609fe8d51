import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { FAULTS_OF_KIND, withTable } from '../../scripts/bug-reports.ts';
import { loadContract } from '../../src/contract/load.ts';
import { BUG_KINDS, byReports, readBugReports } from '../../src/probes/surplus/after-recovery/reported.ts';
import { faults } from '../../src/reference/faults/index.ts';
import { afterRecoveryOf, probesOf } from '../../src/run/plan/probes.ts';
import { faultConditions } from '../../src/selfcheck/sensitivity/sensitivity.ts';
import { allChecks } from '../../suites/index.ts';

const reports = readBugReports();
const contract = loadContract();
const checks = allChecks(contract);
const probes = [...probesOf(contract, checks, 0), ...afterRecoveryOf(contract, checks, 0)];

test('each bug report has a known kind, an area, what was sent and received, and an address that others can open', () => {
  expect(reports.length).toBeGreaterThanOrEqual(200);
  for (const each of reports) {
    expect(BUG_KINDS).toHaveProperty(each.kind);
    expect(each.area).toMatch(
      /^(authentication|body parser|cache|database|framework|gateway|limiter|router|serializer|server|validator)$/,
    );
    expect(each.sent).not.toBe('');
    expect(each.received).not.toBe('');
    expect(each.source).toMatch(/^https:\/\/github\.com\/[\w.-]+\/[\w.-]+\/(issues|pull)\/\d+$/);
  }
});

test('no bug report is listed twice for one kind', () => {
  const listed = reports.map(({ kind, source }) => `${kind} ${source}`);
  expect(new Set(listed).size).toBe(listed.length);
});

test('each kind has three reports or more', () => {
  const few = Object.keys(BUG_KINDS).filter(
    (kind) => reports.filter((each) => each.kind === kind).length < 3,
  );
  expect(few).toEqual([]);
});

test.each(Object.entries(BUG_KINDS))('%s has a probe and faults, or a reason', (kind, each) => {
  if (each.outOfReach !== undefined) return expect(FAULTS_OF_KIND).not.toHaveProperty(kind);
  expect(probes.filter(({ id }) => each.probes?.test(id))).not.toEqual([]);
  const known = new Set(faults.map(({ id }) => id));
  expect(FAULTS_OF_KIND[kind]?.length).toBeGreaterThan(0);
  expect(FAULTS_OF_KIND[kind]?.filter((id) => !known.has(id))).toEqual([]);
});

/** What is left over of a refused body shows in the request after it. */
const AFTER_REFUSAL = /^before:\w+ 40[01]$/;

test.each(Object.keys(FAULTS_OF_KIND))('a probe of %s shows one of its faults', (kind) => {
  const shown = faultConditions().filter(
    ({ probe, anyOf }) =>
      BUG_KINDS[kind]?.probes?.test(probe) ||
      (kind === 'left-over-body' && anyOf.flat().some((each) => AFTER_REFUSAL.test(each))),
  );
  const ids = new Set(shown.map(({ fault }) => fault));
  expect(FAULTS_OF_KIND[kind]?.filter((id) => ids.has(id))).not.toEqual([]);
});

test('probes of frequent bugs come first, without those of rare bugs at the end, and each kind keeps its order', () => {
  const ids = ['further-chunked', 'further-cut', 'further-comment', 'x'].map((id) => `createPet:${id}`);
  const named = ids.flatMap((id) => ({ ...probes[0], id }) as (typeof probes)[number]);
  // 13 reports of JSON that is malformed, 6 of bodies in chunks, and a probe that looks for nothing known.
  expect(byReports(named).map(({ id }) => id.slice(10))).toEqual([
    'further-cut',
    'further-comment',
    'further-chunked',
    'x',
  ]);
});

test('the page on bug reports has the table of the reports', () => {
  const page = readFileSync(new URL('../../docs/bug-reports.md', import.meta.url), 'utf8');
  expect(withTable(page, reports)).toBe(page);
  expect(withTable(page, [])).not.toBe(page);
});
