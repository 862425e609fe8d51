import { createHash } from 'node:crypto';
import type { DeviationKind, Fingerprint } from '../model/finding.ts';
import { ANYWHERE } from '../model/report/place.ts';

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
