import { createHash } from 'node:crypto';
import type { DeviationKind, Fingerprint } from '../model/finding.ts';
import { ANYWHERE } from '../model/report/place.ts';
import {
  type BaselineEntryResult,
  isViolation,
  type Report,
  type RequirementResult,
} from '../model/report/report.ts';
import { judgedOf } from '../report/facts/verdict.ts';

/** A known violation: a requirement, and the fingerprints of its deviations. */
export interface BaselineEntry {
  requirement: string;
  /** Why the violation is known, and until when. */
  comment?: string | undefined;
  /** Why the owner of the service does not regard it as a violation. An entry has this or a comment, or both. */
  waived?: string | undefined;
  seen: readonly KnownFingerprint[];
  /** The first and the last line of the entry in its file, counted from 1. */
  line: number;
  lastLine: number;
}

/** A fingerprint in a baseline. Baselines from before 0.3.0 may lack the kind. */
export interface KnownFingerprint extends Omit<Fingerprint, 'kind' | 'variation'> {
  kind?: DeviationKind;
}

export interface Baseline {
  /** The path as the user gave it. */
  file: string;
  entries: readonly BaselineEntry[];
  /** The digest of what the run sent that wrote the baseline. Absent from older baselines, and if several runs wrote it. */
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

/** Two runs with the same digest sent the same requests, so they see the same violations, unless the service changed. */
export function digestOf({ probes, seed, cost }: PlannedRun): string {
  const sent = [seed, cost?.exhausts, cost?.further, probes.map(({ id, burst }) => [id, burst])];
  return createHash('sha256').update(JSON.stringify(sent)).digest('hex').slice(0, 16);
}

/** Whether known fingerprints list everything that a run found. A run with other requests may find less. */
export function covers(known: readonly KnownFingerprint[], found: readonly KnownFingerprint[]): boolean {
  // In an older baseline without kinds, only the places decide.
  const haveKinds = [...known, ...found].every(({ kind }) => kind !== undefined);
  const isLike = (left: KnownFingerprint, right: KnownFingerprint) =>
    !haveKinds || (left.kind === right.kind && haveSamePointer(left, right));
  const listed = known.map((fingerprint) => ({ fingerprint, at: new Set(placesOf(fingerprint)) }));
  // A run that sees a failure at one operation only cannot know that it happens at any.
  return found.every((fingerprint) =>
    placesOf(fingerprint).every((place) =>
      listed.some(
        ({ fingerprint: listedFingerprint, at }) =>
          isLike(listedFingerprint, fingerprint) && (place === ANYWHERE || at.has(place) || at.has(ANYWHERE)),
      ),
    ),
  );
}

/** Whether a record has a wrong field or lacks it depends on what a run created. If it lacks it, the pointer is the record's. */
function haveSamePointer({ kind, pointer: a }: KnownFingerprint, { pointer: b }: KnownFingerprint) {
  return a === b || (kind === 'meaning' && (isWithin(a, b) || isWithin(b, a)));
}

function isWithin(part: string | undefined, whole: string | undefined): boolean {
  return part !== undefined && whole !== undefined && part.startsWith(`${whole}/`);
}

/** A deviation that only a sequence of requests shows has no place. */
function placesOf({ at }: KnownFingerprint): readonly string[] {
  return at.length === 0 ? [''] : at;
}

/**
 * Adds to a report how its violations compare with a baseline. Pure; the verdict stays the same.
 * @param sent what the run sent by its plan; absent for traffic that petspec did not plan
 */
export function withBaseline(report: Report, baseline: Baseline, sent: PlannedRun | undefined): Report {
  const results = new Map(report.requirements.map((result) => [result.id, result]));
  const leftOut = new Set(report.narrowed.flatMap(({ requirements }) => requirements));
  const isRepeated = sent !== undefined && baseline.requests === digestOf(sent);
  const judged = baseline.entries.map((entry) => {
    const result = results.get(entry.requirement);
    const isJudged = result !== undefined && result.status !== 'not-tested' && !leftOut.has(result.id);
    const owner = ownerOf(report, entry, result, results);
    const state = isJudged ? stateOf(report, result, entry, isRepeated) : owner ? 'known' : 'unjudged';
    return { entry, state, owner };
  });
  const entriesIn = (state: KnownState) =>
    judged.filter((judgment) => judgment.state === state).map(({ entry }) => resultOf(entry));
  const known = entriesIn('known');
  const stale = entriesIn('stale');
  const owners = judged.flatMap(({ owner }) => (owner === undefined ? [] : [owner]));
  const isKnown = new Set([...known.map(({ requirement }) => requirement), ...owners]);
  const unlisted = report.requirements
    .filter((result) => isViolation(report, result) && !isKnown.has(result.id))
    .map(({ id }) => id);
  const isSame = stale.length === 0 && unlisted.length === 0;
  const outcome = !isSame ? 'different' : isComplete(report, leftOut) ? 'exact' : 'incomplete';
  const waived = new Map(
    judged
      .filter(({ state }) => state === 'known')
      .map(({ entry, owner }) => [owner ?? entry.requirement, entry.waived]),
  );
  return {
    ...report,
    requirements: report.requirements.map((result) => {
      const reason = waived.get(result.id);
      return reason === undefined ? result : { ...result, waived: reason };
    }),
    baseline: {
      file: baseline.file,
      outcome,
      known,
      stale,
      unjudged: entriesIn('unjudged'),
      unknown: unlisted,
    },
  };
}

/**
 * The requirement that this run reports for the same responses, because its other requests show another cause: a list that
 * refuses a wrong query before it checks the key, for example.
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

/** @param isRepeated whether the run sends what the baseline's run sent; other requests may not show the violation again */
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
 * Whether the run judged at least one requirement of level must, and all of them except those that options left out or
 * that another violation hides.
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
  return { requirement, comment: comment ?? waived ?? '', waived, line, lastLine };
}
