import { isViolation, knownAs, type Report, type RequirementResult } from '../../model/report/report.ts';
import { clip, shown } from '../../model/visible.ts';
import { foldedIn } from '../consequences.ts';
import { baselineLines } from '../text/baseline-lines.ts';
import { isNarrowed, verdictWords } from '../verdict.ts';

/** Annotations that GitHub shows of one kind for a step. */
const MAX_OF_A_KIND = 10;

/** Characters of one text in an annotation. */
const MAX_TEXT = 1_000;

/**
 * The findings as annotations of GitHub Actions: workflow commands, a line each. Violations are errors, advice is a
 * warning, a run that could not judge everything another; a conformant verdict that covers a part alone is a notice.
 * @param name of the target, where there are several
 */
export function renderAnnotations(report: Report, name?: string): string {
  const subject = name === undefined ? 'petspec' : `petspec: ${name}`;
  const safe = shown({ ...report, exchanges: [] });
  // What a baseline knows warns, and what is wrong with the baseline fails the job.
  const isKnown = ({ id }: RequirementResult) => knownAs(report, id) !== undefined;
  const isViolated = (each: RequirementResult) => isViolation(report, each) && !isKnown(each);
  const stale = safe.baseline && safe.baseline.stale.length > 0 ? baselineLines(safe.baseline).wrong : [];
  const wrong = stale.length > 0 ? [command('error', `${subject}: baseline`, stale.join('\n'))] : [];
  const incomplete =
    report.verdict === 'incomplete' ? [command('warning', `${subject}: incomplete`, safe.because)] : [];
  const isPart = report.verdict === 'conformant' && isNarrowed(report);
  const part = isPart ? [command('notice', `${subject}: ${verdictWords(safe)}`, safe.because)] : [];
  const folded = foldedIn(safe);
  const cause = rootCause(subject, safe, folded.violated.filter(isViolated));
  const errors = MAX_OF_A_KIND - wrong.length - cause.length;
  const violations = safe.requirements.filter((each) => isViolated(each) && !folded.has(each));
  const violated = annotations(subject, 'error', violations, errors);
  const advised = annotations(
    subject,
    'warning',
    safe.requirements.filter(
      (each) => isKnown(each) || (each.status === 'advisory' && !isViolated(each) && !folded.has(each)),
    ),
    MAX_OF_A_KIND - incomplete.length,
  );
  return [...cause, ...wrong, ...violated, ...incomplete, ...advised, ...part]
    .map((line) => `${line}\n`)
    .join('');
}

/** The root cause, with hints, in place of the violations that follow from it. */
function rootCause(
  subject: string,
  { rootCause: cause, hints = [] }: Report,
  violated: readonly RequirementResult[],
): string[] {
  if (!cause || violated.length === 0) return [];
  const lines = [
    cause.statement,
    ...(cause.firstLine === undefined ? [] : [`first line: ${cause.firstLine}`]),
    ...hints.map(({ text, command }) => `hint: ${text}${command === undefined ? '' : `: ${command}`}`),
    `violated because of it: ${violated.map(({ id }) => id).join(', ')}`,
  ];
  return [command('error', `${subject}: root cause`, lines.map((line) => clip(line, MAX_TEXT)).join('\n'))];
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
    ...first.map((each) => command(kind, `${subject}: ${each.id}`, message(each))),
    ...(isAll ? [] : [command(kind, `${subject}: ${rest.length} more`, rest.join(', '))]),
  ];
}

function message({ statement, reason, expected, received }: RequirementResult): string {
  const parts = [
    statement,
    reason,
    ...(expected === undefined ? [] : [`expected: ${expected}`]),
    ...(received === undefined ? [] : [`received: ${received}`]),
  ];
  return parts.map((part) => clip(part, MAX_TEXT)).join('\n');
}

/** A workflow command, escaped as the runner unescapes it (actions/toolkit, packages/core/src/command.ts). */
function command(kind: 'error' | 'warning' | 'notice', title: string, text: string): string {
  return `::${kind} title=${escapeProperty(title)}::${escapeData(text)}`;
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
