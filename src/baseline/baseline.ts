import { createHash } from 'node:crypto';
import type { DeviationKind, Fingerprint } from '../model/finding.ts';
import { ANYWHERE } from '../model/report/place.ts';
import {
  type BaselineEntryResult,
  isViolation,
  type Report,
  type RequirementResult,
} from '../model/report/report.ts';
import { judgedOf } from '../report/verdict.ts';

/** A violation that is known, as a baseline has it: a requirement, and each kind of its violation with places and responses. */
export interface BaselineEntry {
  requirement: string;
  /** Why it is known, and until when. */
  comment?: string | undefined;
  /** Why the owner of the service does not regard it as a violation. An entry has this or a comment, or both. */
  waived?: string | undefined;
  seen: readonly KnownFingerprint[];
  /** The first and the last line of the entry in its file, counted from 1. */
  line: number;
  lastLine: number;
}

/** A fingerprint as a baseline has it. Older baselines have no kind. */
export interface KnownFingerprint extends Omit<Fingerprint, 'kind' | 'variation'> {
  kind?: DeviationKind;
}

export interface Baseline {
  /** The path as the user gave it. */
  file: string;
  entries: readonly BaselineEntry[];
  /** The digest of what the run sent that wrote it. Absent from older ones, and from those that several runs wrote. */
  requests?: string;
}

/** The comment that `--write-baseline` leaves for the user to fill in. */
export const TODO_COMMENT = 'TODO: why is this known, and until when?';

/** What a run sends by its plan. */
export interface PlannedRun {
  probes: readonly { id: string; burst?: number }[];
  seed?: number | 'none';
  cost?: { exhausts: boolean; further: number };
}

/** Whoever sends the same sees the same, unless the service changed. */
export function digestOf({ probes, seed, cost }: PlannedRun): string {
  const sent = [seed, cost?.exhausts, cost?.further, probes.map(({ id, burst }) => [id, burst])];
  return createHash('sha256').update(JSON.stringify(sent)).digest('hex').slice(0, 16);
}

/** Whether an entry lists everything that a run found. A run with other requests may find less of it. */
export function covers(known: readonly KnownFingerprint[], found: readonly KnownFingerprint[]): boolean {
  // An older baseline has no kinds: the places alone decide.
  const haveKinds = [...known, ...found].every(({ kind }) => kind !== undefined);
  const isLike = (one: KnownFingerprint, other: KnownFingerprint) =>
    !haveKinds || (one.kind === other.kind && haveSamePointer(one, other));
  const places = known.map((each) => ({ each, at: new Set(placesOf(each)) }));
  // A run that meets a failure at one operation alone cannot tell that it strikes any.
  return found.every((each) =>
    placesOf(each).every((place) =>
      places.some(
        ({ each: other, at }) =>
          isLike(other, each) && (place === ANYWHERE || at.has(place) || at.has(ANYWHERE)),
      ),
    ),
  );
}

/** The values that a run creates decide whether a record has a wrong field or lacks it. Then the pointer names the record. */
function haveSamePointer({ kind, pointer: one }: KnownFingerprint, { pointer: other }: KnownFingerprint) {
  return one === other || (kind === 'meaning' && (isWithin(one, other) || isWithin(other, one)));
}

function isWithin(part: string | undefined, whole: string | undefined): boolean {
  return part !== undefined && whole !== undefined && part.startsWith(`${whole}/`);
}

/** Only a sequence of requests shows what has no place. */
function placesOf({ at }: KnownFingerprint): readonly string[] {
  return at.length === 0 ? [''] : at;
}

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
