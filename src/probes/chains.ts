import { groupedBy } from '../model/large/lookups.ts';
import type { Steps } from '../model/large/steps.ts';
import type { Probe } from '../model/probe.ts';
import { type ChainRole, type ProbePredicate, readsExisting, rolesIn, sourceOf } from './roles.ts';

/** Requests that follow each other over one connection. */
export type Chain = readonly Probe[];

/** The probes of chains, each after the first of its chain marked as following the one before. */
export function linked(chains: readonly Chain[]): Probe[] {
  return chains.flatMap((chain) =>
    chain.map((probe, index): Probe => (index === 0 ? probe : { ...probe, follows: true })),
  );
}

/** The opposite of `linked`. */
export function chainsOf(probes: readonly Probe[]): Chain[] {
  const chains: Probe[][] = [];
  for (const probe of probes) {
    const last = chains.at(-1);
    if (probe.follows && last) last.push(probe);
    else chains.push([probe]);
  }
  return chains;
}

/** A place in a chain, for the first unused request with one of these roles. Earlier roles are preferred. */
interface ChainPlace {
  roles: readonly ChainRole[];
  of: 'its operation' | 'another operation' | 'any operation';
  /** There is no chain without a request for this place. */
  isNeeded: boolean;
}

interface ChainKind {
  /** One chain for each of these operations, or as many chains as there are requests. */
  each: 'operation that creates' | 'operation that reads' | 'operation that reads, last first' | 'request';
  places: readonly ChainPlace[];
}

const own = (...roles: ChainRole[]): ChainPlace => ({ roles, of: 'its operation', isNeeded: false });
const another = (...roles: ChainRole[]): ChainPlace => ({ roles, of: 'another operation', isNeeded: false });
const any = (...roles: ChainRole[]): ChainPlace => ({ roles, of: 'any operation', isNeeded: false });
const needed = (place: ChainPlace): ChainPlace => ({ ...place, isNeeded: true });

/**
 * Which requests follow each other: each kind of response comes right before each kind of read, and a wrong key and a refusal
 * right before a valid request. So a service that keeps state of the previous request shows it.
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
 * Chains of requests, in the order of `KINDS`. A chain ends with the reads of what it creates, unless another chain has them.
 * @param probes each goes into at most one chain
 * @param roles the roles of requests in the whole plan
 */
export function* chaining(
  probes: readonly Probe[],
  roles: Readonly<Record<ChainRole, ProbePredicate>> = rolesIn(probes),
): Steps<Chain[]> {
  const unused = new Set(probes);
  const firstOf = firstUnused(probes, unused, roles);
  const chains: Chain[] = [];
  for (const { each: kind, places } of KINDS)
    for (const operation of operationsFor(kind, probes)) {
      const chain = filled(places, operation, firstOf);
      for (const probe of chain) unused.delete(probe);
      if (chain.length > 1) chains.push(chain);
      else if (kind === 'request') break;
      yield;
    }
  const reads = groupedBy([...unused].filter(readsExisting), (probe) => sourceOf(probe) ?? '');
  return chains.map((chain) => [...chain, ...chain.flatMap(({ id }) => reads.get(id) ?? [])]);
}

/** The operations for which there is a chain of this kind; for chains of requests, undefined for each request. */
function operationsFor(kind: ChainKind['each'], probes: readonly Probe[]): (string | undefined)[] {
  if (kind === 'request') return probes.map(() => undefined);
  const isMeant = kind === 'operation that creates' ? ({ creates }: Probe) => creates : readsExisting;
  const operations = [...new Set(probes.filter(isMeant).map(({ operation }) => operation))];
  return kind === 'operation that reads, last first' ? operations.reverse() : operations;
}

/** A chain with a request in each place, where there is one; empty if a needed one is missing. */
function filled(
  places: readonly ChainPlace[],
  operation: string | undefined,
  firstOf: ReturnType<typeof firstUnused>,
): Probe[] {
  const chain: Probe[] = [];
  for (const { roles, of, isNeeded } of places) {
    const next = roles
      .map((role) => firstOf(role, of, operation, chain))
      .find((probe) => probe !== undefined);
    if (next) chain.push(next);
    else if (isNeeded) return [];
  }
  return chain;
}

/**
 * Finds the first unused request with a role. A document may have thousands of operations, so requests are grouped by role
 * only once, and used ones are skipped only once.
 */
function firstUnused(
  probes: readonly Probe[],
  unused: ReadonlySet<Probe>,
  roles: Readonly<Record<ChainRole, ProbePredicate>>,
) {
  const byRole = new Map<
    ChainRole,
    { all: TakenProbes; byOperation: ReadonlyMap<string, readonly Probe[]> }
  >();
  const ofRole = (role: ChainRole) => {
    const withRole = probes.filter(roles[role]);
    return {
      all: { probes: withRole, taken: 0 },
      byOperation: groupedBy(withRole, ({ operation }) => operation),
    };
  };
  return (
    role: ChainRole,
    of: ChainPlace['of'],
    operation: string | undefined,
    chain: Chain,
  ): Probe | undefined => {
    const { all, byOperation } = byRole.get(role) ?? ofRole(role);
    byRole.set(role, { all, byOperation });
    const isFree = (probe: Probe) => unused.has(probe) && !chain.includes(probe);
    if (of === 'its operation') return byOperation.get(operation ?? '')?.find(isFree);
    for (let first = all.probes[all.taken]; first && !unused.has(first); first = all.probes[all.taken])
      all.taken += 1;
    for (let place = all.taken; place < all.probes.length; place += 1) {
      const probe = all.probes[place];
      if (probe && isFree(probe) && (of === 'any operation' || probe.operation !== operation)) return probe;
    }
    return undefined;
  };
}

/** Requests, of which the first `taken` are in chains. */
interface TakenProbes {
  probes: readonly Probe[];
  taken: number;
}
