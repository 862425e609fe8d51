import type { Sighting } from '../model/finding.ts';
import {
  type BaselineEntryResult,
  isViolation,
  type Report,
  type RequirementResult,
} from '../model/report/report.ts';
import { judgedOf } from '../report/verdict.ts';
import { type Baseline, type Entry, isSame } from './baseline.ts';

/**
 * A report that says how its violations compare with a baseline: the same ones exactly, or not. The verdict stays what
 * it is. Pure.
 * @param planned ids of the requests that this run was to send: of others a narrowed run says nothing
 */
export function withBaseline(report: Report, baseline: Baseline, planned: ReadonlySet<string>): Report {
  const results = new Map(report.requirements.map((each) => [each.id, each]));
  const leftOut = new Set(report.narrowed.flatMap(({ requirements }) => requirements));
  const isNarrowed = report.narrowed.length > 0;
  const judged = baseline.entries.map((entry) => {
    const due = isNarrowed ? within(entry.seen, planned) : entry.seen;
    const result = results.get(entry.requirement);
    return { entry, state: stateOf(report, result, due, leftOut) };
  });
  const of = (state: State) =>
    judged.filter((each) => each.state === state).map(({ entry }) => resultOf(entry));
  const known = of('known');
  const stale = of('stale');
  const isKnown = new Set(known.map(({ requirement }) => requirement));
  const unknown = report.requirements
    .filter((each) => isViolation(report, each) && !isKnown.has(each.id))
    .map(({ id }) => id);
  const isSame = stale.length === 0 && unknown.length === 0;
  const outcome = !isSame ? 'different' : isComplete(report, leftOut) ? 'exact' : 'incomplete';
  return {
    ...report,
    baseline: { file: baseline.file, outcome, known, stale, unjudged: of('unjudged'), unknown },
  };
}

type State = 'known' | 'stale' | 'unjudged';

function stateOf(
  report: Report,
  result: RequirementResult | undefined,
  due: readonly Sighting[],
  leftOut: ReadonlySet<string>,
): State {
  // Of a requirement of a newer set, or one that was not tested, this run says nothing.
  if (!result || result.status === 'not-tested' || leftOut.has(result.id) || due.length === 0)
    return 'unjudged';
  return isViolation(report, result) && isSame(result.seen ?? [], due) ? 'known' : 'stale';
}

/** What of an entry a narrowed run can see again. */
function within(seen: readonly Sighting[], planned: ReadonlySet<string>): Sighting[] {
  return seen.flatMap(({ what, at }) => {
    const left = at.filter(
      (place) => place.startsWith('a refusal ') || planned.has(place.replace(/ [^ ]+$/, '')),
    );
    return left.length > 0 || at.length === 0 ? [{ what, at: left }] : [];
  });
}

/**
 * Whether anything that binds the service was judged, and all of it but what the user left out and what could not be in
 * the wake of a violation.
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

function resultOf({ requirement, comment, line, lastLine }: Entry): BaselineEntryResult {
  return { requirement, comment, line, lastLine };
}
