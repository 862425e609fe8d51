import {
  type BaselineEntryResult,
  isViolation,
  type Report,
  type RequirementResult,
} from '../model/report/report.ts';
import { judgedOf } from '../report/verdict.ts';
import { type Baseline, type BaselineEntry, covers, digestOf, type PlannedRun } from './baseline.ts';

/**
 * Adds to a report how its violations compare with a baseline. Pure. The verdict does not change.
 * @param sent what the run sent by its plan; absent for traffic that petspec did not plan
 */
export function withBaseline(report: Report, baseline: Baseline, sent: PlannedRun | undefined): Report {
  const results = new Map(report.requirements.map((each) => [each.id, each]));
  const leftOut = new Set(report.narrowed.flatMap(({ requirements }) => requirements));
  const isRepeated = sent !== undefined && baseline.requests === digestOf(sent);
  const judged = baseline.entries.map((entry) => {
    const result = results.get(entry.requirement);
    const isJudged = result !== undefined && result.status !== 'not-tested' && !leftOut.has(result.id);
    const owner = ownerOf(report, entry, result, results);
    const state = isJudged ? stateOf(report, result, entry, isRepeated) : owner ? 'known' : 'unjudged';
    return { entry, state, owner };
  });
  const of = (state: KnownState) =>
    judged.filter((each) => each.state === state).map(({ entry }) => resultOf(entry));
  const known = of('known');
  const stale = of('stale');
  const owners = judged.flatMap(({ owner }) => (owner === undefined ? [] : [owner]));
  const isKnown = new Set([...known.map(({ requirement }) => requirement), ...owners]);
  const unknown = report.requirements
    .filter((each) => isViolation(report, each) && !isKnown.has(each.id))
    .map(({ id }) => id);
  const isSame = stale.length === 0 && unknown.length === 0;
  const outcome = !isSame ? 'different' : isComplete(report, leftOut) ? 'exact' : 'incomplete';
  const waived = new Map(
    judged
      .filter(({ state }) => state === 'known')
      .map(({ entry, owner }) => [owner ?? entry.requirement, entry.waived]),
  );
  return {
    ...report,
    requirements: report.requirements.map((each) => {
      const reason = waived.get(each.id);
      return reason === undefined ? each : { ...each, waived: reason };
    }),
    baseline: { file: baseline.file, outcome, known, stale, unjudged: of('unjudged'), unknown },
  };
}

/**
 * The requirement that the same responses violate in this run, because what else it sent shows another cause: a list that needs
 * no key also refuses a wrong query before it looks for a key.
 */
function ownerOf(
  report: Report,
  { seen }: BaselineEntry,
  result: RequirementResult | undefined,
  results: ReadonlyMap<string, RequirementResult>,
): string | undefined {
  const owner = result?.status === 'not-tested' ? results.get(result.cause ?? '') : undefined;
  return owner?.seen && isViolation(report, owner) && covers(seen, owner.seen) ? owner.id : undefined;
}

type KnownState = 'known' | 'stale' | 'unjudged';

/** @param isRepeated the run sends what the one sent that wrote the baseline; any other may not show a violation again */
function stateOf(
  report: Report,
  result: RequirementResult,
  { seen }: BaselineEntry,
  isRepeated: boolean,
): KnownState {
  if (isViolation(report, result)) return result.seen && covers(seen, result.seen) ? 'known' : 'stale';
  return isRepeated ? 'stale' : 'unjudged';
}

/**
 * Whether the run judged at least one requirement that binds the service, and left none out except those that the user
 * narrowed away and those that another violation hides.
 */
function isComplete(report: Report, leftOut: ReadonlySet<string>): boolean {
  return (
    report.stopped === undefined &&
    judgedOf(report).requirements > 0 &&
    report.requirements.every(
      ({ id, level, status, cause }) =>
        level !== 'must' || status !== 'not-tested' || cause !== undefined || leftOut.has(id),
    )
  );
}

function resultOf({ requirement, comment, waived, line, lastLine }: BaselineEntry): BaselineEntryResult {
  return {
    requirement,
    comment: comment ?? waived ?? '',
    waived,
    line,
    lastLine,
  };
}
