import { confirmationLine, lineOf, occurrenceLine } from '../../model/report/finding-lines.ts';
import {
  isViolation,
  knownAs,
  type Report,
  type RequirementResult,
  reproductionOf,
} from '../../model/report/report.ts';
import { shown } from '../../model/visible.ts';
import { consequencesLast } from '../facts/consequences.ts';
import { mustsJudged, whyNotJudged } from '../facts/verdict.ts';
import { type XmlElement, xmlOf } from './xml.ts';

/**
 * The report as JUnit XML, in the dialect that GitHub, GitLab and Jenkins can read: a suite for each section, a case for each
 * requirement. A reason is both an attribute (for Jenkins and GitHub's actions) and text (for GitLab). A `failure` is a
 * violation that is not in the baseline. There are no `error`s.
 */
export function renderJunit(report: Report): string {
  const safe = shown({ ...report, exchanges: [] });
  const sections = [...new Set(safe.requirements.map(({ section }) => section))];
  return xmlOf({
    testsuites: {
      '@name': 'petspec',
      ...counts(report, safe.requirements),
      '@time': seconds(report.durationMs),
      testsuite: sections.map((section) => suite(safe, section)),
    },
  });
}

function suite(report: Report, section: string): XmlElement {
  const { suite: judge, target, verdict, because } = report;
  const requirements = report.requirements.filter((requirement) => requirement.section === section);
  const run = {
    verdict,
    judged: mustsJudged(report),
    because,
    'root-cause': report.rootCause?.statement,
    target: target.baseUrl,
    petspec: judge.version,
    'virtual-time': report.virtualTime ? 'true' : undefined,
    interface: `${judge.interface === undefined ? '' : `${judge.interface} `}${judge.specVersion} ${judge.specDigest}`,
  };
  return {
    '@name': section,
    ...counts(report, requirements),
    '@skipped': requirements.filter((requirement) => skipped(report, requirement) !== undefined).length,
    // A request tests many requirements, so a single requirement has no duration.
    '@time': '0',
    '@timestamp': report.startedAt.slice(0, 'YYYY-MM-DDThh:mm:ss'.length),
    properties: properties(run),
    testcase: consequencesLast(requirements).map((requirement) => testCase(report, requirement)),
  };
}

function counts(report: Report, requirements: readonly RequirementResult[]): XmlElement {
  const failures = requirements.filter(
    (requirement) => isViolation(report, requirement) && skipped(report, requirement) === undefined,
  ).length;
  return { '@tests': requirements.length, '@failures': failures, '@errors': 0 };
}

/** Why a case is skipped: the requirement was not judged, or its violation is waived or known. */
function skipped(report: Report, result: RequirementResult): string | undefined {
  if (result.waived !== undefined) return `waived: ${result.waived}`;
  const comment = knownAs(report, result.id);
  return comment === undefined ? whyNotJudged(result) : `known violation: ${comment}`;
}

function testCase(report: Report, result: RequirementResult): XmlElement {
  const { id, level, section, operation, statement, status, exercised } = result;
  const values = {
    id,
    level,
    section,
    operation: operation || undefined,
    status,
    exercised: String(exercised),
  };
  return {
    '@classname': section,
    '@name': `${id}: ${statement}`,
    '@time': '0',
    properties: properties(values),
    ...outcome(report, result),
  };
}

function outcome(report: Report, result: RequirementResult): XmlElement {
  const { status, reason } = result;
  const why = skipped(report, result);
  if (why !== undefined) return { skipped: { '@message': why, '#text': why } };
  if (isViolation(report, result))
    return {
      failure: {
        '@message': lineOf(result),
        '@type': status,
        '#text': `${details(result)}${causeOf(report, result)}`,
      },
    };
  const remark = status === 'advisory' ? `advisory\n${details(result)}` : reason;
  return remark === '' ? {} : { 'system-out': remark };
}

/** A line with the root cause of a finding. */
function causeOf({ rootCause }: Report, { id }: RequirementResult): string {
  return rootCause?.requirements.includes(id) ? `\nroot cause: ${rootCause.statement}` : '';
}

function details(result: RequirementResult): string {
  const { reason, expected, received, pointer } = result;
  const { script, warning } = reproductionOf(result) ?? {};
  const lines = script?.includes('\n') ? `\n${script}` : script;
  const reproduce = lines ?? result.unrepeatable?.text;
  const where = occurrenceLine(result);
  const confirmation = confirmationLine(result);
  const named = Object.entries({
    in: where,
    expected,
    received,
    at: pointer,
    again: confirmation,
    warning,
    reproduce,
  });
  return [reason, ...named.flatMap(([name, text]) => (text ? [`${name}: ${text}`] : []))].join('\n');
}

function properties(values: Record<string, string | undefined>): XmlElement {
  return {
    property: Object.entries(values).flatMap(([name, value]) =>
      value === undefined ? [] : [{ '@name': name, '@value': value }],
    ),
  };
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}
