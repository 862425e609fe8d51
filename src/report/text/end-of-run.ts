import { group } from 'd3-array';
import { confirmationLine, lineOf } from '../../model/report/finding-lines.ts';
import {
  counted,
  isViolation,
  type Report,
  type RequirementResult,
  reproductionOf,
} from '../../model/report/report.ts';
import { notACommand } from '../../model/visible.ts';
import { consequencesOf, followsFromOther, named } from '../facts/consequences.ts';
import { recordingLines } from '../facts/request-counts.ts';
import { coveredLine, sensitivityLine, undocumentedText } from './coverage.ts';
import { paragraph, type TextLayout } from './style.ts';
import { baseline, figures, isNothingThere, newer, rootCauseText, verdictLine } from './verdict-lines.ts';

/** Violations in the text; the report has all of them. */
const MOST_VIOLATIONS = 10;

/** Advisories in the text. */
const MOST_ADVISORIES = 5;

/** Reasons for not judging in the text. */
const MOST_REASONS = 3;

/**
 * The result of a run: the verdict, two lines for each violation, what was not judged and why, and the figures. Everything
 * else is in the reports, and printed with --verbose.
 * @param page.seconds how long the run took
 */
export function endOfRun(report: Report, page: TextLayout & { seconds?: number }): string {
  const { width } = page;
  const consequences = consequencesOf(report);
  const independent = report.requirements.filter((requirement) => !consequences.has(requirement));
  const violated = independent.filter((requirement) => isViolation(report, requirement));
  const cause = rootCauseText(report, consequences, page);
  // If the service cannot be reached or refuses the key, the verdict says what to fix.
  if (violated.length === 0 && isNothingThere(report)) return `${verdictLine(report, page)}\n${cause}`;
  const lines = [
    ...violated.slice(0, MOST_VIOLATIONS).flatMap((requirement) => violation(requirement, page)),
    ...(violated.length > MOST_VIOLATIONS
      ? [`  and ${violated.length - MOST_VIOLATIONS} more, in the report`]
      : []),
    ...advisories(report, independent, page),
    ...recordingLines(report.recording).map((line) => paragraph('', line, 2, width)),
    ...notJudged(report, independent).map((line) => paragraph('', line, 2, width)),
    paragraph('', figures(report, page.seconds), 2, width),
  ];
  return [
    `${verdictLine(report, page)}\n${cause}`,
    lines.map((line) => `${line}\n`).join(''),
    // A run sends what it needs to cover the interface; a client or recorded traffic may not.
    report.recording || report.client ? coveredLine(report, page) : '',
    undocumentedText(report, page),
    report.recording ? sensitivityLine(report, page) : '',
    newer(report, width),
    baseline(report, width),
  ].join('');
}

/** A violation with its operation and count, then the command that shows it. */
function violation(result: RequirementResult, { style, width }: TextLayout): string[] {
  const { id, waived } = result;
  const more = [confirmationLine(result), waived === undefined ? undefined : `waived: ${waived}`];
  const words = [lineOf(result), ...more.filter((part) => part !== undefined)].join('; ');
  return [paragraph(`${style('red', '✗')} `, `${style('bold', id)}  ${words}`, 4, width), ...command(result)];
}

function command(result: RequirementResult): string[] {
  const { script, warning } = reproductionOf(result) ?? {};
  if (result.unrepeatable) return [notACommand(`    ${result.unrepeatable.text}`)];
  if (script === undefined) return [];
  const line = inOneLine(script);
  if (line === undefined) return ['    a script in bash shows it: in the page, and with --verbose'];
  return [notACommand(`    ${line}${warning === undefined ? '' : ` # ${warning}`}`)];
}

/** The command of a script, without comments and line breaks; undefined if the script has several commands. */
function inOneLine(script: string): string | undefined {
  const commands = script.replaceAll(/^#.*\n/gm, '').replaceAll(/ \\\n\s*/g, ' ');
  return commands.includes('\n') ? undefined : commands;
}

function advisories(
  report: Report,
  requirements: readonly RequirementResult[],
  { style, width }: TextLayout,
): string[] {
  const advisoryResults = requirements.filter(
    (requirement) => requirement.status === 'advisory' && !isViolation(report, requirement),
  );
  if (advisoryResults.length === 0) return [];
  const words = `${counted(advisoryResults.length, 'advisory', 'advisories')} (--strict counts them as violations):`;
  const more = advisoryResults.length - MOST_ADVISORIES;
  return [
    paragraph(`${style('yellow', '!')} `, words, 4, width),
    ...advisoryResults
      .slice(0, MOST_ADVISORIES)
      .map((result) => paragraph('  ', `${style('bold', result.id)}  ${lineOf(result)}`, 4, width)),
    ...(more > 0 ? [`  and ${more} more, with --verbose`] : []),
  ];
}

/** What was not judged, by reason, except what options left out: the verdict names that. */
function notJudged(report: Report, requirements: readonly RequirementResult[]): string[] {
  const { narrowed, gaps = [], noRoom } = report;
  const leftOut = new Set(narrowed.flatMap(({ requirements }) => requirements));
  const untested = requirements.filter(({ id, status }) => status === 'not-tested' && !leftOut.has(id));
  const following = untested.filter(followsFromOther);
  const reasons = [
    ...group(
      untested.filter((requirement) => !followsFromOther(requirement)),
      ({ reason }) => reason,
    ),
  ];
  const more = reasons.slice(MOST_REASONS);
  const parts = [
    ...reasons.slice(0, MOST_REASONS).map(([why, results]) => `${named(results)} (${why})`),
    ...(more.length > 0 ? [`${more.flatMap(([, results]) => results).length} for other reasons`] : []),
    ...(following.length > 0
      ? [`${following.length} that ${following.length === 1 ? 'follows' : 'follow'} from what is reported`]
      : []),
    ...(gaps.length > 0 ? [`${counted(gaps.length, 'part')} of the document that petspec cannot judge`] : []),
  ];
  return [
    ...(parts.length > 0 ? [`not judged: ${parts.join('; ')}`] : []),
    ...(noRoom
      ? [
          `not sent: ${counted(noRoom.unsent.length, 'more probe')}, as the limit gave back room for ${counted(noRoom.sent, 'request')} after the recovery`,
        ]
      : []),
  ];
}
