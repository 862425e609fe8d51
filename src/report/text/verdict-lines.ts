import {
  type BaselineEntryResult,
  type BaselineResult,
  counted,
  type HintResult,
  isGood,
  isSeen,
  type Report,
} from '../../model/report/report.ts';
import { notACommand } from '../../model/visible.ts';
import { type Consequences, commandOf, named } from '../facts/consequences.ts';
import { requestWords } from '../facts/request-counts.ts';
import { mustsJudged, verdictWords } from '../facts/verdict.ts';
import { secondsInWords } from './announcement.ts';
import { paragraph, type TextLayout, VERDICT_COLORS } from './style.ts';

/** The number of findings by status, and the figures of a run. @param seconds how long the run took by the user's clock */
export function totals(report: Report, seconds?: number): string {
  const { summary, requirements } = report;
  const seen = requirements.filter(isSeen).length;
  const unexercised = summary.unexercised > 0 ? ` (${summary.unexercised} not exercised)` : '';
  const isCounted = report.strict && summary.advisory > 0;
  const advisories = `${counted(summary.advisory, 'advisory', 'advisories')}${isCounted ? ' (violations with --strict)' : ''}`;
  const counts = `${summary.met} met${unexercised}, ${summary.violated} violated, ${advisories}, ${summary.observed} left open (${seen} observed), ${summary['not-tested']} not tested`;
  return `${counts}; ${figures(report, seconds)}`;
}

/** The number of judged requirements, the number of requests, and the time. */
export function figures(report: Report, seconds?: number): string {
  const { seed, asOf } = report;
  return [
    mustsJudged(report),
    requestWords(report),
    ...(asOf === undefined ? [] : [`as of ${asOf}`]),
    ...(seed === undefined ? [] : [`seed ${seed}`]),
    ...timeWords(report, seconds),
  ].join('; ');
}

/** The time by the user's clock, and the virtual time if the reports have that: `1.9 s (22 s in virtual time)`. */
function timeWords({ durationMs, virtualTime }: Report, seconds: number | undefined): string[] {
  if (seconds === undefined) return [];
  const words = seconds < 9.95 ? `${seconds.toFixed(1)} s` : secondsInWords(Math.round(seconds));
  return [
    virtualTime ? `${words} (${secondsInWords(Math.round(durationMs / 1000))} in virtual time)` : words,
  ];
}

/** How the violations compare with the baseline; empty without a baseline. */
export function baseline({ baseline: result }: Report, width: number): string {
  if (!result) return '';
  const { head, known, wrong, unjudged } = baselineLines(result);
  const lines = [...known, ...wrong, ...unjudged];
  return `${paragraph('', `Violations: ${head}`, 2, width)}\n${lines.map((line) => `${paragraph('  ', line, 4, width)}\n`).join('')}`;
}

export function newer({ suite, newer: added = [] }: Report, width: number): string {
  if (added.length === 0) return '';
  const names = added.map(({ id, since }) => `${id} (${since})`).join(', ');
  const words = `judged by requirement set ${suite.set.version}; newer sets add ${added.length}: ${names}`;
  return `${paragraph('', words, 2, width)}\n`;
}

export function verdictLine(report: Report, { style, width }: TextLayout): string {
  const { verdict, because, target } = report;
  const isDoubtful = verdict === 'conformant' && !isGood(report);
  const head = style(isDoubtful ? 'yellow' : VERDICT_COLORS[verdict], style('bold', verdictWords(report)));
  return paragraph('', `${head}: ${target.baseUrl}, ${because}`, 2, width);
}

/** Whether a run stopped because there is no service to judge, or because it refuses the key. */
export function isNothingThere({ stopped }: Pick<Report, 'stopped'>): boolean {
  return stopped !== undefined && ['unreachable', 'not-the-service', 'key-refused'].includes(stopped.kind);
}

/** How the violations compare with a baseline: a summary, the known violations, what to fix, and the entries that this run cannot judge. */
export function baselineLines({ file, outcome, known, stale, unjudged, unknown }: BaselineResult): {
  head: string;
  known: string[];
  wrong: string[];
  unjudged: string[];
} {
  const waived = known.filter((entry) => entry.waived !== undefined).length;
  const count = waived === 0 ? `${known.length} known` : `${known.length} known (${waived} waived)`;
  const unseen =
    unjudged.length === 0 ? '' : `; ${counted(unjudged.length, 'entry', 'entries')} not seen in this run`;
  const heads = {
    exact: `${count}, none that ${file} does not list${unseen}: exit status 0`,
    different: `different from ${file}`,
    incomplete: `as in ${file}, but not everything could be judged`,
  };
  const isStale = (id: string) => stale.some(({ requirement }) => requirement === id);
  return {
    head: heads[outcome],
    known: known.map(({ requirement, comment, waived: reason }) =>
      reason === undefined ? `known: ${requirement}: ${comment}` : `waived: ${requirement}: ${reason}`,
    ),
    wrong: [
      ...unknown.filter((id) => !isStale(id)).map((id) => `${id} is violated, but not in ${file}`),
      ...stale.map((entry) =>
        unknown.includes(entry.requirement)
          ? `${entry.requirement} is violated in another way than ${placeOf(file, entry)} says; fix it, or write a new baseline`
          : `${placeOf(file, entry)}: delete this entry: ${entry.requirement} is no longer violated`,
      ),
    ],
    unjudged:
      unjudged.length === 0
        ? []
        : [
            `not seen in this run, which may not show it: ${unjudged.map((entry) => `${entry.requirement} (${placeOf(file, entry)})`).join(', ')}`,
          ],
  };
}

function placeOf(file: string, { line, lastLine }: BaselineEntryResult): string {
  return line === lastLine ? `${file} line ${line}` : `${file} lines ${line} to ${lastLine}`;
}

/** The root cause of a report with its consequences, then hints. Empty if the report has neither. */
export function rootCauseText(
  { rootCause, hints = [] }: Report,
  consequences: Consequences | undefined,
  page: TextLayout,
): string {
  const { style, width } = page;
  const cause =
    rootCause === undefined
      ? []
      : [
          paragraph('', `${style('red', style('bold', 'Root cause'))}: ${rootCause.statement}`, 2, width),
          ...(rootCause.firstLine === undefined
            ? []
            : [paragraph('  first line  ', rootCause.firstLine, 14, width)]),
          ...(consequences === undefined ? [] : consequenceLines(consequences, width)),
        ];
  const lines = [...cause, ...hints.flatMap((hint) => hintLines(hint, page))];
  return lines.map((line) => `${line}\n`).join('');
}

function consequenceLines(consequences: Consequences, width: number): string[] {
  const { violated, advisories, untested, observed } = consequences;
  const curl = commandOf(consequences);
  const lines = [
    ['violated', violated],
    [advisories.length === 1 ? 'advisory' : 'advisories', advisories],
    ['not tested', untested],
    ['observed', observed],
  ] as const;
  const shownLines = lines.filter(([, results]) => results.length > 0);
  return [
    ...(curl === undefined ? [] : ['  reproduce with:', notACommand(`  ${curl}`)]),
    ...(shownLines.length === 0 ? [] : ['  consequences (--verbose shows them):']),
    ...shownLines.map(([words, results]) =>
      paragraph('    ', `${results.length} ${words}: ${named(results)}`, 6, width),
    ),
  ];
}

function hintLines({ text, command }: HintResult, { style, width }: TextLayout): string[] {
  return [
    paragraph('', `${style('bold', 'Hint')}: ${text}`, 2, width),
    ...(command === undefined ? [] : [notACommand(`  ${command}`)]),
  ];
}
