import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Requirement } from '../../model/contract.ts';
import type { Exchange } from '../../model/exchange.ts';
import type { Finding } from '../../model/finding.ts';
import { packageRoot } from '../../model/package-root.ts';
import type { Sensitivity } from '../../model/report/sensitivity.ts';
import { featureReader, hasAll } from './features.ts';

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

let cached: readonly FaultCondition[] | undefined;

/** When each fault of the bundled catalogue shows. */
export function faultConditions(): readonly FaultCondition[] {
  cached ??= unpack(JSON.parse(readFileSync(FAULT_INDEX, 'utf8')));
  return cached;
}

function unpack({ texts, faults, onlyInRuns }: Packed): FaultCondition[] {
  const textAt = (number: number) => texts[number] ?? '';
  const ofRuns = new Set(onlyInRuns);
  return faults.map(([fault, violates, probe, ...anyOf]) => ({
    fault,
    violates: violates.map(textAt),
    probe: textAt(probe),
    anyOf: anyOf.map((numbers) => numbers.map(textAt)),
    isOnlyInRuns: ofRuns.has(fault),
  }));
}

/** So many missing probes are named at most. */
const MOST_MISSING = 5;

/** So many sets of features are remembered, of so many characters at most: most exchanges of traffic are like others before. */
const REMEMBERED = { sets: 2_000, characters: 1_000 };

type RequirementOutcome = Pick<Requirement, 'id' | 'section'> & Pick<Finding, 'status' | 'exercised'>;

/** The faults whose condition exchanges met. */
export interface Met {
  faults: readonly string[];
  /** Others sent the requests: what only a run shows was not met. */
  isTraffic: boolean;
}

/** Counts which conditions of faults the exchanges meet, one exchange at a time. */
export function countConditions(conditions = faultConditions()) {
  const read = featureReader();
  const unmet = new Set(conditions);
  const seen = new Set<string>();
  let isTraffic = false;
  return {
    /** Adds an exchange, in the order in which they were sent. */
    add(exchange: Exchange): void {
      if (exchange.confirms || unmet.size === 0) return;
      isTraffic ||= exchange.recorded === 'traffic';
      const features = read(exchange);
      const key = [...features].join('\n');
      if (seen.has(key)) return;
      if (seen.size < REMEMBERED.sets && key.length <= REMEMBERED.characters) seen.add(key);
      for (const condition of unmet)
        if (
          !(isTraffic && condition.isOnlyInRuns) &&
          condition.anyOf.some((wanted) => hasAll(features, wanted))
        )
          unmet.delete(condition);
    },
    met: (): Met => ({
      faults: conditions.filter((condition) => !unmet.has(condition)).map(({ fault }) => fault),
      isTraffic,
    }),
  };
}

/** The faults that exchanges would have shown: their condition was met, and a requirement that they violate was put to the test. */
export function shownFaults(
  { faults }: Met,
  requirements: readonly RequirementOutcome[],
  conditions = faultConditions(),
): ReadonlySet<FaultCondition> {
  const tested = new Set(requirements.filter(isTested).map(({ id }) => id));
  const metFaults = new Set(faults);
  return new Set(
    conditions.filter(({ fault, violates }) => metFaults.has(fault) && violates.some((id) => tested.has(id))),
  );
}

/** What exchanges would have shown, by section. Undefined for an interface whose requirements no fault violates. */
export function sensitivityOf(
  met: Met,
  requirements: readonly RequirementOutcome[],
  conditions = faultConditions(),
): Sensitivity | undefined {
  const sections = new Map(requirements.map(({ id, section }) => [id, section]));
  const relevant = conditions.filter(({ violates }) => violates.some((id) => sections.has(id)));
  if (relevant.length === 0) return undefined;
  const onlyInRuns = new Set(met.isTraffic ? relevant.filter((condition) => condition.isOnlyInRuns) : []);
  return {
    ...sumOf(relevant, shownFaults(met, requirements, conditions), sections, onlyInRuns),
    ...(met.isTraffic ? { onlyInRuns: onlyInRuns.size } : {}),
  };
}

function isTested({ status, exercised }: RequirementOutcome): boolean {
  return status !== 'not-tested' && exercised;
}

function sumOf(
  conditions: readonly FaultCondition[],
  shown: ReadonlySet<FaultCondition>,
  sectionOf: ReadonlyMap<string, string>,
  onlyInRuns: ReadonlySet<FaultCondition>,
): Sensitivity {
  const sections = new Map<string, { section: string; faults: number; shown: number }>();
  const missing = new Map<string, number>();
  for (const condition of conditions) {
    const name = condition.violates.flatMap((id) => sectionOf.get(id) ?? [])[0] ?? '';
    const section = sections.get(name) ?? { section: name, faults: 0, shown: 0 };
    sections.set(name, section);
    section.faults += 1;
    if (shown.has(condition)) section.shown += 1;
    else if (!onlyInRuns.has(condition))
      missing.set(condition.probe, (missing.get(condition.probe) ?? 0) + 1);
  }
  const order = [...new Set(sectionOf.values())];
  return {
    faults: conditions.length,
    shown: shown.size,
    sections: [...sections.values()].sort(
      (left, right) => order.indexOf(left.section) - order.indexOf(right.section),
    ),
    missing: [...missing]
      .map(([probe, faults]) => ({ probe, faults }))
      .sort((left, right) => right.faults - left.faults || (left.probe < right.probe ? -1 : 1))
      .slice(0, MOST_MISSING),
  };
}
