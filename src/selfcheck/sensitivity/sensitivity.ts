import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Requirement } from '../../model/contract.ts';
import type { Exchange } from '../../model/exchange.ts';
import type { Finding } from '../../model/finding.ts';
import { packageRoot } from '../../model/package-root.ts';
import type { Sensitivity } from '../../model/report/coverage.ts';
import { featureReader, hasAll } from './features.ts';

/** The condition under which a fault of the catalogue shows. */
export interface FaultCondition {
  fault: string;
  /** The requirements that find it. */
  violates: readonly string[];
  /** An exchange that has all features of one of these sets shows the fault. */
  anyOf: readonly (readonly string[])[];
  /** The first probe of a run that shows it. */
  probe: string;
  /** Only a run shows it: judging it needs what a recording of the same requests does not have. */
  isOnlyInRuns: boolean;
}

/** The file of the index. It numbers features, as most are in many conditions. */
export const FAULT_INDEX = join(packageRoot, 'spec', 'fault-conditions.json');

/** The format of the file. */
export interface Packed {
  texts: string[];
  faults: [fault: string, violates: number[], probe: number, ...anyOf: number[][]][];
  /** The faults that only runs show. */
  onlyInRuns: string[];
}

let cached: readonly FaultCondition[] | undefined;

/** The conditions of the faults of the bundled catalogue. */
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

/** Missing probes that are named at most. */
const MOST_MISSING = 5;

/** Limits for remembered sets of features: most exchanges of traffic are like earlier ones. */
const REMEMBERED = { sets: 2_000, characters: 1_000 };

type RequirementOutcome = Pick<Requirement, 'id' | 'section'> & Pick<Finding, 'status' | 'exercised'>;

/** The faults whose conditions were met. */
export interface Met {
  faults: readonly string[];
  /** The requests are not those of a run, so faults that only runs show are not met. */
  isTraffic: boolean;
}

/** Finds the fault conditions that exchanges meet, one exchange at a time. */
export function countConditions(conditions = faultConditions()) {
  const read = featureReader();
  const unmet = new Set(conditions);
  const seen = new Set<string>();
  let isTraffic = false;
  return {
    /** Adds the next exchange in the order of sending. */
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

/** The faults that exchanges would have shown: the condition was met, and a violated requirement was exercised. */
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

/** The shown faults by section; undefined if no fault violates a requirement of the interface. */
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
