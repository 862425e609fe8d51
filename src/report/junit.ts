import type { Report, RequirementResult } from './model.ts';
import { visible } from './visible.ts';

/**
 * The report as JUnit XML: a suite for each section, a case for each requirement. Reasons stand in an attribute and
 * in the text, since readers take the one or the other. `failure` is a violation; nothing here is an `error`.
 */
export function renderJunit(report: Report): string {
  const sections = [...new Set(report.requirements.map(({ section }) => section))];
  const seconds = (report.durationMs / 1000).toFixed(3);
  const suites = sections.map((section) =>
    suite(
      section,
      report.requirements.filter((each) => each.section === section),
      report,
    ),
  );
  const totals = counts(report.requirements);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="petspec" ${totals} time="${seconds}">\n${suites.join('')}</testsuites>\n`;
}

function suite(section: string, requirements: readonly RequirementResult[], report: Report): string {
  const cases = requirements.map(testCase).join('');
  return `  <testsuite name="${escaped(section)}" ${counts(requirements)} time="0" timestamp="${report.startedAt.slice(0, 19)}">\n${cases}  </testsuite>\n`;
}

function counts(requirements: readonly RequirementResult[]): string {
  const of = (status: string) => requirements.filter((each) => each.status === status).length;
  return `tests="${requirements.length}" failures="${of('violated')}" errors="0" skipped="${of('not-tested')}"`;
}

function testCase(result: RequirementResult): string {
  const { id, level, section, statement, status, reason } = result;
  const properties = Object.entries({ id, level, section, status, exercised: String(result.exercised) })
    .map(([name, value]) => `        <property name="${name}" value="${escaped(value)}"/>\n`)
    .join('');
  const head = `    <testcase classname="${escaped(section)}" name="${escaped(`${id}: ${statement}`)}" time="0">\n      <properties>\n${properties}      </properties>\n`;
  const details = [
    reason,
    detail('expected', result.expected),
    detail('received', result.received),
    detail('at', result.pointer),
    result.curl ?? '',
  ];
  const text = escaped(
    details
      .filter((each) => each !== '')
      .map(visible)
      .join('\n'),
  );
  const why = escaped(visible(reason));
  if (status === 'violated')
    return `${head}      <failure message="${why}" type="violated">${text}</failure>\n    </testcase>\n`;
  if (status === 'not-tested')
    return `${head}      <skipped message="${why}">${why}</skipped>\n    </testcase>\n`;
  const remark = status === 'advisory' ? `advisory\n${text}` : escaped(visible(result.observed ?? ''));
  return `${head}${remark === '' ? '' : `      <system-out>${remark}</system-out>\n`}    </testcase>\n`;
}

function detail(name: string, value: string | undefined): string {
  return value ? `${name}: ${value}` : '';
}

/** Text for XML: what `visible` left is allowed in XML 1.0, but for what has a meaning there. */
function escaped(text: string): string {
  return text
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
    .replace(/[\ufffe\uffff]/g, '?');
}
