import { group, max } from 'd3-array';
import { confirmationLine, occurrenceLine } from '../../model/report/finding-lines.ts';
import {
  counted,
  isSeen,
  isViolation,
  type Report,
  type RequirementResult,
  reproductionOf,
} from '../../model/report/report.ts';
import { notACommand, shown } from '../../model/visible.ts';
import { consequencesOf, followsFromOther } from '../facts/consequences.ts';
import { recordingLines } from '../facts/request-counts.ts';
import { coverageText, coveredLine, sensitivityText, undocumentedText } from './coverage.ts';
import { endOfRun } from './end-of-run.ts';
import { gapLines } from './run-plan.ts';
import { paragraph, plain, type TextLayout } from './style.ts';
import { baseline, isNothingThere, newer, rootCauseText, totals, verdictLine } from './verdict-lines.ts';

export interface TerminalPage extends TextLayout {
  /** `quiet`: only the violations and the verdict. `verbose`: all findings, with what was sent and received. */
  detail: 'quiet' | 'usual' | 'verbose';
  /** How long the run took, in seconds. */
  seconds?: number;
}

/** A report as text for the terminal. Commands are not wrapped, so that they can be copied. */
export function renderReport(report: Report, page: TerminalPage): string {
  const safe = shown({ ...report, exchanges: [] });
  return page.detail === 'usual' ? endOfRun(safe, page) : everyFinding(safe, page);
}

/**
 * All findings, the most important last: a line for each section, what was not tested, advisories, the root cause,
 * violations, their consequences, and the verdict.
 */
function everyFinding(safe: Report, page: TerminalPage): string {
  const consequences = page.detail === 'verbose' ? undefined : consequencesOf(safe);
  const independent = safe.requirements.filter((requirement) => !consequences?.has(requirement));
  const { style } = page;
  const isViolated = (result: RequirementResult) => isViolation(safe, result);
  const withStatus = (status: string) =>
    independent.filter((requirement) => requirement.status === status && !isViolated(requirement));
  const rootCause = rootCauseText(safe, consequences, page);
  const violated = problems('Violated', independent.filter(isViolated), style('red', '✗'), page);
  const verdict = `${verdictLine(safe, page)}\n`;
  // If the service cannot be reached or refuses the key, the verdict says what to fix.
  if (violated === '' && isNothingThere(safe)) return joined([rootCause, verdict]);
  const compared = baseline(safe, page.width);
  if (page.detail === 'quiet') return joined([rootCause, violated, compared, verdict]);
  const sections = sectionLines(safe, page);
  const observed = withStatus('observed').filter(isSeen);
  const unexplained = withStatus('not-tested').filter((result) => !followsFromOther(result));
  const following = withStatus('not-tested').filter(followsFromOther);
  return joined([
    sections.map((line) => `${line}\n`).join(''),
    block(
      'Observed where the interface leaves it open',
      observed.map((result) => paragraph('  ', `${result.id}: ${result.observed ?? ''}`, 6, page.width)),
    ),
    block('Not tested', untested(safe, unexplained, page), unexplained.length),
    recording(safe, page),
    coverageText(safe, page),
    undocumentedText(safe, page),
    notSent(safe, page),
    gaps(safe, page),
    problems('Advisories', withStatus('advisory'), style('yellow', '!'), page),
    rootCause,
    violated,
    block('Follows from other findings', untested(safe, following, page), following.length),
    compared,
    `${paragraph('', totals(safe, page.seconds), 0, page.width)}\n${coveredLine(safe, page)}${sensitivityText(safe, page)}${newer(safe, page.width)}`,
    verdict,
  ]);
}

/** The parts of the document that petspec does not judge. */
function gaps({ gaps: allGaps = [] }: Report, { width }: TerminalPage): string {
  const lines = gapLines(allGaps).map((line) => paragraph('  ', line, 6, width));
  return block('Said by the document and not judged', lines, allGaps.length);
}

/** Probes that were not sent and are named. */
const MAX_UNSENT = 8;

/** The probes for which the window after the recovery had no room. */
function notSent({ noRoom }: Report, { width }: TerminalPage): string {
  if (!noRoom) return '';
  const { sent, unsent } = noRoom;
  const more = unsent.length - MAX_UNSENT;
  const names =
    unsent.slice(0, MAX_UNSENT).join(', ') + (more > 0 ? ` and ${more} more, in report.json` : '');
  const title = `Not sent, as the limit gave back room for ${counted(sent, 'request')} after the recovery`;
  return block(title, [paragraph('  ', names, 2, width)], unsent.length);
}

/** The recordings, and which of their entries were not judged. */
function recording({ recording: result }: Report, { width }: TerminalPage): string {
  const lines = recordingLines(result).map((line) => paragraph('  ', line, 4, width));
  return block('Recorded', lines, result?.files.length);
}

function joined(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n');
}

function block(title: string, lines: readonly string[], count = lines.length): string {
  return lines.length === 0 ? '' : `${title} (${count})\n${lines.join('\n')}\n`;
}

function problems(
  title: string,
  results: readonly RequirementResult[],
  mark: string,
  page: TerminalPage,
): string {
  const entries = results.map((result) => problem(result, mark, page));
  return block(title, entries.length === 0 ? [] : [entries.join('\n\n')], entries.length);
}

/** A violation as the terminal shows it, in plain text without hidden characters. */
export function renderFinding(result: RequirementResult): string {
  const page: TerminalPage = { style: plain, width: Number.POSITIVE_INFINITY, detail: 'usual' };
  return problem(shown(result), '✗', page).trimStart();
}

function problem(result: RequirementResult, mark: string, { style, width }: TerminalPage): string {
  const { id, statement, section, reason, expected, received, pointer, traceId, waived } = result;
  const fields = [
    ['in', 'in', occurrenceLine(result)],
    ['expected', style('green', 'expected'), expected],
    ['received', style('red', 'received'), received],
    ['at', 'at', pointer ? `${pointer} of the body` : undefined],
    ['again', 'again', confirmationLine(result)],
    ['trace', 'trace', traceId],
    ['waived', 'waived', waived],
  ] as const;
  const lines = [
    paragraph(`  ${mark} `, `${style('bold', id)}  ${statement} ${style('dim', `[${section}]`)}`, 4, width),
    paragraph('    ', reason, 4, width),
    ...fields.flatMap(([name, label, text]) =>
      text === undefined ? [] : [paragraph(`      ${label}${' '.repeat(10 - name.length)}`, text, 16, width)],
    ),
    ...reproduction(result),
  ];
  return lines.join('\n');
}

/** The lines of the script that reproduces a violation, and its warning. */
function reproduction(result: RequirementResult): string[] {
  const { script, warning } = reproductionOf(result) ?? {};
  if (result.unrepeatable) return [`      ${notACommand(result.unrepeatable.text)}`];
  if (script === undefined) return [];
  const lines = script.split('\n');
  const shell = lines.length > 1 ? ' in bash' : '';
  const cost = warning === undefined ? '' : ` (${warning})`;
  return [`      reproduce${shell} with${cost}:`, ...lines.map((line) => notACommand(`      ${line}`))];
}

/** What was not tested, by reason. Requirements that the user did not select are only counted, because the user knows them. */
function untested(
  { narrowed }: Report,
  results: readonly RequirementResult[],
  { width }: TerminalPage,
): string[] {
  const unselected = narrowed.filter(({ kind }) => kind === 'selection');
  const unwanted = new Set(unselected.flatMap(({ requirements }) => requirements));
  const byReason = group(results, ({ reason }) => reason);
  return [...byReason].flatMap(([why, resultsOfReason]) =>
    resultsOfReason.every(({ id }) => unwanted.has(id))
      ? [paragraph('  ', `${why}: ${resultsOfReason.length}; report.json lists them`, 4, width)]
      : [
          paragraph('  ', `${why}:`, 2, width),
          paragraph('      ', resultsOfReason.map(({ id }) => id).join(', '), 6, width),
        ],
  );
}

/** The mark and the color of each outcome of a section. The mark alone says it without color. */
const MARKS = {
  good: ['✓', 'green'],
  bad: ['✗', 'red'],
  advisory: ['!', 'yellow'],
  untested: ['-', 'yellow'],
} as const;

/**
 * A line for each section of the interface with something to judge: its outcome, its requirements, and the requests that test
 * them. A section that options left out completely has no line.
 */
export function sectionLines(report: Report, { style, width }: TextLayout): string[] {
  const requests = new Map(report.sections?.map((section) => [section.name, section.requests]));
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
  if (results.some((result) => isViolation(report, result))) return 'bad';
  if (results.some(({ status }) => status === 'advisory')) return 'advisory';
  return results.some(({ status }) => status === 'not-tested') ? 'untested' : 'good';
}

/** `5 requirements, 14 requests`, `2 of 5 requirements violated, 14 requests; 1 not tested`. */
function wordsOf(
  report: Report,
  results: readonly RequirementResult[],
  requests: number | undefined,
): string {
  const count = (isCounted: (result: RequirementResult) => boolean) => results.filter(isCounted).length;
  const requirements = counted(results.length, 'requirement');
  const violated = count((result) => isViolation(report, result));
  const untested = count(({ status }) => status === 'not-tested');
  const advisories = report.strict ? 0 : count(({ status }) => status === 'advisory');
  // A 429 judges some requirements for which no request was sent.
  const isUnsent = requests === undefined || (requests === 0 && untested < results.length);
  const sent = isUnsent ? '' : `, ${counted(requests, 'request')}`;
  return [
    `${violated === 0 ? requirements : `${violated} of ${requirements} violated`}${sent}`,
    ...(advisories === 0 ? [] : [counted(advisories, 'advisory', 'advisories')]),
    ...(untested === 0 ? [] : [`${untested} not tested`]),
  ].join('; ');
}
