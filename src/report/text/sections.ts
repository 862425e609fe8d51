import { group, max } from 'd3-array';
import { counted, isViolation, type Report, type RequirementResult } from '../../model/report/report.ts';
import { paragraph, type TextLayout } from './style.ts';

/** How a section came out. The mark says it, also without color. */
const MARKS = {
  good: ['✓', 'green'],
  bad: ['✗', 'red'],
  advisory: ['!', 'yellow'],
  untested: ['-', 'yellow'],
} as const;

/**
 * A line for each section of the interface that has something to judge: how it came out, its requirements, and the
 * requests that put them to the test. Sections that an option left out as a whole have none.
 */
export function sectionLines(report: Report, { style, width }: TextLayout): string[] {
  const requests = new Map(report.sections?.map((each) => [each.name, each.requests]));
  const leftOut = new Set(report.narrowed.flatMap(({ requirements }) => requirements));
  const judged = report.requirements.filter(({ level }) => level !== 'open');
  const sections = [...group(judged, ({ section }) => section)].filter(([, results]) =>
    results.some(({ id, status }) => status !== 'not-tested' || !leftOut.has(id)),
  );
  const nameWidth = max(sections, ([name]) => name.length) ?? 0;
  return sections.map(([name, results]) => {
    const [mark, color] = MARKS[outcomeOf(report, results)];
    const words = wordsOf(report, results, requests.get(name));
    return paragraph(`${style(color, mark)} `, `${name.padEnd(nameWidth)}  ${words}`, 2, width);
  });
}

function outcomeOf(report: Report, results: readonly RequirementResult[]): keyof typeof MARKS {
  if (results.some((each) => isViolation(report, each))) return 'bad';
  if (results.some(({ status }) => status === 'advisory')) return 'advisory';
  return results.some(({ status }) => status === 'not-tested') ? 'untested' : 'good';
}

/** `5 requirements, 14 requests`, `2 of 5 requirements violated, 14 requests; 1 not tested`. */
function wordsOf(
  report: Report,
  results: readonly RequirementResult[],
  requests: number | undefined,
): string {
  const count = (isCounted: (each: RequirementResult) => boolean) => results.filter(isCounted).length;
  const all = counted(results.length, 'requirement');
  const violated = count((each) => isViolation(report, each));
  const untested = count(({ status }) => status === 'not-tested');
  const advisories = report.strict ? 0 : count(({ status }) => status === 'advisory');
  // A refusal by the limiter judges some requirements whose own requests were not sent.
  const isUnsent = requests === undefined || (requests === 0 && untested < results.length);
  const sent = isUnsent ? '' : `, ${counted(requests, 'request')}`;
  return [
    `${violated === 0 ? all : `${violated} of ${all} violated`}${sent}`,
    ...(advisories === 0 ? [] : [counted(advisories, 'advisory', 'advisories')]),
    ...(untested === 0 ? [] : [`${untested} not tested`]),
  ].join('; ');
}
