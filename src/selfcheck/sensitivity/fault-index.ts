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
}

/** The file of the index: features are numbered, as most are in many conditions. */
export const FAULT_INDEX = join(packageRoot, 'spec', 'fault-conditions.json');

interface Packed {
  texts: string[];
  faults: [fault: string, violates: number[], probe: number, ...anyOf: number[][]][];
}

/** The text of the file: the same conditions give the same text. */
export function packConditions(conditions: readonly FaultCondition[]): string {
  const numbers = new Map<string, number>();
  const numberOf = (text: string) => {
    const number = numbers.get(text) ?? numbers.size;
    numbers.set(text, number);
    return number;
  };
  const faults = conditions.map(({ fault, violates, probe, anyOf }): Packed['faults'][number] => [
    fault,
    violates.map(numberOf),
    numberOf(probe),
    ...anyOf.map((each) => each.map(numberOf)),
  ]);
  const lines = faults.map((each) => JSON.stringify(each)).join(',\n');
  return `{"texts":${JSON.stringify([...numbers.keys()])},\n"faults":[\n${lines}\n]}\n`;
}

let known: readonly FaultCondition[] | undefined;

/** When each fault of the bundled catalogue shows. */
export function faultConditions(): readonly FaultCondition[] {
  known ??= unpack(JSON.parse(readFileSync(FAULT_INDEX, 'utf8')));
  return known;
}

function unpack({ texts, faults }: Packed): FaultCondition[] {
  const textAt = (number: number) => texts[number] ?? '';
  return faults.map(([fault, violates, probe, ...anyOf]) => ({
    fault,
    violates: violates.map(textAt),
    probe: textAt(probe),
    anyOf: anyOf.map((each) => each.map(textAt)),
  }));
}
