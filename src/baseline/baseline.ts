import type { DeviationKind } from '../model/finding.ts';
import { anySeed, placeIn, placeText } from '../model/report/place.ts';

/** A violation that is known, as a baseline has it. */
export interface Entry {
  requirement: string;
  /** Why it is known, and until when. */
  comment: string;
  seen: readonly KnownFingerprint[];
  /** The first and the last line of the entry in its file, counted from 1. */
  line: number;
  lastLine: number;
}

/** A fingerprint as a baseline has it. Older baselines have no kind. */
export interface KnownFingerprint {
  kind?: DeviationKind;
  pointer?: string;
  at: readonly string[];
  /** The ids of the variations to blame; absent if the plain request shows it. */
  variation?: readonly string[];
}

export interface Baseline {
  /** The path as the user gave it. */
  file: string;
  entries: readonly Entry[];
}

/** The comment that `--write-baseline` leaves for the user to fill in. */
export const TODO_COMMENT = 'TODO: why is this known, and until when?';

/**
 * Whether two violations are the same: the same kinds at the same places, with the same variations. Against an older
 * baseline, which has no kinds, the places alone decide.
 */
export function isSame(known: readonly KnownFingerprint[], found: readonly KnownFingerprint[]): boolean {
  const haveKinds = [...known, ...found].every(({ kind }) => kind !== undefined);
  return keyOf(known, haveKinds) === keyOf(found, haveKinds);
}

function keyOf(fingerprints: readonly KnownFingerprint[], haveKinds: boolean): string {
  const keys = fingerprints.flatMap(({ kind, pointer, at, variation = [] }) => {
    const places = at.length === 0 ? [''] : at.map((each) => placeText(anySeed(placeIn(each))));
    const varied = [...variation].sort();
    return places.map((place) => JSON.stringify(haveKinds ? [kind, pointer ?? null, place, varied] : place));
  });
  return [...new Set(keys)].sort().join();
}
