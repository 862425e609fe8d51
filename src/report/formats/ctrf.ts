import type { CTRFReport, Test, TestStatus } from 'ctrf';
import { lineOf } from '../../model/report/finding-lines.ts';
import { isViolation, knownAs, type Report, type RequirementResult } from '../../model/report/report.ts';
import { shown } from '../../model/visible.ts';
import { consequencesLast } from '../facts/consequences.ts';
import { judgedOf, whyNotJudged } from '../facts/verdict.ts';

/** The version of the Common Test Report Format (https://ctrf.io). */
const CTRF_VERSION = '0.0.0';

/** The report in the Common Test Report Format: a test for each requirement. Its `rawStatus` is petspec's status. */
export function renderCtrf(report: Report): string {
  const safe = shown({ ...report, exchanges: [] });
  const { suite, target, verdict, because, rootCause, hints, narrowed, requests, virtualTime } = safe;
  const tests = consequencesLast(safe.requirements).map((requirement) => test(safe, requirement));
  const countOf = (status: TestStatus) => tests.filter((entry) => entry.status === status).length;
  const document: CTRFReport = {
    reportFormat: 'CTRF',
    specVersion: CTRF_VERSION,
    timestamp: report.finishedAt,
    generatedBy: `petspec ${suite.version}`,
    results: {
      tool: {
        name: 'petspec',
        version: suite.version,
        extra: { specVersion: suite.specVersion, specDigest: suite.specDigest },
      },
      summary: {
        tests: tests.length,
        passed: countOf('passed'),
        failed: countOf('failed'),
        skipped: countOf('skipped'),
        pending: countOf('pending'),
        other: countOf('other'),
        suites: new Set(safe.requirements.map(({ section }) => section)).size,
        start: Date.parse(report.startedAt),
        stop: Date.parse(report.finishedAt),
        duration: Math.round(report.durationMs),
        extra: {
          verdict,
          because,
          judged: judgedOf(report),
          rootCause,
          hints,
          narrowed,
          requests,
          virtualTime,
        },
      },
      tests,
      environment: { appName: target.baseUrl, extra: { ...target } },
    },
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function test(report: Report, result: RequirementResult): Test {
  const { id, level, section, operation, statement, status, exercised } = result;
  const { expected, received, pointer, curl, reproduce, cause, occurrences, confirmation, evidence, waived } =
    result;
  const message = whyNotJudged(result) ?? lineOf(result);
  return {
    name: `${id}: ${statement}`,
    testId: id,
    status: statusOf(report, result),
    rawStatus: status,
    // A request tests many requirements, so a single requirement has no duration.
    duration: 0,
    suite: [section],
    tags: [level, ...(operation ? [operation] : [])],
    ...(message === '' ? {} : { message }),
    extra: {
      level,
      exercised,
      expected,
      received,
      pointer,
      occurrences,
      confirmation,
      curl,
      reproduce,
      cause,
      evidence,
      waived,
    },
  };
}

/** Advisories and known violations neither pass nor fail. Requirements that were not judged are skipped. */
function statusOf(report: Report, result: RequirementResult): TestStatus {
  if (knownAs(report, result.id) !== undefined) return 'other';
  if (isViolation(report, result)) return 'failed';
  if (whyNotJudged(result) !== undefined) return 'skipped';
  return result.status === 'met' ? 'passed' : 'other';
}
