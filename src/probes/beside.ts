import type { Operation } from '../model/contract.ts';
import { type Probe, phaseOf, type RequestVariation, sourcesOf } from '../model/probe.ts';
import { isWrongKey, readsExisting } from './roles.ts';

/** Requests that go out together: a number of the run's creations, and reads or wrong keys (`others`). */
interface RaceBurst {
  creations: number;
  others: ReadonlySet<Probe>;
}

const BESIDE = phaseOf({ stage: 'beside' });

/** Wrong keys that look like a key, a made-up one first. The seed decides which of them the run sends in reads. */
const KEYS: readonly Probe['key'][] = ['unknown', 'longer', 'shorter', 'case'];

/** Operations whose reads are in bursts. */
const MOST_OPERATIONS = 3;

/**
 * Adds bursts of requests that may disturb each other: every pair of creation, read and wrong key. Creations and the wrong
 * key are moved into a burst; a read is sent a second time, and a list then states its default parameters.
 * @param probes the plan
 * @param size the most requests in a burst
 */
export function withBursts(
  probes: readonly Probe[],
  operations: readonly Operation[],
  size: number,
): Probe[] {
  const unused = creationsIn(probes);
  const moved = new Map<Probe, Probe>();
  const copies: Probe[] = [];
  for (const [index, { creations, others }] of packed(
    pairsIn(probes, operations),
    unused.length,
    size,
  ).entries()) {
    const burst = index + 1;
    for (const probe of others) {
      // Not sent a second time: a service may ban clients that send too many wrong keys.
      if (probe.key !== 'valid' && !moved.has(probe)) {
        moved.set(probe, { ...probe, burst });
        continue;
      }
      const exhaust = probes.find(
        ({ stage, operation }) => stage === 'exhaust' && operation === probe.operation,
      );
      const defaults = probe.query.length === 0 ? exhaust?.rounds?.find(statesDefaults) : undefined;
      if (exhaust && defaults && !moved.has(exhaust))
        moved.set(exhaust, {
          ...exhaust,
          rounds: exhaust.rounds?.filter((round) => round !== defaults) ?? [],
        });
      copies.push({
        ...copyOf(probe, burst),
        ...(exhaust && defaults ? { variations: defaults, copies: exhaust.id } : {}),
      });
    }
    for (const probe of unused.splice(0, creations)) moved.set(probe, { ...probe, burst });
  }
  return [...probes.map((probe) => moved.get(probe) ?? probe), ...copies];
}

/** The pairs of requests that should go out together. */
function pairsIn(probes: readonly Probe[], operations: readonly Operation[]): RaceBurst[] {
  const before = new Set(probes.filter((probe) => phaseOf(probe) < BESIDE).map(({ id }) => id));
  const isPossible = (probe: Probe) => isPlainRead(probe) && sourcesOf(probe).every((id) => before.has(id));
  const reads = operations
    .filter(({ method, address }) => method === 'GET' && address === 'baseUrl')
    .flatMap(({ id }) => probes.find((probe) => probe.operation === id && isPossible(probe)) ?? [])
    .slice(0, MOST_OPERATIONS);
  const wrong = KEYS.flatMap((key) =>
    probes.filter((probe) => isWrongKey(probe) && probe.key === key && !probe.creates),
  ).slice(0, 1);
  const pair = (count: number, ...others: readonly Probe[]): RaceBurst => ({
    creations: count,
    others: new Set(others),
  });
  const validReads = reads.filter(({ validity }) => validity === 'valid');
  const [first, last] = [reads.slice(0, 1), reads.slice(-1)];
  return [
    pair(2),
    ...[...validReads, ...wrong].map((probe) => pair(1, probe)),
    ...wrong.flatMap((key) => validReads.map((probe) => pair(0, key, probe))),
    ...validReads
      .filter(({ path }) => Object.keys(path).length > 0)
      .map((probe) => pair(0, probe, { ...probe, id: `${probe.id}-again`, copies: probe.id })),
    ...(reads.length > 1 ? [pair(0, ...first, ...last)] : []),
  ];
}

/** Packs pairs into few bursts of at most `size` requests, with at most `creations` creations in all bursts. */
function packed(pairs: readonly RaceBurst[], creations: number, size: number): RaceBurst[] {
  const bursts: RaceBurst[] = [];
  const isPossible = (burst: RaceBurst, used: number) =>
    burst.creations + burst.others.size <= size && used + burst.creations <= creations;
  for (const pair of pairs) {
    const used = bursts.reduce((sum, burst) => sum + burst.creations, 0);
    const index = bursts.findIndex((burst) => isPossible(merged(burst, pair), used - burst.creations));
    const withRoom = bursts[index];
    if (withRoom) bursts[index] = merged(withRoom, pair);
    else if (isPossible(pair, used)) bursts.push(pair);
  }
  return bursts;
}

function merged(a: RaceBurst, b: RaceBurst): RaceBurst {
  return {
    creations: Math.max(a.creations, b.creations),
    others: new Set([...a.others, ...b.others]),
  };
}

/** The valid creations of a plan: first those that a service has to accept, then those that it may refuse. */
function creationsIn(probes: readonly Probe[]): Probe[] {
  const isDue = ({ expectation }: Probe) => expectation.kind === 'due';
  const creations = probes.filter(
    ({ stage, validity, creates }) => creates && stage === 'create' && validity === 'valid',
  );
  return [...creations.filter(isDue), ...creations.filter((probe) => !isDue(probe))];
}

/** Whether a round states only defaults, so that its response equals that of the plain request. */
function statesDefaults(round: readonly RequestVariation[]): boolean {
  return round.every(({ id }) => id.startsWith('query-default:'));
}

function isPlainRead(probe: Probe): boolean {
  return (probe.stage === 'first' || readsExisting(probe)) && probe.query.length === 0;
}

/** The same request once more, without its variations. */
function copyOf(
  { variations: _1, follows: _2, isStart: _3, isReadBack: _4, ...probe }: Probe,
  burst: number,
): Probe {
  const { copies = probe.id } = probe;
  return { ...probe, copies, id: `${probe.id}-beside-${burst}`, stage: 'beside', burst };
}
