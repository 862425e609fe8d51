import { isLate, lateValuesIn, type Probe } from '../model/probe.ts';
import type { Chain } from './chains.ts';

type Wanted = (each: Probe) => boolean;

/** Probes that are not in a chain yet. */
class Pool {
  readonly #left: Set<Probe>;

  constructor(probes: readonly Probe[]) {
    this.#left = new Set(probes);
  }

  /** The first probe that is all that is wanted, or none. */
  take(...wanted: readonly Wanted[]): Probe[] {
    const found = [...this.#left].find((each) => wanted.every((is) => is(each)));
    if (found) this.#left.delete(found);
    return found ? [found] : [];
  }

  has(...wanted: readonly Wanted[]): boolean {
    return [...this.#left].some((each) => wanted.every((is) => is(each)));
  }
}

const isRead: Wanted = ({ key, validity, stage }) =>
  key === 'valid' &&
  (stage === 'read' ||
    (stage === 'list' && validity === 'valid') ||
    (stage === 'other' && validity !== 'invalid'));
const isCreation: Wanted = ({ stage, validity, acceptable }) =>
  stage === 'create' && validity === 'valid' && acceptable.length === 1;
/** A list that is as long as it can be: it shows what was created before. */
const isWide: Wanted = ({ stage, path }) => stage === 'read' && Object.keys(path).length === 0;
/** Whether a wide list before it is compared with a list, which has the same size or the same filter. */
const isCompared = ({ stage, query }: Probe, probes: readonly Probe[]): boolean => {
  const wide = new Set(probes.filter(isWide).flatMap((each) => each.query.map(String)));
  return stage === 'list' && query.length === 1 && query.every((each) => wide.has(String(each)));
};
const isMovable =
  (probes: readonly Probe[]): Wanted =>
  (each) =>
    isRead(each) && !isCompared(each, probes);
const isRefused =
  (status: string): Wanted =>
  (each) =>
    each.validity === 'invalid' && each.key === 'valid' && each.acceptable[0] === status && !each.onlyIf;
/** What the interface leaves open is usually refused. */
const isOpen: Wanted = ({ validity, key, stage }) =>
  validity === 'open' && key === 'valid' && stage === 'invalid';
/** Whether a body has a text that no other request has. */
const hasText: Wanted = ({ body }) =>
  lateValuesIn(body).some((late) => late.late === 'own' && late.as === 'text');
/** A key that is there, and wrong. */
export const isWrongKey: Wanted = ({ key, validity }) =>
  key !== 'valid' && key !== 'absent' && validity === 'invalid';
const of =
  (operation: string): Wanted =>
  (each) =>
    each.operation === operation;

/**
 * Requests in such an order that each kind of response comes right before each kind of read, over one connection, and a
 * wrong key and a refusal right before what is accepted: a service that keeps something of the request before shows it.
 * @param probes each goes into one chain at most
 */
export function transitions(probes: readonly Probe[]): Chain[] {
  const pool = new Pool(probes);
  const creations = creationChain(probes, pool);
  const isCreatedHere: Wanted = (each) => creations.some(({ id }) => id === sourceOf(each));
  const isSoon: Wanted = (each) =>
    isRead(each) && !isCreatedHere(each) && !isWide(each) && !isCompared(each, probes);
  const operations = [...new Set(probes.filter(isRead).map(({ operation }) => operation))];
  const after = (before: (operation: string) => Probe[], isMeant: Wanted): Chain[] =>
    operations.flatMap((operation) =>
      pool.has(isMeant, of(operation)) ? [[...before(operation), ...pool.take(isMeant, of(operation))]] : [],
    );
  const keysOf = (operation: string) => [
    ...pool.take(isWrongKey, of(operation)),
    ...pool.take(isWrongKey, of(operation)),
  ];
  // Between two wrong keys a read of the operation, and one of another operation.
  const beside = operations.toReversed().flatMap((operation): Chain[] => {
    // A list with several parameters shows more than one with few.
    const isLong: Wanted = ({ query }) =>
      query.length > 1 || !pool.has(isSoon, of(operation), ({ query: all }) => all.length > 1);
    const own = pool.take(isSoon, of(operation), isLong);
    if (own.length === 0) return [];
    const [like, unlike] = keysOf(operation);
    const other = pool.take(
      isSoon,
      ({ stage }) => stage === 'read',
      (each) => !of(operation)(each),
    );
    return [[...(unlike ? [unlike] : []), ...own, ...other, ...(like ? [like] : [])]];
  });
  const missing = of(probes.find(isRefused('404'))?.operation ?? '');
  const afterMissing = after(
    () => pool.take(missing, (each) => isRefused('404')(each) || isOpen(each)),
    (each) => isSoon(each) || isCreatedHere(each),
  );
  const afterInvalid: Chain[] = [];
  while (pool.has(isRefused('400')) && pool.has(isMovable(probes)))
    afterInvalid.push([...pool.take(isRefused('400')), ...pool.take(isMovable(probes))]);
  const isLeft: Wanted = (each) => isRead(each) && isCreatedHere(each);
  while (pool.has(isLeft)) creations.push(...pool.take(isLeft));
  return [creations, ...beside, ...afterMissing, ...afterInvalid].filter((chain) => chain.length > 1);
}

/**
 * Creations of one operation: one after a wrong key and before another, and one after a refusal and before a list. The last
 * one is lenient: none is left that another could be mistaken for.
 */
function creationChain(probes: readonly Probe[], pool: Pool): Probe[] {
  const [first, second] = probes.filter(isCreation).slice(1).slice(-2);
  if (!first || !second) return [];
  const own = of(second.operation);
  const last = probes.findLast(({ stage, isReadBack }) => stage === 'create' && !isReadBack);
  const one = (probe: Probe | undefined) => pool.take((each) => each === probe);
  const [like, unlike] = [...pool.take(isWrongKey, own), ...pool.take(isWrongKey, own)];
  return [
    ...(unlike ? [unlike] : []),
    ...one(first),
    ...(like ? [like] : []),
    ...pool.take(isRefused('400'), own, hasText),
    ...one(second),
    // It shows the last member of an enumeration, as the creation has it.
    ...one(probes.findLast(isWide)),
    ...one(last),
  ];
}

function sourceOf({ path }: Probe): string | undefined {
  const late = Object.values(path).find(isLate);
  return late?.late === 'response' ? late.sources[0]?.probe : undefined;
}
