import { max } from 'd3-array';
import { counted, type Verdict } from '../model/report/report.ts';
import { shown } from '../model/visible.ts';
import { paragraph, type TextLayout, VERDICT_COLORS } from '../report/text/style.ts';
import {
  type Course,
  type PastRun,
  type RequirementCourse,
  verdictSince,
  verdictWordsOf,
  violationsByRun,
} from './course.ts';
import type { EntryStatus } from './entry.ts';

/** Runs that a row of marks or bars shows. */
const MAX_RUNS = 50;

const VERDICT_MARKS: Readonly<Record<Verdict, string>> = {
  conformant: '✓',
  'non-conformant': '✗',
  incomplete: '-',
};

const STATUS_MARKS: Readonly<Record<EntryStatus, string>> = {
  met: '✓',
  unexercised: '✓',
  violated: '✗',
  advisory: '!',
  observed: ' ',
  'not-tested': '-',
};

/** The courses of implementations as text: trends, what got better or worse, violations, and flickering requirements. */
export function renderHistory(courses: readonly Course[], page: TextLayout): string {
  return courses.map((course) => `${courseLines(shown(course), page).join('\n')}\n`).join('\n');
}

function courseLines(course: Course, page: TextLayout): string[] {
  const { name, runs, requirements } = course;
  const { style, width } = page;
  const room = Math.max(1, Math.min(MAX_RUNS, width - 60));
  const last = runs.at(-1) ?? runs[0];
  const since = runs[verdictSince(course)] ?? last;
  const violations = violationsByRun(course);
  const latencies = runs.map(({ latency }) => latency?.median);
  const row = (label: string, marks: string, words: string) =>
    paragraph(`  ${label.padEnd(9)}`, `${marks}  ${words}`, 11, width);
  const marks = runs
    .slice(-room)
    .map(({ verdict }) => style(VERDICT_COLORS[verdict], VERDICT_MARKS[verdict]));
  const changed = (change: RequirementCourse['change']) =>
    requirements.filter((requirement) => requirement.change === change);
  return [
    paragraph('', `${style('bold', name)}: ${counted(runs.length, 'run')}, ${span(runs)}`, 2, width),
    row('verdict', marks.join(''), `${verdictWordsOf(last)} since ${at(since)}; ${last.because}`),
    row(
      'violated',
      trend(violations.slice(-room)),
      `${counted(violations.at(-1) ?? 0, 'requirement')} in the last run`,
    ),
    ...(last.latency
      ? [
          row(
            'latency',
            trend(latencies.slice(-room)),
            `median ${last.latency.median} ms, 95% within ${last.latency.p95} ms`,
          ),
        ]
      : []),
    ...idLines('red', 'worse than the run before', changed('worse'), page),
    ...idLines('green', 'better than the run before', changed('better'), page),
    ...list(
      'violated',
      requirements.filter(({ violatedSince }) => violatedSince !== undefined),
      ({ violatedSince = 0, status }) =>
        `since ${at(runs[violatedSince] ?? last)}, ${counted(runs.length - violatedSince, 'run')}${status === 'not-tested' || status === undefined ? '; not judged in the last run' : ''}`,
      page,
    ),
    ...list(
      'flickers',
      requirements.filter(({ flickers }) => flickers !== undefined),
      ({ flickers = 0, statuses }) =>
        `${statuses
          .slice(-room)
          .map((status) => (status ? STATUS_MARKS[status] : ' '))
          .join('')}  changed ${counted(flickers, 'time')}`,
      page,
    ),
  ];
}

function idLines(
  color: 'red' | 'green',
  title: string,
  requirements: readonly RequirementCourse[],
  { style, width }: TextLayout,
): string[] {
  if (requirements.length === 0) return [];
  const ids = requirements.map(({ id }) => id).join(', ');
  return [paragraph(`  ${style(color, title)}: `, ids, 4, width)];
}

function list(
  title: string,
  requirements: readonly RequirementCourse[],
  words: (requirement: RequirementCourse) => string,
  { style, width }: TextLayout,
): string[] {
  if (requirements.length === 0) return [];
  const idWidth = Math.min(40, max(requirements, ({ id }) => id.length) ?? 0);
  return [
    `  ${style('bold', title)} (${requirements.length}):`,
    ...requirements.map((requirement) =>
      paragraph('    ', `${requirement.id.padEnd(idWidth)}  ${words(requirement)}`, 6, width),
    ),
  ];
}

/** `2026-09-01 to 2026-10-02, the last of release 1.4.0`. */
function span(runs: Course['runs']): string {
  const days = [runs[0], runs.at(-1) ?? runs[0]].map(({ startedAt }) => startedAt.slice(0, 10));
  const release = runs.at(-1)?.release;
  return `${[...new Set(days)].join(' to ')}${release === undefined ? '' : `, the last of release ${release}`}`;
}

/** `2026-09-01 (release 1.4.0)`. */
function at({ startedAt, release }: PastRun): string {
  return `${startedAt.slice(0, 10)}${release === undefined ? '' : ` (release ${release})`}`;
}

const BARS = '▁▂▃▄▅▆▇█';

/** Numbers as a row of bars on a scale from zero. Only zero gets the lowest bar; a missing number is a blank. */
export function trend(values: readonly (number | undefined)[]): string {
  const largest = Math.max(0, ...values.filter((value) => value !== undefined));
  return values
    .map((value) => {
      if (value === undefined) return ' ';
      // Next to a run with a hundred violations, a run with one must not look like a run with none.
      const height = value === 0 ? 0 : Math.max(1, Math.round((value / largest) * (BARS.length - 1)));
      return BARS[height] ?? ' ';
    })
    .join('');
}
