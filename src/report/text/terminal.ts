import { group } from 'd3-array';
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
import { consequencesOf, followsFromOther } from '../consequences.ts';
import { recordingLines } from '../request-counts.ts';
import { baseline, isNothingThere, newer, totals, verdictLine } from './closing-lines.ts';
import { coverageText, coveredLine, sensitivityText, undocumentedText } from './coverage.ts';
import { endOfRun } from './end-of-run.ts';
import { rootCauseText } from './root-cause.ts';
import { sectionLines } from './sections.ts';
import { paragraph, plain, type TextLayout } from './style.ts';
import { gapLines } from './unplanned.ts';

/** Where and how a report is printed. */
export interface TerminalPage extends TextLayout {
  /** `quiet`: only the violations and the verdict. `verbose`: all findings, with what was sent and received. */
  detail: 'quiet' | 'usual' | 'verbose';
  /** How long the run took, in seconds. */
  seconds?: number;
}

/** A report on the terminal. A command is never wrapped, so that it can be copied. */
export function renderReport(report: Report, page: TerminalPage): string {
  const safe = shown({ ...report, exchanges: [] });
  return page.detail === 'usual' ? endOfRun(safe, page) : everyFinding(safe, page);
}

/**
 * The findings, the most important last: a line for each section, what was not tested, advisories, the root cause, violations,
 * what follows from them, and the verdict.
 */
function everyFinding(safe: Report, page: TerminalPage): string {
  const consequences = page.detail === 'verbose' ? undefined : consequencesOf(safe);
  const own = safe.requirements.filter((each) => !consequences?.has(each));
  const { style } = page;
  const isViolated = (each: RequirementResult) => isViolation(safe, each);
  const of = (status: string) => own.filter((each) => each.status === status && !isViolated(each));
  const rootCause = rootCauseText(safe, consequences, page);
  const violated = problems('Violated', own.filter(isViolated), style('red', '✗'), page);
  const verdict = `${verdictLine(safe, page)}\n`;
  // If the service is not there or refuses the key, nothing was judged, and the verdict says what to fix.
  if (violated === '' && isNothingThere(safe)) return joined([rootCause, verdict]);
  const compared = baseline(safe, page.width);
  if (page.detail === 'quiet') return joined([rootCause, violated, compared, verdict]);
  const sections = sectionLines(safe, page);
  const observed = of('observed').filter(isSeen);
  const untold = of('not-tested').filter((each) => !followsFromOther(each));
  const following = of('not-tested').filter(followsFromOther);
  return joined([
    sections.map((line) => `${line}\n`).join(''),
    block(
      'Observed where the interface leaves it open',
      observed.map((each) => paragraph('  ', `${each.id}: ${each.observed ?? ''}`, 6, page.width)),
    ),
    block('Not tested', untested(safe, untold, page), untold.length),
    recording(safe, page),
    coverageText(safe, page),
    undocumentedText(safe, page),
    notSent(safe, page),
    gaps(safe, page),
    problems('Advisories', of('advisory'), style('yellow', '!'), page),
    rootCause,
    violated,
    block('Follows from other findings', untested(safe, following, page), following.length),
    compared,
    `${paragraph('', totals(safe, page.seconds), 0, page.width)}\n${coveredLine(safe, page)}${sensitivityText(safe, page)}${newer(safe, page.width)}`,
    verdict,
  ]);
}

/** What the document says and petspec does not judge. */
function gaps({ gaps: all = [] }: Report, { width }: TerminalPage): string {
  const lines = gapLines(all).map((line) => paragraph('  ', line, 6, width));
  return block('Said by the document and not judged', lines, all.length);
}

/** Probes that are named of those that found no room. */
const MAX_UNSENT = 8;

/** What found no room in the window after the recovery. */
function notSent({ noRoom }: Report, { width }: TerminalPage): string {
  if (!noRoom) return '';
  const { sent, unsent } = noRoom;
  const more = unsent.length - MAX_UNSENT;
  const names =
    unsent.slice(0, MAX_UNSENT).join(', ') + (more > 0 ? ` and ${more} more, in report.json` : '');
  const title = `Not sent, as the limit gave back room for ${counted(sent, 'request')} after the recovery`;
  return block(title, [paragraph('  ', names, 2, width)], unsent.length);
}

/** What recordings hold, and what of it was not judged. */
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
  const entries = results.map((each) => problem(each, mark, page));
  return block(title, entries.length === 0 ? [] : [entries.join('\n\n')], entries.length);
}

/** A single violation as the terminal shows it: plain text, safe to print. */
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

/** The command or script that reproduces a violation, line by line, and what it costs. */
function reproduction(result: RequirementResult): string[] {
  const { script, warning } = reproductionOf(result) ?? {};
  if (result.unrepeatable) return [`      ${notACommand(result.unrepeatable.text)}`];
  if (script === undefined) return [];
  const lines = script.split('\n');
  const shell = lines.length > 1 ? ' in bash' : '';
  const cost = warning === undefined ? '' : ` (${warning})`;
  return [`      reproduce${shell} with${cost}:`, ...lines.map((line) => notACommand(`      ${line}`))];
}

/** What was not tested, grouped by reason. What the user did not select is only counted: the user knows what it is. */
function untested(
  { narrowed }: Report,
  results: readonly RequirementResult[],
  { width }: TerminalPage,
): string[] {
  const unselected = narrowed.filter(({ kind }) => kind === 'selection');
  const unwanted = new Set(unselected.flatMap(({ requirements }) => requirements));
  const byReason = group(results, ({ reason }) => reason);
  return [...byReason].flatMap(([why, own]) =>
    own.every(({ id }) => unwanted.has(id))
      ? [paragraph('  ', `${why}: ${own.length}; report.json lists them`, 4, width)]
      : [
          paragraph('  ', `${why}:`, 2, width),
          paragraph('      ', own.map(({ id }) => id).join(', '), 6, width),
        ],
  );
}
