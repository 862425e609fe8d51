import type { Operation } from '../contract.ts';
import type { Probe } from '../probe.ts';
import { rememberingEach } from '../remembering.ts';

/** Adds a value to the list of a name. */
export function addTo<Name, Value>(lists: Map<Name, Value[]>, name: Name, value: Value): void {
  const list = lists.get(name);
  if (list) list.push(value);
  else lists.set(name, [value]);
}

/** Values by name, in their order. */
export function groupedBy<Value>(
  values: readonly Value[],
  nameOf: (value: Value) => string,
): ReadonlyMap<string, readonly Value[]> {
  const groups = new Map<string, Value[]>();
  for (const value of values) addTo(groups, nameOf(value), value);
  return groups;
}

/** Operations by id. Indexed, as an interface may have thousands. */
export const operationsById = rememberingEach(
  (operations: readonly Operation[]): ReadonlyMap<string, Operation> =>
    new Map(operations.map((operation) => [operation.id, operation])),
);

/** The paths of an interface, segment by segment. */
interface PathTree {
  /** The subtrees after segments without parameters. */
  fixed: Map<string, PathTree>;
  /** The subtrees after segments with parameters, whose names do not matter. */
  templates: Map<string, PathTree>;
  /** The operations whose paths end here, with their indices. */
  ends: { operation: Operation; place: number }[];
}

export const pathTree = rememberingEach((operations: readonly Operation[]): PathTree => {
  const root = node();
  for (const [place, operation] of operations.entries()) {
    let last = root;
    for (const segment of operation.path.split('/')) last = nodeAfter(last, segment);
    last.ends.push({ operation, place });
  }
  return root;
});

/** A segment without the names of its parameters. */
export function unnamedSegment(segment: string): string {
  return segment.replace(/\{[^}]+\}/g, '{_}');
}

function node(): PathTree {
  return { fixed: new Map(), templates: new Map(), ends: [] };
}

function nodeAfter({ fixed, templates }: PathTree, segment: string): PathTree {
  const next = segment.includes('{') ? templates : fixed;
  const name = unnamedSegment(segment);
  const child = next.get(name) ?? node();
  next.set(name, child);
  return child;
}

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
