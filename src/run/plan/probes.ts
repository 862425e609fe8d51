import type { Check } from '../../judge/evidence/check.ts';
import type { Contract } from '../../model/contract.ts';
import { atOnce, type Steps } from '../../model/large/steps.ts';
import type { Probe } from '../../model/probe.ts';
import { derivedProbes } from '../../probes/derive.ts';
import { probesAfterRecovery } from '../../probes/surplus/after-recovery/after-recovery.ts';
import { drawnProbe, plannedTexts, requestTexts, surplusProbes } from '../../probes/surplus/surplus.ts';
import { varying } from '../../probes/variations/vary.ts';
import type { Generate } from '../../session/terms/types.ts';

/** Draws the variations of a run; `none` if nothing varies. */
export type Seed = number | 'none';

/** The probes that were last derived from a contract: the runs of many targets have the same ones. */
const derived = new WeakMap<Contract, { checks: readonly Check[]; bySeed: Map<Seed, readonly Probe[]> }>();

/**
 * Every probe that a run can send: those that the contract implies, and those that checks add. With a seed, each has the
 * variations that ride along on it, whatever else the run leaves out.
 */
export function probesOf(
  contract: Contract,
  checks: readonly Check[],
  seed: Seed = 'none',
): readonly Probe[] {
  return atOnce(derivingProbes(contract, checks, seed));
}

/** The same in steps. */
export function* derivingProbes(
  contract: Contract,
  checks: readonly Check[],
  seed: Seed,
): Steps<readonly Probe[]> {
  const last = derived.get(contract);
  const bySeed = last?.checks === checks ? last.bySeed : new Map<Seed, readonly Probe[]>();
  derived.set(contract, { checks, bySeed });
  const before = bySeed.get(seed);
  if (before) return before;
  const added = checks.flatMap((check) => check.add?.(contract) ?? []);
  const unvaried = yield* derivedProbes(contract, added, seed);
  const writing = unvaried.filter(({ isWriting }) => isWriting);
  const reading = unvaried.filter(({ isWriting }) => !isWriting);
  const probes = seed === 'none' ? unvaried : [...(yield* varying(reading, contract, seed)), ...writing];
  bySeed.set(seed, probes);
  return probes;
}

/** The surplus probes of a contract, by seed. */
const knownSurplus = new WeakMap<readonly Probe[], readonly Probe[]>();

/** The probes after the recovery, likewise. */
const knownAfterRecovery = new WeakMap<readonly Probe[], readonly Probe[]>();

/**
 * Every probe that a run can send in place of repeating one read, in order of value. Runs without a seed send none, as older
 * versions did.
 */
export function surplusOf(contract: Contract, checks: readonly Check[], seed: Seed): readonly Probe[] {
  if (seed === 'none') return [];
  const probes = probesOf(contract, checks, seed);
  const surplus = knownSurplus.get(probes) ?? surplusProbes(contract, probes, seed);
  knownSurplus.set(probes, surplus);
  return surplus;
}

/** The probes for the window after the recovery, in order of value. Runs without a seed have none. */
export function afterRecoveryOf(contract: Contract, checks: readonly Check[], seed: Seed): readonly Probe[] {
  if (seed === 'none') return [];
  const surplus = surplusOf(contract, checks, seed);
  const probes = probesOf(contract, checks, seed);
  const following = knownAfterRecovery.get(probes) ?? probesAfterRecovery(contract, probes, surplus, seed);
  knownAfterRecovery.set(probes, following);
  return following;
}

/** Places whose requests are drawn once for all runs of a plan. */
const KEPT_PLACES = 1_000;

/**
 * Draws requests beyond the surplus probes: by place, and by the steps that shrink a request. There is no request at a place if
 * it was sent before.
 */
export function generatorOf(contract: Contract, checks: readonly Check[], seed: Seed): Generate {
  if (seed === 'none') return () => undefined;
  const probes = probesOf(contract, checks, seed);
  const textOf = requestTexts(contract);
  const firstPlaces = new Map<string, number>();
  let planned: ReadonlySet<string> | undefined;
  const drawnAt = (place: number) => {
    const drawn = drawnProbe(contract, probes, seed, [place]);
    if (!drawn) return undefined;
    planned ??= plannedTexts(contract, [...probes, ...surplusOf(contract, checks, seed)]);
    const text = textOf(drawn);
    const first = Math.min(firstPlaces.get(text) ?? place, place);
    firstPlaces.set(text, first);
    return planned.has(text) || first < place ? undefined : drawn;
  };
  const kept = new Map<number, Probe | undefined>();
  return (path) => {
    const [place = 0, ...steps] = path;
    if (steps.length > 0) return drawnProbe(contract, probes, seed, path);
    if (kept.has(place)) return kept.get(place);
    const drawn = drawnAt(place);
    if (place < KEPT_PLACES) kept.set(place, drawn);
    return drawn;
  };
}

/** The seed of runs that name none: each set of requirements has its own, counted from 0. */
export function seedOf({ set, sets }: Contract): number {
  return Math.max(0, sets.indexOf(set));
}
