import {
  counted,
  isViolation,
  type JudgedCount,
  type Report,
  type RequirementResult,
  type Verdict,
} from '../../model/report/report.ts';
import type { RunRecord } from '../../model/report/run-record.ts';

/** A requirement as the verdict counts it: with `strict`, an advisory is violated. */
export function asCounted<R extends Pick<RequirementResult, 'status'>>(
  { strict }: Pick<Report, 'strict'>,
  result: R,
): R {
  return strict && result.status === 'advisory' ? { ...result, status: 'violated' } : result;
}

/** How many requirements of level must a run judged. */
export function countJudged(requirements: readonly RequirementResult[]): JudgedCount {
  const musts = requirements.filter(({ level }) => level === 'must');
  const judged = musts.filter(({ status }) => status === 'met' || status === 'violated');
  return {
    requirements: judged.length,
    of: musts.length,
    unexercised: judged.filter(({ status, exercised }) => status === 'met' && !exercised).length,
  };
}

/** How many requirements a report judged. Older reports lack the count, so it is made here. */
export function judgedOf({ judged, requirements }: Pick<Report, 'judged' | 'requirements'>): JudgedCount {
  return judged ?? countJudged(requirements);
}

/** Why a requirement was not judged, and so is no passed test; undefined if it was judged. */
export function whyNotJudged({
  status,
  reason,
  observed = reason,
}: Pick<RequirementResult, 'status' | 'reason' | 'observed'>): string | undefined {
  if (status === 'observed') return `left open by the interface: ${observed}`;
  return status === 'not-tested' ? reason : undefined;
}

/** Whether options of the user left out requirements of level must. */
export function isNarrowed({ narrowed, requirements }: Pick<Report, 'narrowed' | 'requirements'>): boolean {
  const musts = new Set(requirements.filter(({ level }) => level === 'must').map(({ id }) => id));
  return narrowed.some((option) => option.requirements.some((id) => musts.has(id)));
}

/** Whether a run judged nothing. If it stopped before it judged a `must`, requirements that are met say nothing about the service. */
export function isNothingJudged(report: Pick<Report, 'stopped' | 'judged' | 'requirements'>): boolean {
  const { stopped, requirements } = report;
  const isEmpty = stopped !== undefined && judgedOf(report).requirements === 0;
  return requirements.every(
    (requirement) => whyNotJudged(requirement) !== undefined || (isEmpty && requirement.status === 'met'),
  );
}

/** Whether a verdict covers only a part of the interface. */
export function isPart(report: Pick<Report, 'verdict' | 'narrowed' | 'requirements'>): boolean {
  return report.verdict === 'incomplete' || isNarrowed(report);
}

/** The verdict in words; if it covers only a part of the interface, with how much. */
export function verdictWords(report: Report): string {
  return isPart(report) ? `${report.verdict} (${judgedWords(report)})` : report.verdict;
}

/** `12 of 73 requirements judged`, or `nothing judged`. */
export function judgedWords(report: Report): string {
  if (isNothingJudged(report)) return 'nothing judged';
  const { requirements, of } = judgedOf(report);
  return `${requirements} of ${counted(of, 'requirement')} judged`;
}

/** For a place beside counts of all levels: `12 of 68 of level must judged (3 not exercised)`. */
export function mustsJudged(report: Report): string {
  const { requirements, of, unexercised } = judgedOf(report);
  return `${requirements} of ${of} of level must judged${unexercisedWords(unexercised)}`;
}

/** The reason for the verdict, with the root cause, in one line. */
export function reasonOf({ because, rootCause }: Report): string {
  return rootCause ? `${because}; root cause: ${rootCause.statement}` : because;
}

/**
 * The verdict of a run. Any violation makes it non-conformant. It is incomplete if a `must` was not judged although no option
 * left it out, or if no `must` was judged.
 */
export function judgeRun(
  requirements: readonly RequirementResult[],
  record: Pick<RunRecord, 'narrowed' | 'stopped' | 'strict'>,
): { verdict: Verdict; because: string } {
  const { verdict, reason } = decide(requirements, record);
  // If the service cannot be reached or refuses the key, left-out requirements do not matter.
  const isEmpty = record.stopped !== undefined && countJudged(requirements).requirements === 0;
  const leftOut = record.narrowed
    .filter((option) => !isEmpty && option.requirements.length > 0)
    .map(({ option, requirements: ids }) => `${counted(ids.length, 'requirement')} left out: ${option}`);
  return { verdict, because: [reason, ...leftOut].join('; ') };
}

function decide(
  requirements: readonly RequirementResult[],
  record: Pick<RunRecord, 'narrowed' | 'stopped' | 'strict'>,
): { verdict: Verdict; reason: string } {
  const { stopped } = record;
  const violations = requirements.filter((requirement) => isViolation(record, requirement));
  if (violations.length > 0) {
    const words = `${counted(violations.length, 'requirement')} violated`;
    return { verdict: 'non-conformant', reason: stopped ? `${words}; ${stopped.message}` : words };
  }
  if (stopped) return { verdict: 'incomplete', reason: stopped.message };
  const missing = untestedMusts(requirements, record);
  if (missing.length > 0) {
    const words = `${counted(missing.length, 'requirement')} could not be tested`;
    return { verdict: 'incomplete', reason: `${words}${commonReason(missing)}` };
  }
  const judged = countJudged(requirements);
  if (judged.requirements === 0)
    return { verdict: 'incomplete', reason: 'no requirement of level must was judged' };
  return { verdict: 'conformant', reason: `no requirement violated${unexercisedWords(judged.unexercised)}` };
}

function unexercisedWords(number: number): string {
  return number > 0 ? ` (${number} not exercised)` : '';
}

/** The reason that all these requirements share, if there is one. */
function commonReason(missing: readonly RequirementResult[]): string {
  const [reason, ...otherReasons] = new Set(missing.map((requirement) => requirement.reason));
  return reason && otherReasons.length === 0 ? `: ${reason}` : '';
}

/** Requirements of level must that were not tested although no option left them out. */
function untestedMusts(
  requirements: readonly RequirementResult[],
  { narrowed }: Pick<RunRecord, 'narrowed'>,
): RequirementResult[] {
  const leftOutIds = new Set(narrowed.flatMap((option) => option.requirements));
  return requirements.filter(
    ({ id, level, status }) => level === 'must' && status === 'not-tested' && !leftOutIds.has(id),
  );
}
