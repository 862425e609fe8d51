import type { Probe } from '../probe.ts';
import { rememberingEach } from '../remembering.ts';
import { addTo } from './grouped.ts';

/** Which probes a check looks at. */
export interface Looking {
  requirement: string;
  /** The probes whose exchanges it looks at. */
  probes: (probe: Probe) => boolean;
  /**
   * The operations whose probes it looks at, in addition to the probes for its requirement. Default: those of any operation. The keys
   * of a set or a map.
   */
  operations?: Pick<ReadonlyMap<string, unknown>, 'keys'> | undefined;
}

interface WithProbe {
  probe: Probe;
}

/** Indices in a list by the operation of the probe, and by the requirement that the probe is sent for. */
interface ProbePlaces {
  byOperation: ReadonlyMap<string, readonly number[]>;
  byRule: ReadonlyMap<string, readonly number[]>;
}

/**
 * The exchanges that a check may look at, in their order: those of its operations and its requirement. Indexed, as a document may have
 * thousands of operations, and a check for each.
 */
export function exchangesFor<Item extends WithProbe>(
  exchanges: readonly Item[],
  check: Looking,
): readonly Item[] {
  return itemsFor(exchanges, placesOfExchanges, check);
}

/** The same for probes. */
export function probesFor(probes: readonly Probe[], check: Looking): readonly Probe[] {
  return itemsFor(probes, placesOfProbes, check);
}

function itemsFor<Item>(
  items: readonly Item[],
  placesIn: (items: readonly Item[]) => ProbePlaces,
  { operations, requirement }: Looking,
): readonly Item[] {
  if (!operations) return items;
  const { byOperation, byRule } = placesIn(items);
  const places = new Set(byRule.get(requirement));
  for (const operation of operations.keys())
    for (const place of byOperation.get(operation) ?? []) places.add(place);
  return inOrder(places).map((place) => items[place] as Item);
}

function inOrder(places: ReadonlySet<number>): number[] {
  return [...places].sort((a, b) => a - b);
}

const placesOfExchanges = rememberingEach((exchanges: readonly WithProbe[]) =>
  placesOf(exchanges.map(({ probe }) => probe)),
);
const placesOfProbes = rememberingEach(placesOf);

function placesOf(probes: readonly Probe[]): ProbePlaces {
  const byOperation = new Map<string, number[]>();
  const byRule = new Map<string, number[]>();
  for (const [place, { operation, rule }] of probes.entries()) {
    addTo(byOperation, operation, place);
    if (rule !== undefined) addTo(byRule, rule, place);
  }
  return { byOperation, byRule };
}

/** Returns a function that lists the checks that look at a probe, in their order. */
export function checksLookingAt<Check extends Looking>(checks: readonly Check[]): (probe: Probe) => Check[] {
  const anywhere: number[] = [];
  const byOperation = new Map<string, number[]>();
  const byRequirement = new Map<string, number[]>();
  for (const [place, { operations, requirement }] of checks.entries()) {
    if (!operations) anywhere.push(place);
    else for (const operation of operations.keys()) addTo(byOperation, operation, place);
    addTo(byRequirement, requirement, place);
  }
  return (probe) => {
    const ofRule = probe.rule === undefined ? [] : (byRequirement.get(probe.rule) ?? []);
    const places = new Set([...anywhere, ...(byOperation.get(probe.operation) ?? []), ...ofRule]);
    return inOrder(places)
      .map((place) => checks[place] as Check)
      .filter((check) => check.probes(probe));
  };
}
