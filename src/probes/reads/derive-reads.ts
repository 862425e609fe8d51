import { article } from '../../contract/describe.ts';
import { isSequential } from '../../contract/openapi/sequences.ts';
import { type FollowedPages, followedPages } from '../../contract/things/lists.ts';
import { isFitting } from '../../contract/validation/parameter-bounds.ts';
import type { Contract, Schema } from '../../model/contract.ts';
import { expecting } from '../../model/http/expectation.ts';
import type { Steps } from '../../model/large/steps.ts';
import type { Late, Probe, Sources } from '../../model/probe.ts';
import { INT64_MAX } from '../../requests/plain-values.ts';
import { ENTRIES, FOLLOWED, MOST_PAGES } from '../../requests/write-names.ts';
import { linked } from '../chains.ts';
import { type KeysOfDocument, keysOfDocument, spelledProbes } from '../keys.ts';
import { byStage, needsNothing, withStart } from '../order.ts';
import { documented, pathParameters, probe, sourcesIn } from '../probe.ts';
import { derivingWrites } from '../writes/derive-writes.ts';
import { findReads, type Readable, successes } from './find-reads.ts';
import { parameterReads } from './parameters.ts';

/**
 * The probes of a document that lists responses without their conditions. For each read: the plainest request, its parameters
 * at their bounds and with their members, an id that does not exist, and wrong keys. A few have no key and another spelling of the
 * address. Then writes follow.
 * @param seed which reads get the rarer wrong keys and the spellings; `none`: these are not sent
 */
export function* derivingReads(
  contract: Contract,
  added: readonly Probe[] = [],
  seed: number | 'none' = 'none',
): Steps<Probe[]> {
  const { readable, order } = findReads(contract);
  yield;
  const sources = new Set(
    readable
      .flatMap(({ path }) => Object.values(path))
      .flatMap(sourcesIn)
      .map((source) => source.probe),
  );
  const plain = readable.map((read) => plainProbe(read, sources));
  const first = plain.find(({ path }) => Object.keys(path).length === 0);
  const staged = plain.map((probe) => (probe === first ? { ...probe, stage: 'first' as const } : probe));
  // An id from the document may not exist at this target.
  const candidates = staged.filter((probe) => needsNothing(probe) && Object.keys(probe.path).length === 0);
  const bases = withStart(staged, candidates, contract);
  const keysOf = keysOfDocument(contract, seed);
  const further: Probe[] = [];
  for (const read of readable) {
    for (const probes of [
      parameterReads(read),
      followingReads(read),
      unknownId(read),
      wrongKeys(read, keysOf),
    ])
      further.push(...probes);
    yield;
  }
  further.push(...spelledProbes(contract, plainRequests(readable), seed));
  const reads = byStage([...inTurn(bases, order), ...added, ...further, ...exhausting(bases, contract)]);
  return [...reads, ...(yield* derivingWrites(contract, keysOf))];
}

/** At most so many reads may use up a stated limit. */
const MAX_EXHAUSTING = 3;

/** The plainest reads, for sending until the limit is reached, and once more after the wait. */
function exhausting(bases: readonly Probe[], { operations, requirements }: Contract): Probe[] {
  if (!requirements.some(({ id }) => id === 'rate-limit.enforced')) return [];
  const candidates = bases.filter(({ path }) => Object.keys(path).length === 0).slice(0, MAX_EXHAUSTING);
  return candidates.flatMap((base) => {
    const operation = operations.find(({ id, address }) => id === base.operation && address === 'baseUrl');
    // Nothing says when a stream ends.
    if (!operation || operation.responses.some(({ mediaType = '' }) => isSequential(mediaType))) return [];
    const { expectation, validity, query, headers, cookies } = base;
    const sent = {
      expectation,
      validity,
      query,
      ...(headers ? { headers } : {}),
      ...(cookies ? { cookies } : {}),
    };
    return [
      probe(operation, 'exhaust', 'exhaust', { title: 'until the limit is reached', ...sent }),
      probe(operation, 'recover', 'recover', { title: 'after the time that Retry-After states', ...sent }),
    ];
  });
}

function plainProbe({ operation, ...sent }: Readable, sources: ReadonlySet<string>): Probe {
  const names = Object.keys(sent.path);
  const stage = sources.has(`${operation.id}:plain`) ? 'find' : names.length > 0 ? 'read' : 'list';
  return probe(operation, 'plain', stage, {
    title:
      names.length === 0
        ? 'a plain request'
        : `a plain request, ${names.join(' and ')} as listed or as in the document`,
    expectation: expecting(successes(operation)),
    ...sent,
  });
}

/** Sorts lists after those that show the ids they need. @param order the operations, each after those that show its values */
function inTurn(bases: readonly Probe[], order: readonly string[]): Probe[] {
  const depth = ({ path }: Probe) => Object.keys(path).length;
  const places = new Map(order.map((id, index) => [id, index]));
  const placeOf = ({ operation }: Probe) => places.get(operation) ?? order.length;
  const finding = bases
    .filter(({ stage, isStart }) => stage === 'find' && !isStart)
    .toSorted((a, b) => placeOf(a) - placeOf(b));
  const hasDeeper = finding.some((probe) => depth(probe) > 0);
  const chained = finding.map(
    (probe, index): Probe => (hasDeeper && index > 0 ? { ...probe, follows: true } : probe),
  );
  return [...bases.filter(({ stage, isStart }) => stage !== 'find' || isStart), ...chained];
}

/** A request with an id that does not exist as the last value of the path. */
function unknownId({ operation, ...sent }: Readable): Probe[] {
  const last = pathParameters(operation).at(-1);
  const missing = documented(operation, '404');
  if (!last || missing.length === 0 || last.schema.enum) return [];
  const value = unknownValue(last.schema, sourcesIn(sent.path[last.name]));
  if (value === undefined) return [];
  return [
    probe(operation, 'unknown', 'invalid', {
      title: `${article(last.name)} that does not exist`,
      validity: 'invalid',
      expectation: expecting([], missing),
      controls: [`${operation.id}:plain`],
      ...sent,
      path: { ...sent.path, [last.name]: value },
    }),
  ];
}

/** A value that is surely no id; undefined if the schema allows none. @param like the responses that show ids */
function unknownValue(schema: Schema, like: Sources): string | Late | undefined {
  const { type, format, pattern } = schema;
  if (type === 'integer' || type === 'number') {
    const allows = (...bounds: (number | bigint)[]) => bounds.every((bound) => isFitting(schema, bound));
    if (format === 'int64' && allows(2n ** 62n, INT64_MAX)) return { late: 'random', format, like };
    // A service may use 32 bits for integers without a format.
    return allows(2 ** 30, 2 ** 31 - 1) ? { late: 'random', format: 'int32', like } : undefined;
  }
  const text = format === 'uuid' ? 'f3b0a9d4-7c52-4a7e-8f2d-5d1c6b0e9a13' : 'petspec-none-such';
  return pattern === undefined || isFitting({ pattern }, text) ? text : undefined;
}

/** Requests with a wrong key that are otherwise right. */
function wrongKeys({ operation, ...sent }: Readable, keysOf: KeysOfDocument): Probe[] {
  return keysOf(operation, `${operation.id}:plain`).map(({ name, ...fields }) =>
    probe(operation, name, 'keys', { ...sent, ...fields }),
  );
}

/** The plainest request of each read, controlled by the same request with the key, at the usual address. */
function plainRequests(readable: readonly Readable[]): Parameters<typeof spelledProbes>[1] {
  const byId = new Map(
    readable.map(({ operation, ...sent }) => [
      operation.id,
      { ...sent, controls: [`${operation.id}:plain`] },
    ]),
  );
  return ({ id }) => byId.get(id);
}

/**
 * Requests that follow the pages of a list, each page as the page before names it. A plain request before and after them shows
 * whether the list changed meanwhile.
 */
function followingReads(read: Readable): Probe[] {
  return linked(followedPages(read.operation).map((pages) => followed(read, pages)));
}

function followed({ operation, ...sent }: Readable, { name, by, size }: FollowedPages): Probe[] {
  const idOf = (part: string) => `${operation.id}:${name}=${part}`;
  const probeOf = (part: string, title: string, fields: Partial<Probe> = {}) =>
    probe(operation, `${name}=${part}`, 'list', {
      title,
      validity: 'open',
      controls: [`${operation.id}:plain`],
      ...sent,
      ...fields,
    });
  const cursor = by.place === 'body' ? by.parameter : undefined;
  const entries = Math.max(ENTRIES, Number(size?.schema.minimum ?? 0));
  const bound = size && isFitting(size.schema, entries) ? [[size.name, String(entries)] as const] : [];
  const rest = sent.query.filter(
    ([parameter]) => parameter !== cursor && !bound.some(([bounded]) => bounded === parameter),
  );
  const query = [...rest, ...bound];
  const pages = Array.from({ length: MOST_PAGES }, (_, index) => {
    const before = idOf(FOLLOWED.page(index));
    return probeOf(FOLLOWED.page(index + 1), `page ${index + 1} by ${name}`, {
      query,
      ...(index === 0 ? {} : { onlyIf: { succeeded: before }, nextOf: { probe: before, by } }),
    });
  });
  return [
    probeOf(FOLLOWED.before, `before pages by ${name}`),
    ...pages,
    probeOf(FOLLOWED.after, `after pages by ${name}`, { onlyIf: { succeeded: idOf(FOLLOWED.page(1)) } }),
  ];
}
