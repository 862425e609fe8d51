import { occurrenceLine } from '../../model/report/finding-lines.ts';
import { isViolation, knownAs, type Report, type RequirementResult } from '../../model/report/report.ts';
import { clip, shown } from '../../model/visible.ts';
import { consequencesOf } from '../facts/consequences.ts';
import { isNarrowed, verdictWords } from '../facts/verdict.ts';
import { baselineLines } from '../text/verdict-lines.ts';

/** Annotations of a kind that GitHub shows for a step. */
const MAX_OF_A_KIND = 10;

/** The longest text in an annotation, in characters. */
const MAX_TEXT = 1_000;

/**
 * The findings as annotations of GitHub Actions, one workflow command per line. Violations are errors, advisories and
 * an incomplete run are warnings, and a narrowed conformant verdict is a notice.
 * @param name the name of the target, if there are several
 */
export function renderAnnotations(report: Report, name?: string): string {
  const subject = name === undefined ? 'petspec' : `petspec: ${name}`;
  const safe = shown({ ...report, exchanges: [] });
  // A known violation is a warning. A stale entry of the baseline is an error.
  const isKnown = ({ id }: RequirementResult) => knownAs(report, id) !== undefined;
  const isViolated = (result: RequirementResult) => isViolation(report, result) && !isKnown(result);
  const stale = safe.baseline && safe.baseline.stale.length > 0 ? baselineLines(safe.baseline).wrong : [];
  const wrong = stale.length > 0 ? [command('error', `${subject}: baseline`, stale.join('\n'))] : [];
  const title = `${subject}: ${verdictWords(safe)}`;
  const incomplete =
    report.verdict === 'incomplete'
      ? [command('warning', title, [safe.because, ...hintLines(safe)].join('\n'))]
      : [];
  const isPart = report.verdict === 'conformant' && isNarrowed(report);
  const part = isPart ? [command('notice', title, safe.because)] : [];
  const consequences = consequencesOf(safe);
  const cause = rootCause(subject, safe, consequences.violated.filter(isViolated));
  const errors = MAX_OF_A_KIND - wrong.length - cause.length;
  const violations = safe.requirements.filter(
    (requirement) => isViolated(requirement) && !consequences.has(requirement),
  );
  const violated = annotations(subject, 'error', violations, errors);
  const advisories = annotations(
    subject,
    'warning',
    safe.requirements.filter(
      (requirement) =>
        isKnown(requirement) ||
        (requirement.status === 'advisory' && !isViolated(requirement) && !consequences.has(requirement)),
    ),
    MAX_OF_A_KIND - incomplete.length,
  );
  return [...cause, ...wrong, ...violated, ...incomplete, ...advisories, ...part]
    .map((line) => `${line}\n`)
    .join('');
}

/** The root cause with hints, instead of the violations that follow from it. */
function rootCause(subject: string, report: Report, violated: readonly RequirementResult[]): string[] {
  const { rootCause: cause } = report;
  if (!cause || violated.length === 0) return [];
  const lines = [
    cause.statement,
    ...(cause.firstLine === undefined ? [] : [`first line: ${cause.firstLine}`]),
    ...hintLines(report),
    `violated because of it: ${violated.map(({ id }) => id).join(', ')}`,
  ];
  return [command('error', `${subject}: root cause`, lines.map((line) => clip(line, MAX_TEXT)).join('\n'))];
}

function hintLines({ hints = [] }: Report): string[] {
  return hints.map(({ text, command }) => `hint: ${text}${command === undefined ? '' : `: ${command}`}`);
}

function annotations(
  subject: string,
  kind: 'error' | 'warning',
  results: readonly RequirementResult[],
  max: number,
): string[] {
  const isAll = results.length <= max;
  const first = results.slice(0, isAll ? max : max - 1);
  const rest = results.slice(first.length).map(({ id }) => id);
  return [
    ...first.map((result) => command(kind, `${subject}: ${result.id}`, message(result))),
    ...(isAll ? [] : [command(kind, `${subject}: ${rest.length} more`, rest.join(', '))]),
  ];
}

function message(result: RequirementResult): string {
  const { statement, reason, expected, received, waived } = result;
  const where = occurrenceLine(result);
  const parts = [
    statement,
    reason,
    ...(where === undefined ? [] : [`in: ${where}`]),
    ...(expected === undefined ? [] : [`expected: ${expected}`]),
    ...(received === undefined ? [] : [`received: ${received}`]),
    ...(waived === undefined ? [] : [`waived: ${waived}`]),
  ];
  return parts.map((part) => clip(part, MAX_TEXT)).join('\n');
}

/** A workflow command, escaped as the runner expects (actions/toolkit, packages/core/src/command.ts). */
function command(kind: 'error' | 'warning' | 'notice', title: string, text: string): string {
  return `::${kind} title=${escapeProperty(title)}::${escapeData(text)}`;
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
