import { group } from 'd3-array';
import { confirmationLine } from '../../model/report/confirmation-line.ts';
import { occurrenceLine } from '../../model/report/occurrence.ts';
import {
  counted,
  isGood,
  isSeen,
  isViolation,
  type NarrowedResult,
  type Report,
  type RequirementResult,
  reproductionOf,
} from '../../model/report/report.ts';
import { notACommand, shown } from '../../model/visible.ts';
import { consequencesOf, followsFromOther } from '../consequences.ts';
import { recordingLines, requestWords } from '../request-counts.ts';
import { mustsJudged, verdictWords } from '../verdict.ts';
import { secondsInWords } from './announcement.ts';
import { baselineLines } from './baseline-lines.ts';
import { coverageText, coveredLine } from './coverage.ts';
import { rootCauseText } from './root-cause.ts';
import { sectionLines } from './sections.ts';
import { paragraph, plain, type Style, VERDICT_COLORS } from './style.ts';
import { gapLines } from './unplanned.ts';

/** Where and how a report is printed. */
export interface TerminalPage {
  style: Style;
  /** In columns. Infinity: lines are not wrapped. */
  width: number;
  /** `quiet`: only the violations and the verdict. `verbose`: also what was observed, and the consequences of a root cause. */
  detail: 'quiet' | 'usual' | 'verbose';
  /** How long the run took, in seconds. */
  seconds?: number;
}

/** Why a run stopped that judged nothing. */
const NOTHING_JUDGED = ['unreachable', 'not-the-service', 'key-refused'];

/**
 * The findings as text, the most important last: a line for each section, what was not tested, advisories, the root cause,
 * violations, what follows from them, and the verdict. A command is never wrapped, so that it can be copied.
 */
export function renderReport(report: Report, page: TerminalPage): string {
  const safe = shown({ ...report, exchanges: [] });
  const consequences = page.detail === 'verbose' ? undefined : consequencesOf(safe);
  const own = safe.requirements.filter((each) => !consequences?.has(each));
  const isViolated = (each: RequirementResult) => isViolation(report, each);
  const of = (status: string) => own.filter((each) => each.status === status && !isViolated(each));
  const rootCause = rootCauseText(safe, consequences, page);
  const violated = problems('Violated', own.filter(isViolated), page);
  const verdict = `${verdictLine(safe, page)}\n`;
  // If the service is not there or refuses the key, nothing was judged, and the verdict says what to fix.
  if (violated === '' && NOTHING_JUDGED.some((each) => each === safe.stopped?.kind))
    return joined([rootCause, verdict]);
  const compared = baseline(safe, page);
  if (page.detail === 'quiet') return joined([rootCause, violated, compared, verdict]);
  // If every section fails for one reason, the lines say no more than it does.
  const sections = safe.rootCause && consequences ? [] : sectionLines(safe, page);
  const observed = page.detail === 'verbose' ? of('observed').filter(isSeen) : [];
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
    notSent(safe, page),
    gaps(safe, page),
    problems('Advisories', of('advisory'), page),
    rootCause,
    violated,
    block('Follows from other findings', untested(safe, following, page), following.length),
    compared,
    `${paragraph('', totals(safe, page), 0, page.width)}\n${coveredLine(safe, page)}${newer(safe, page)}`,
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

function problems(title: string, results: readonly RequirementResult[], page: TerminalPage): string {
  const entries = results.map((each) => problem(each, page));
  return block(title, entries.length === 0 ? [] : [entries.join('\n\n')], entries.length);
}

/** A single finding as the terminal shows it: plain text, safe to print. */
export function renderFinding(result: RequirementResult): string {
  const page: TerminalPage = { style: plain, width: Number.POSITIVE_INFINITY, detail: 'usual' };
  return problem(shown(result), page).trimStart();
}

function problem(result: RequirementResult, { style, width }: TerminalPage): string {
  const { id, status, statement, section, reason, expected, received, pointer, traceId, waived } = result;
  const mark = status === 'violated' ? style('red', '✗') : style('yellow', '!');
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

/**
 * What was not tested, grouped by reason. What the user did not select is only counted: the user knows what it is. So is
 * what a recording does not show, unless the user wants every detail.
 */
function untested(
  { narrowed, recording: isRecorded }: Report,
  results: readonly RequirementResult[],
  { width, detail }: TerminalPage,
): string[] {
  const isCounted = ({ kind }: NarrowedResult) =>
    kind === 'selection' || (kind === 'no-traffic' && isRecorded !== undefined && detail !== 'verbose');
  const unwanted = new Set(narrowed.filter(isCounted).flatMap(({ requirements }) => requirements));
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

function totals(report: Report, { seconds }: TerminalPage): string {
  const { summary, requirements, seed, asOf } = report;
  const seen = requirements.filter(isSeen).length;
  const unexercised = summary.unexercised > 0 ? ` (${summary.unexercised} not exercised)` : '';
  const advisories = counted(summary.advisory, 'advisory', 'advisories');
  return [
    `${summary.met} met${unexercised}, ${summary.violated} violated, ${advisories}, ${summary.observed} left open (${seen} observed), ${summary['not-tested']} not tested`,
    mustsJudged(report),
    requestWords(report),
    ...(asOf === undefined ? [] : [`as of ${asOf}`]),
    ...(seed === undefined ? [] : [`seed ${seed}`]),
    ...timeWords(report, seconds),
  ].join('; ');
}

/** How long the run took by the user's clock, and in virtual time if that is the time of the other reports: `1.9 s (22 s in virtual time)`. */
function timeWords({ durationMs, virtualTime }: Report, seconds: number | undefined): string[] {
  if (seconds === undefined) return [];
  const words = seconds < 9.95 ? `${seconds.toFixed(1)} s` : secondsInWords(Math.round(seconds));
  return [
    virtualTime ? `${words} (${secondsInWords(Math.round(durationMs / 1000))} in virtual time)` : words,
  ];
}

/** How the violations compare with the baseline. */
function baseline({ baseline: result }: Report, { width }: TerminalPage): string {
  if (!result) return '';
  const { head, known, wrong, unjudged } = baselineLines(result);
  const lines = [...known, ...wrong, ...unjudged];
  return `${paragraph('', `Violations: ${head}`, 2, width)}\n${lines.map((line) => `${paragraph('  ', line, 4, width)}\n`).join('')}`;
}

/** The requirements that a newer set adds. */
function newer({ suite, newer: added = [] }: Report, { width }: TerminalPage): string {
  if (added.length === 0) return '';
  const names = added.map(({ id, since }) => `${id} (${since})`).join(', ');
  const words = `judged by requirement set ${suite.set.version}; newer sets add ${added.length}: ${names}`;
  return `${paragraph('', words, 2, width)}\n`;
}

/** The verdict in one line. */
function verdictLine(report: Report, { style, width }: TerminalPage): string {
  const { verdict, because, target } = report;
  const isDoubtful = verdict === 'conformant' && !isGood(report);
  const head = style(isDoubtful ? 'yellow' : VERDICT_COLORS[verdict], style('bold', verdictWords(report)));
  return paragraph('', `${head}: ${target.baseUrl}, ${because}`, 2, width);
}
