import { anySeed, anyWrongKey, placeIn, REFUSAL } from '../model/report/place.ts';
import {
  type BaselineEntryResult,
  isViolation,
  type Report,
  type RequirementResult,
} from '../model/report/report.ts';
import { judgedOf } from '../report/verdict.ts';
import { type Baseline, type Entry, isSame, type KnownFingerprint } from './baseline.ts';

/**
 * Adds to a report how its violations compare with a baseline. Pure. The verdict does not change.
 * @param planned ids of the requests in this run's plan: a narrowed run says nothing about the others
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
  due: readonly KnownFingerprint[],
  leftOut: ReadonlySet<string>,
): State {
  // This run says nothing about a requirement of a newer set, or one that was not tested.
  if (!result || result.status === 'not-tested' || leftOut.has(result.id) || due.length === 0)
    return 'unjudged';
  return isViolation(report, result) && isSame(result.seen ?? [], due) ? 'known' : 'stale';
}

/** The part of an entry that a narrowed run can find again. */
function within(seen: readonly KnownFingerprint[], planned: ReadonlySet<string>): KnownFingerprint[] {
  const anyKeys = new Set([...planned].map(anyWrongKey));
  const isPlanned = (text: string) => {
    const place = placeIn(text);
    return place.request === REFUSAL || planned.has(place.request) || anyKeys.has(anySeed(place).request);
  };
  return seen.flatMap((fingerprint) => {
    const at = fingerprint.at.filter(isPlanned);
    return at.length > 0 || fingerprint.at.length === 0 ? [{ ...fingerprint, at }] : [];
  });
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

function resultOf({ requirement, comment, line, lastLine }: Entry): BaselineEntryResult {
  return { requirement, comment, line, lastLine };
}
