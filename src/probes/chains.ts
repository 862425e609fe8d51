import { groupedBy } from '../model/large/grouped.ts';
import type { Steps } from '../model/large/steps.ts';
import type { Probe } from '../model/probe.ts';
import { type ChainRole, type ProbePredicate, readsExisting, rolesIn, sourceOf } from './roles.ts';

/** Requests that follow each other over one connection. */
export type Chain = readonly Probe[];

/** Chains as a part of a plan. */
export function linked(chains: readonly Chain[]): Probe[] {
  return chains.flatMap((chain) =>
    chain.map((each, index): Probe => (index === 0 ? each : { ...each, follows: true })),
  );
}

/** The chains of a part of a plan. */
export function chainsOf(probes: readonly Probe[]): Chain[] {
  const chains: Probe[][] = [];
  for (const each of probes) {
    const last = chains.at(-1);
    if (each.follows && last) last.push(each);
    else chains.push([each]);
  }
  return chains;
}

/** A place in a chain: the first request that is left and has one of these roles, in this order of preference. */
interface ChainPlace {
  roles: readonly ChainRole[];
  of: 'its operation' | 'another operation' | 'any operation';
  /** Without it there is no chain. */
  isNeeded: boolean;
}

interface ChainKind {
  /** How many chains there are: one for each of these operations, or as many as there are requests for. */
  each: 'operation that creates' | 'operation that reads' | 'operation that reads, last first' | 'request';
  /** What follows each other over one connection. */
  places: readonly ChainPlace[];
}

const own = (...roles: ChainRole[]): ChainPlace => ({ roles, of: 'its operation', isNeeded: false });
const another = (...roles: ChainRole[]): ChainPlace => ({ roles, of: 'another operation', isNeeded: false });
const any = (...roles: ChainRole[]): ChainPlace => ({ roles, of: 'any operation', isNeeded: false });
const needed = (place: ChainPlace): ChainPlace => ({ ...place, isNeeded: true });

/**
 * Which requests follow each other. Each kind of response comes right before each kind of read, and a wrong key and a refusal
 * right before what is accepted: a service that keeps something of the request before shows it.
 */
const KINDS: readonly ChainKind[] = [
  {
    each: 'operation that creates',
    places: [
      own('key unlike the right one'),
      needed(own('creation')),
      own('key like the right one'),
      own('refused creation'),
      needed(own('last creation')),
      any('longest list'),
      any('lenient creation'),
      any('no key'),
    ],
  },
  {
    each: 'operation that reads, last first',
    places: [
      own('key unlike the right one'),
      needed(own('early read with parameters', 'early read')),
      another('early read by id'),
      own('key like the right one'),
    ],
  },
  {
    each: 'operation that reads',
    places: [needed(any('missing')), needed(own('read')), own('further read')],
  },
  { each: 'request', places: [needed(any('refusal')), needed(any('movable read'))] },
];

/**
 * Chains of requests, in the order of the table. What a chain creates is read at its end, unless another chain reads it.
 * @param probes each goes into one chain at most
 * @param roles what each is among all requests of the run
 */
export function* chaining(
  probes: readonly Probe[],
  roles: Readonly<Record<ChainRole, ProbePredicate>> = rolesIn(probes),
): Steps<Chain[]> {
  const left = new Set(probes);
  const firstOf = firstLeft(probes, left, roles);
  const chains: Chain[] = [];
  for (const { each, places } of KINDS)
    for (const operation of operationsFor(each, probes)) {
      const chain = filled(places, operation, firstOf);
      for (const probe of chain) left.delete(probe);
      if (chain.length > 1) chains.push(chain);
      else if (each === 'request') break;
      yield;
    }
  const reads = groupedBy([...left].filter(readsExisting), (each) => sourceOf(each) ?? '');
  return chains.map((chain) => [...chain, ...chain.flatMap(({ id }) => reads.get(id) ?? [])]);
}

/** The operations that a kind of chain has a chain for. A chain of any operation has none. */
function operationsFor(each: ChainKind['each'], probes: readonly Probe[]): (string | undefined)[] {
  if (each === 'request') return probes.map(() => undefined);
  const isMeant = each === 'operation that creates' ? ({ creates }: Probe) => creates : readsExisting;
  const operations = [...new Set(probes.filter(isMeant).map(({ operation }) => operation))];
  return each === 'operation that reads, last first' ? operations.reverse() : operations;
}

/** A chain with a request in each place that one fits. Empty if one that is needed is missing. */
function filled(
  places: readonly ChainPlace[],
  own: string | undefined,
  firstOf: ReturnType<typeof firstLeft>,
): Probe[] {
  const chain: Probe[] = [];
  for (const { roles, of, isNeeded } of places) {
    const found = roles.map((role) => firstOf(role, of, own, chain)).find((each) => each !== undefined);
    if (found) chain.push(found);
    else if (isNeeded) return [];
  }
  return chain;
}

/**
 * Finds the first request that is left and has a role. A document may have thousands of operations, so those of a role are looked
 * for once, and those that are taken are passed over once.
 */
function firstLeft(
  probes: readonly Probe[],
  left: ReadonlySet<Probe>,
  roles: Readonly<Record<ChainRole, ProbePredicate>>,
) {
  const byRole = new Map<
    ChainRole,
    { all: TakenProbes; byOperation: ReadonlyMap<string, readonly Probe[]> }
  >();
  const ofRole = (role: ChainRole) => {
    const all = probes.filter(roles[role]);
    return { all: { probes: all, taken: 0 }, byOperation: groupedBy(all, ({ operation }) => operation) };
  };
  return (
    role: ChainRole,
    of: ChainPlace['of'],
    own: string | undefined,
    chain: Chain,
  ): Probe | undefined => {
    const { all, byOperation } = byRole.get(role) ?? ofRole(role);
    byRole.set(role, { all, byOperation });
    const isFree = (each: Probe) => left.has(each) && !chain.includes(each);
    if (of === 'its operation') return byOperation.get(own ?? '')?.find(isFree);
    for (let first = all.probes[all.taken]; first && !left.has(first); first = all.probes[all.taken])
      all.taken += 1;
    for (let place = all.taken; place < all.probes.length; place += 1) {
      const each = all.probes[place];
      if (each && isFree(each) && (of === 'any operation' || each.operation !== own)) return each;
    }
    return undefined;
  };
}

/** Requests of which the first are taken. */
interface TakenProbes {
  probes: readonly Probe[];
  taken: number;
}
