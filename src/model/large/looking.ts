import type { Probe } from '../probe.ts';
import { rememberingEach } from '../remembering.ts';
import { addTo } from './grouped.ts';

/** What says which probes a check looks at. */
export interface Looking {
  requirement: string;
  /** The probes whose exchanges it looks at. */
  probes: (probe: Probe) => boolean;
  /**
   * The operations whose probes it looks at, beside the probes that are sent for its requirement; without them, it may look at
   * those of any. The keys of a set or a map.
   */
  operations?: Pick<ReadonlyMap<string, unknown>, 'keys'> | undefined;
}

/** An exchange of a probe. */
interface WithProbe {
  probe: Probe;
}

/** Where something is in a list: by the operation of its probe, and by the requirement that the probe is sent for. */
interface ProbePlaces {
  byOperation: ReadonlyMap<string, readonly number[]>;
  byRule: ReadonlyMap<string, readonly number[]>;
}

/**
 * The exchanges of the operations that a check names, in their order: it may look at no others. A document may have thousands of
 * operations, and a check for each.
 */
export function exchangesFor<Each extends WithProbe>(all: readonly Each[], check: Looking): readonly Each[] {
  return within(all, placesOfExchanges, check);
}

/** The same of probes. */
export function probesFor(all: readonly Probe[], check: Looking): readonly Probe[] {
  return within(all, placesOfProbes, check);
}

function within<Item>(
  all: readonly Item[],
  placesIn: (all: readonly Item[]) => ProbePlaces,
  check: Looking,
): readonly Item[] {
  const { operations, requirement } = check;
  if (!operations) return all;
  const { byOperation, byRule } = placesIn(all);
  const found = new Set(byRule.get(requirement));
  for (const operation of operations.keys())
    for (const place of byOperation.get(operation) ?? []) found.add(place);
  return [...found].sort((one, other) => one - other).map((place) => all[place] as Item);
}

const placesOfExchanges = rememberingEach((all: readonly WithProbe[]) =>
  placesOf(all.map(({ probe }) => probe)),
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

/** Tells the checks that look at a probe, in their order. */
export function checksLookingAt<Each extends Looking>(checks: readonly Each[]): (probe: Probe) => Each[] {
  const anywhere: number[] = [];
  const byOperation = new Map<string, number[]>();
  const byRequirement = new Map<string, number[]>();
  for (const [place, { operations, requirement }] of checks.entries()) {
    if (!operations) anywhere.push(place);
    else for (const operation of operations.keys()) addTo(byOperation, operation, place);
    addTo(byRequirement, requirement, place);
  }
  return (probe) => {
    const own = probe.rule === undefined ? [] : (byRequirement.get(probe.rule) ?? []);
    const found = new Set([...anywhere, ...(byOperation.get(probe.operation) ?? []), ...own]);
    return [...found]
      .sort((one, other) => one - other)
      .map((place) => checks[place] as Each)
      .filter((check) => check.probes(probe));
  };
}
