import type { Requirement } from '../../model/contract.ts';
import type { Exchange } from '../../model/exchange.ts';
import type { Finding } from '../../model/finding.ts';
import type { Sensitivity } from '../../model/report/coverage.ts';
import { type FaultCondition, faultConditions } from './fault-index.ts';
import { featureReader, hasAll } from './features.ts';

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
  const left = new Set(conditions);
  const seen = new Set<string>();
  let isTraffic = false;
  return {
    /** Adds an exchange, in the order in which they were sent. */
    add(exchange: Exchange): void {
      if (exchange.confirms || left.size === 0) return;
      isTraffic ||= exchange.recorded === 'traffic';
      const features = read(exchange);
      const key = [...features].join('\n');
      if (seen.has(key)) return;
      if (seen.size < REMEMBERED.sets && key.length <= REMEMBERED.characters) seen.add(key);
      for (const condition of left)
        if (!(isTraffic && condition.isOnlyInRuns) && condition.anyOf.some((each) => hasAll(features, each)))
          left.delete(condition);
    },
    met: (): Met => ({
      faults: conditions.filter((each) => !left.has(each)).map(({ fault }) => fault),
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
  const all = new Set(faults);
  return new Set(
    conditions.filter(({ fault, violates }) => all.has(fault) && violates.some((id) => tested.has(id))),
  );
}

/** What exchanges would have shown, by section. Undefined for an interface whose requirements no fault violates. */
export function sensitivityOf(
  met: Met,
  requirements: readonly RequirementOutcome[],
  conditions = faultConditions(),
): Sensitivity | undefined {
  const sections = new Map(requirements.map(({ id, section }) => [id, section]));
  const all = conditions.filter(({ violates }) => violates.some((id) => sections.has(id)));
  if (all.length === 0) return undefined;
  const onlyInRuns = new Set(met.isTraffic ? all.filter((each) => each.isOnlyInRuns) : []);
  return {
    ...sumOf(all, shownFaults(met, requirements, conditions), sections, onlyInRuns),
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
      (one, other) => order.indexOf(one.section) - order.indexOf(other.section),
    ),
    missing: [...missing]
      .map(([probe, faults]) => ({ probe, faults }))
      .sort((one, other) => other.faults - one.faults || (one.probe < other.probe ? -1 : 1))
      .slice(0, MOST_MISSING),
  };
}
