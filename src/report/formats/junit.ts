import XMLBuilder from 'fast-xml-builder';
import {
  isViolation,
  knownAs,
  type Report,
  type RequirementResult,
  reproductionOf,
} from '../../model/report/report.ts';
import { shown } from '../../model/visible.ts';
import { mustsJudged } from '../verdict.ts';

/**
 * The report as JUnit XML, in the dialect that GitHub's, GitLab's and Jenkins' readers share: a suite for each section,
 * a case for each requirement. Reasons stand in an attribute and in the text, since readers take the one or the other
 * (GitLab the text, Jenkins and GitHub's actions the attribute). `failure` is a violation, unless a baseline knows it;
 * nothing here is an `error`.
 */
export function renderJunit(report: Report): string {
  const safe = shown({ ...report, exchanges: [] });
  const sections = [...new Set(safe.requirements.map(({ section }) => section))];
  const document = {
    '?xml': { '@version': '1.0', '@encoding': 'UTF-8' },
    testsuites: {
      '@name': 'petspec',
      ...counts(report, safe.requirements),
      '@time': seconds(report.durationMs),
      testsuite: sections.map((section) => suite(safe, section)),
    },
  };
  return new XMLBuilder({
    attributeNamePrefix: '@',
    ignoreAttributes: false,
    // The default writes value="true" as a bare `value`, which is no XML.
    suppressBooleanAttributes: false,
    format: true,
    suppressEmptyNode: true,
  }).build(document);
}

/** What the builder makes an element of: `@` names are attributes, `#text` is the content, lists are repeated. */
interface Element {
  [name: string]: string | number | Element | Element[];
}

function suite(report: Report, section: string): Element {
  const { suite: judge, target, verdict, because } = report;
  const own = report.requirements.filter((each) => each.section === section);
  const run = {
    verdict,
    judged: mustsJudged(report),
    because,
    ...(report.rootCause ? { 'root-cause': report.rootCause.statement } : {}),
    target: target.baseUrl,
    petspec: judge.version,
    interface: `${judge.specVersion} ${judge.specDigest}`,
  };
  return {
    '@name': section,
    ...counts(report, own),
    '@skipped': own.filter((each) => skipped(report, each) !== undefined).length,
    // Requests serve many requirements: there is no time of a single one.
    '@time': '0',
    '@timestamp': report.startedAt.slice(0, 'YYYY-MM-DDThh:mm:ss'.length),
    properties: properties(run),
    testcase: own.map((each) => testCase(report, each)),
  };
}

function counts(report: Report, requirements: readonly RequirementResult[]): Element {
  const failures = requirements.filter(
    (each) => isViolation(report, each) && skipped(report, each) === undefined,
  ).length;
  return { '@tests': requirements.length, '@failures': failures, '@errors': 0 };
}

/** Why a case is neither passed nor failed: it was not tested, or its violation is known. */
function skipped(report: Report, { id, status, reason }: RequirementResult): string | undefined {
  const comment = knownAs(report, id);
  if (comment !== undefined) return `violated, as is known: ${comment}`;
  return status === 'not-tested' ? reason : undefined;
}

function testCase(report: Report, result: RequirementResult): Element {
  const { id, level, section, operation, statement, status, exercised } = result;
  const known = {
    id,
    level,
    section,
    ...(operation ? { operation } : {}),
    status,
    exercised: String(exercised),
  };
  return {
    '@classname': section,
    '@name': `${id}: ${statement}`,
    '@time': '0',
    properties: properties(known),
    ...outcome(report, result),
  };
}

function outcome(report: Report, result: RequirementResult): Element {
  const { status, reason, observed } = result;
  const why = skipped(report, result);
  if (why !== undefined) return { skipped: { '@message': why, '#text': why } };
  if (isViolation(report, result))
    return {
      failure: {
        '@message': reason,
        '@type': status,
        '#text': `${details(result)}${causeOf(report, result)}`,
      },
    };
  const remark = status === 'advisory' ? `advisory\n${details(result)}` : (observed ?? reason);
  return remark === '' ? {} : { 'system-out': remark };
}

/** The root cause that a finding follows from, as a line of its own. */
function causeOf({ rootCause }: Report, { id }: RequirementResult): string {
  return rootCause?.requirements.includes(id) ? `\nroot cause: ${rootCause.statement}` : '';
}

function details(result: RequirementResult): string {
  const { reason, expected, received, pointer } = result;
  const { script, warning } = reproductionOf(result) ?? {};
  const repeat = script?.includes('\n') ? `\n${script}` : script;
  const named = Object.entries({ expected, received, at: pointer, warning, repeat });
  return [reason, ...named.flatMap(([name, text]) => (text ? [`${name}: ${text}`] : []))].join('\n');
}

function properties(values: Record<string, string>): Element {
  return { property: Object.entries(values).map(([name, value]) => ({ '@name': name, '@value': value })) };
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}
