import type { Requirement } from '../../model/contract.ts';
import type { Exchange } from '../../model/exchange.ts';
import type { Finding } from '../../model/finding.ts';
import type { Sensitivity } from '../../model/report/sensitivity.ts';
import { type FaultCondition, faultConditions } from './fault-index.ts';
import { featureReader, hasAll } from './features.ts';

/** So many missing probes are named at most. */
const MOST_MISSING = 5;

type Judged = Pick<Requirement, 'id' | 'section'> & Pick<Finding, 'status' | 'exercised'>;

/** Counts which conditions of faults the exchanges meet, one exchange at a time. */
export function countConditions(conditions = faultConditions()) {
  const read = featureReader();
  const left = new Set(conditions);
  return {
    /** Adds an exchange, in the order in which they were sent. */
    add(exchange: Exchange): void {
      if (exchange.confirms || left.size === 0) return;
      const features = read(exchange);
      for (const condition of left)
        if (condition.anyOf.some((each) => hasAll(features, each))) left.delete(condition);
    },
    /** The faults whose condition was met. */
    met: (): string[] => conditions.filter((each) => !left.has(each)).map(({ fault }) => fault),
  };
}

/** The faults that exchanges would have shown: their condition was met, and a requirement that they violate was put to the test. */
export function shownFaults(
  met: readonly string[],
  requirements: readonly Judged[],
  conditions = faultConditions(),
): ReadonlySet<FaultCondition> {
  const tested = new Set(requirements.filter(isTested).map(({ id }) => id));
  const all = new Set(met);
  return new Set(
    conditions.filter(({ fault, violates }) => all.has(fault) && violates.some((id) => tested.has(id))),
  );
}

/** What exchanges would have shown, by section. Undefined for an interface whose requirements no fault violates. */
export function sensitivityOf(
  met: readonly string[],
  requirements: readonly Judged[],
  conditions = faultConditions(),
): Sensitivity | undefined {
  const sections = new Map(requirements.map(({ id, section }) => [id, section]));
  const all = conditions.filter(({ violates }) => violates.some((id) => sections.has(id)));
  return all.length === 0 ? undefined : sumOf(all, shownFaults(met, requirements, conditions), sections);
}

function isTested({ status, exercised }: Judged): boolean {
  return status !== 'not-tested' && exercised;
}

function sumOf(
  conditions: readonly FaultCondition[],
  shown: ReadonlySet<FaultCondition>,
  sectionOf: ReadonlyMap<string, string>,
): Sensitivity {
  const sections = new Map<string, { section: string; faults: number; shown: number }>();
  const missing = new Map<string, number>();
  for (const condition of conditions) {
    const name = condition.violates.flatMap((id) => sectionOf.get(id) ?? [])[0] ?? '';
    const section = sections.get(name) ?? { section: name, faults: 0, shown: 0 };
    sections.set(name, section);
    section.faults += 1;
    if (shown.has(condition)) section.shown += 1;
    else missing.set(condition.probe, (missing.get(condition.probe) ?? 0) + 1);
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
