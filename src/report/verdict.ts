import {
  counted,
  isViolation,
  type JudgedCount,
  leftOutBy,
  type Report,
  type RequirementResult,
  type Verdict,
} from '../model/report/report.ts';
import type { RunRecord } from '../model/report/run-record.ts';

/** Of the requirements that bind the service, how many a run judged. */
export function countJudged(requirements: readonly RequirementResult[]): JudgedCount {
  const musts = requirements.filter(({ level }) => level === 'must');
  const judged = musts.filter(({ status }) => status === 'met' || status === 'violated');
  return {
    requirements: judged.length,
    of: musts.length,
    unexercised: judged.filter(({ status, exercised }) => status === 'met' && !exercised).length,
  };
}

/** How many requirements a report judged; one of before this was counted is counted now. */
export function judgedOf({ judged, requirements }: Pick<Report, 'judged' | 'requirements'>): JudgedCount {
  return judged ?? countJudged(requirements);
}

/** Whether options of the user left out requirements that bind the service. */
export function isNarrowed({ narrowed, requirements }: Pick<Report, 'narrowed' | 'requirements'>): boolean {
  return narrowingOptions(requirements, narrowed).length > 0;
}

/** The verdict in words: one that options narrowed says how much it covers. */
export function verdictWords(report: Report): string {
  // Of a service that is not there, or takes no key, there is nothing to count.
  const isEmpty = report.stopped !== undefined && judgedOf(report).requirements === 0;
  return isNarrowed(report) && !isEmpty ? `${report.verdict} (${judgedWords(report)})` : report.verdict;
}

/** `12 of 73 requirements judged`. */
export function judgedWords(report: Report): string {
  const { requirements, of } = judgedOf(report);
  return `${requirements} of ${counted(of, 'requirement')} judged`;
}

/** The same, beside counts of all levels: `12 of 68 of level must judged (3 not exercised)`. */
export function mustsJudged(report: Report): string {
  const { requirements, of, unexercised } = judgedOf(report);
  const apart = unexercised > 0 ? ` (${unexercised} not exercised)` : '';
  return `${requirements} of ${of} of level must judged${apart}`;
}

/** Why the verdict is what it is, with the root cause: for where a report is a line. */
export function reasonOf({ because, rootCause }: Report): string {
  return rootCause ? `${because}; root cause: ${rootCause.statement}` : because;
}

/**
 * The verdict of a run. Any violation decides; then whether every `must` was judged, but for what the user left out.
 * A run that judged none of them says nothing about the service, whoever left them out.
 */
export function judgeRun(
  requirements: readonly RequirementResult[],
  record: Pick<RunRecord, 'narrowed' | 'stopped' | 'strict'>,
): { verdict: Verdict; because: string } {
  const violations = requirements.filter((each) => isViolation(record, each));
  if (violations.length > 0) {
    const rest = record.stopped ? `; ${record.stopped.message}` : '';
    return {
      verdict: 'non-conformant',
      because: `${counted(violations.length, 'requirement')} violated${rest}`,
    };
  }
  if (record.stopped) return { verdict: 'incomplete', because: record.stopped.message };
  const missing = untestedMusts(requirements, record);
  if (missing.length > 0)
    return {
      verdict: 'incomplete',
      because: `${counted(missing.length, 'requirement')} could not be tested${commonReason(missing)}`,
    };
  const leftOut = narrowingOptions(requirements, record.narrowed).join(', ');
  const judged = countJudged(requirements);
  if (judged.requirements === 0)
    return {
      verdict: 'incomplete',
      because: `no requirement of level must was judged, and no other decides a verdict${leftOut && `: ${leftOutBy(leftOut)}`}`,
    };
  const unexercised = judged.unexercised > 0 ? ` (${judged.unexercised} met, but not exercised)` : '';
  const rest = leftOut && `; the rest is ${leftOutBy(leftOut)}`;
  return { verdict: 'conformant', because: `no requirement violated${unexercised}${rest}` };
}

/** The options that left out requirements that bind the service. */
function narrowingOptions(
  requirements: readonly RequirementResult[],
  narrowed: RunRecord['narrowed'],
): string[] {
  const musts = new Set(requirements.filter(({ level }) => level === 'must').map(({ id }) => id));
  return narrowed.filter((each) => each.requirements.some((id) => musts.has(id))).map(({ option }) => option);
}

/** Why they could not be tested, where it is one reason for all. */
function commonReason(missing: readonly RequirementResult[]): string {
  const [reason, ...others] = new Set(missing.map((each) => each.reason));
  return reason && others.length === 0 ? `: ${reason}` : '';
}

/** What was to be judged, was not, and was not left out by the user. */
function untestedMusts(
  requirements: readonly RequirementResult[],
  { narrowed }: Pick<RunRecord, 'narrowed'>,
): RequirementResult[] {
  const leftOutIds = new Set(narrowed.flatMap((each) => each.requirements));
  return requirements.filter(
    ({ id, level, status }) => level === 'must' && status === 'not-tested' && !leftOutIds.has(id),
  );
}
