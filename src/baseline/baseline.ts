import type { Sighting } from '../model/finding.ts';

/** A violation that is known, as a baseline has it. */
export interface Entry {
  requirement: string;
  /** Why it is known, and until when. */
  comment: string;
  seen: readonly Sighting[];
  /** Where it stands in the file, counted from 1. */
  line: number;
  lastLine: number;
}

export interface Baseline {
  /** As the user named it. */
  file: string;
  entries: readonly Entry[];
}

/** What `--write-baseline` says where nobody has said more. */
export const TO_BE_SAID = 'TODO: why is this known, and until when?';

/** Whether two violations are the same one: in the same ways, at the same places. */
export function isSame(left: readonly Sighting[], right: readonly Sighting[]): boolean {
  return keyOf(left) === keyOf(right);
}

function keyOf(seen: readonly Sighting[]): string {
  return JSON.stringify(seen.map(({ what, at }) => [what, [...at].sort()]).sort());
}
