import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../model/package-root.ts';

/** When a fault of the catalogue shows. */
export interface FaultCondition {
  fault: string;
  /** The requirements by which it is found. */
  violates: readonly string[];
  /** An exchange shows it if it has all features of one of these. */
  anyOf: readonly (readonly string[])[];
  /** The probe of a run that shows it first. */
  probe: string;
  /** A run shows it, and the same requests recorded by others do not: judging it needs what only a run knows. */
  isOnlyInRuns: boolean;
}

/** The file of the index: features are numbered, as most are in many conditions. */
export const FAULT_INDEX = join(packageRoot, 'spec', 'fault-conditions.json');

/** The index as the file has it. */
export interface Packed {
  texts: string[];
  faults: [fault: string, violates: number[], probe: number, ...anyOf: number[][]][];
  /** The faults that only runs show. */
  onlyInRuns: string[];
}

let known: readonly FaultCondition[] | undefined;

/** When each fault of the bundled catalogue shows. */
export function faultConditions(): readonly FaultCondition[] {
  known ??= unpack(JSON.parse(readFileSync(FAULT_INDEX, 'utf8')));
  return known;
}

function unpack({ texts, faults, onlyInRuns }: Packed): FaultCondition[] {
  const textAt = (number: number) => texts[number] ?? '';
  const ofRuns = new Set(onlyInRuns);
  return faults.map(([fault, violates, probe, ...anyOf]) => ({
    fault,
    violates: violates.map(textAt),
    probe: textAt(probe),
    anyOf: anyOf.map((each) => each.map(textAt)),
    isOnlyInRuns: ofRuns.has(fault),
  }));
}
