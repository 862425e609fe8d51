import { counted, isGood, isSeen, type Report } from '../../model/report/report.ts';
import { requestWords } from '../request-counts.ts';
import { mustsJudged, verdictWords } from '../verdict.ts';
import { secondsInWords } from './announcement.ts';
import { baselineLines } from './baseline-lines.ts';
import { paragraph, type TextLayout, VERDICT_COLORS } from './style.ts';

/** The findings by status, and the figures of a run. @param seconds how long it took by the user's clock */
export function totals(report: Report, seconds?: number): string {
  const { summary, requirements } = report;
  const seen = requirements.filter(isSeen).length;
  const unexercised = summary.unexercised > 0 ? ` (${summary.unexercised} not exercised)` : '';
  const isCounted = report.strict && summary.advisory > 0;
  const advisories = `${counted(summary.advisory, 'advisory', 'advisories')}${isCounted ? ' (violations with --strict)' : ''}`;
  const counts = `${summary.met} met${unexercised}, ${summary.violated} violated, ${advisories}, ${summary.observed} left open (${seen} observed), ${summary['not-tested']} not tested`;
  return `${counts}; ${figures(report, seconds)}`;
}

/** How many requirements were judged, by how many requests, and in what time. */
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

/** How long the run took by the user's clock, and in virtual time if that is the time of the other reports: `1.9 s (22 s in virtual time)`. */
function timeWords({ durationMs, virtualTime }: Report, seconds: number | undefined): string[] {
  if (seconds === undefined) return [];
  const words = seconds < 9.95 ? `${seconds.toFixed(1)} s` : secondsInWords(Math.round(seconds));
  return [
    virtualTime ? `${words} (${secondsInWords(Math.round(durationMs / 1000))} in virtual time)` : words,
  ];
}

/** How the violations compare with the baseline. */
export function baseline({ baseline: result }: Report, width: number): string {
  if (!result) return '';
  const { head, known, wrong, unjudged } = baselineLines(result);
  const lines = [...known, ...wrong, ...unjudged];
  return `${paragraph('', `Violations: ${head}`, 2, width)}\n${lines.map((line) => `${paragraph('  ', line, 4, width)}\n`).join('')}`;
}

/** The requirements that a newer set adds. */
export function newer({ suite, newer: added = [] }: Report, width: number): string {
  if (added.length === 0) return '';
  const names = added.map(({ id, since }) => `${id} (${since})`).join(', ');
  const words = `judged by requirement set ${suite.set.version}; newer sets add ${added.length}: ${names}`;
  return `${paragraph('', words, 2, width)}\n`;
}

/** The verdict in one line. */
export function verdictLine(report: Report, { style, width }: TextLayout): string {
  const { verdict, because, target } = report;
  const isDoubtful = verdict === 'conformant' && !isGood(report);
  const head = style(isDoubtful ? 'yellow' : VERDICT_COLORS[verdict], style('bold', verdictWords(report)));
  return paragraph('', `${head}: ${target.baseUrl}, ${because}`, 2, width);
}

/** Whether a run stopped because there is no service to judge, or one that refuses the key. */
export function isNothingThere({ stopped }: Pick<Report, 'stopped'>): boolean {
  return stopped !== undefined && ['unreachable', 'not-the-service', 'key-refused'].includes(stopped.kind);
}
