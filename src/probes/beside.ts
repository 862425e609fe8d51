import type { Operation } from '../model/contract.ts';
import { type Probe, phaseOf, type RequestVariation, sourcesOf } from '../model/probe.ts';
import { isWrongKey, readsExisting } from './roles.ts';

/** What goes out together: so many creations of the run, reads and wrong keys. */
interface RaceBurst {
  creations: number;
  others: ReadonlySet<Probe>;
}

const BESIDE = phaseOf({ stage: 'beside' });

/** Wrong keys of the form of a right one, the one of another client first: the seed decides which of them go with a read. */
const KEYS: readonly Probe['key'][] = ['unknown', 'longer', 'shorter', 'case'];

/** Reads of so many operations are in a burst. */
const MOST_OPERATIONS = 3;

/**
 * Requests that may disturb each other, in bursts: creations, reads and wrong keys, each with each other and with their own
 * kind. The creations and the wrong key are those of the run; the reads are sent once more, a list with its defaults stated.
 * @param probes what a run sends
 * @param size how many may go out together
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
    for (const each of others) {
      // A service bans who sends too many wrong keys.
      if (each.key !== 'valid' && !moved.has(each)) {
        moved.set(each, { ...each, burst });
        continue;
      }
      const using = probes.find(
        ({ stage, operation }) => stage === 'exhaust' && operation === each.operation,
      );
      const stated = each.query.length === 0 ? using?.rounds?.find(isOfDefaults) : undefined;
      if (using && stated && !moved.has(using))
        moved.set(using, { ...using, rounds: using.rounds?.filter((round) => round !== stated) ?? [] });
      copies.push({
        ...copyOf(each, burst),
        ...(using && stated ? { variations: stated, copies: using.id } : {}),
      });
    }
    for (const each of unused.splice(0, creations)) moved.set(each, { ...each, burst });
  }
  return [...probes.map((each) => moved.get(each) ?? each), ...copies];
}

/** The pairs of requests that go out together, as the smallest bursts. */
function pairsIn(probes: readonly Probe[], operations: readonly Operation[]): RaceBurst[] {
  const before = new Set(probes.filter((each) => phaseOf(each) < BESIDE).map(({ id }) => id));
  const isPossible = (each: Probe) => isPlainRead(each) && sourcesOf(each).every((id) => before.has(id));
  const reads = operations
    .filter(({ method, address }) => method === 'GET' && address === 'baseUrl')
    .flatMap(({ id }) => probes.find((each) => each.operation === id && isPossible(each)) ?? [])
    .slice(0, MOST_OPERATIONS);
  const wrong = KEYS.flatMap((key) =>
    probes.filter((each) => isWrongKey(each) && each.key === key && !each.creates),
  ).slice(0, 1);
  const pair = (count: number, ...others: readonly Probe[]): RaceBurst => ({
    creations: count,
    others: new Set(others),
  });
  const known = reads.filter(({ validity }) => validity === 'valid');
  const [first, last] = [reads.slice(0, 1), reads.slice(-1)];
  return [
    pair(2),
    ...[...known, ...wrong].map((each) => pair(1, each)),
    ...wrong.flatMap((key) => known.map((each) => pair(0, key, each))),
    ...known
      .filter(({ path }) => Object.keys(path).length > 0)
      .map((each) => pair(0, each, { ...each, id: `${each.id}-again`, copies: each.id })),
    ...(reads.length > 1 ? [pair(0, ...first, ...last)] : []),
  ];
}

/** Packs the pairs into as few bursts as their size and the creations of the run allow. */
function packed(pairs: readonly RaceBurst[], creations: number, size: number): RaceBurst[] {
  const bursts: RaceBurst[] = [];
  const isPossible = (burst: RaceBurst, used: number) =>
    burst.creations + burst.others.size <= size && used + burst.creations <= creations;
  for (const pair of pairs) {
    const used = bursts.reduce((sum, each) => sum + each.creations, 0);
    const index = bursts.findIndex((each) => isPossible(merged(each, pair), used - each.creations));
    const known = bursts[index];
    if (known) bursts[index] = merged(known, pair);
    else if (isPossible(pair, used)) bursts.push(pair);
  }
  return bursts;
}

function merged(one: RaceBurst, other: RaceBurst): RaceBurst {
  return {
    creations: Math.max(one.creations, other.creations),
    others: new Set([...one.others, ...other.others]),
  };
}

/** The creations of a run. Those that a service has to accept come before those that it may refuse. */
function creationsIn(probes: readonly Probe[]): Probe[] {
  const isDue = ({ expectation }: Probe) => expectation.kind === 'due';
  const all = probes.filter(
    ({ stage, validity, creates }) => creates && stage === 'create' && validity === 'valid',
  );
  return [...all.filter(isDue), ...all.filter((each) => !isDue(each))];
}

/** The parameters of a read with their defaults, which make no difference. */
function isOfDefaults(round: readonly RequestVariation[]): boolean {
  return round.every(({ id }) => id.startsWith('query-default:'));
}

/** A read without any parameter in its query. */
function isPlainRead(probe: Probe): boolean {
  return (probe.stage === 'first' || readsExisting(probe)) && probe.query.length === 0;
}

/** The same request once more, without what rides along on it. */
function copyOf(
  { variations: _1, follows: _2, isStart: _3, isReadBack: _4, ...probe }: Probe,
  burst: number,
): Probe {
  const { copies = probe.id } = probe;
  return { ...probe, copies, id: `${probe.id}-beside-${burst}`, stage: 'beside', burst };
}
