import type { Contract, Operation } from '../model/contract.ts';
import { expecting } from '../model/http/expectation.ts';
import { type KeyKind, type Probe, SPELLINGS, type Spelling } from '../model/probe.ts';
import { spelled } from '../requests/request.ts';
import { fullBodyOf } from './bodies.ts';
import { guessedPath } from './parameters.ts';
import { byOperation, documented, probe } from './probe.ts';

/** Wrong keys, in words. */
const WRONG_KEYS: Readonly<Record<Exclude<KeyKind, 'valid' | 'second'>, string>> = {
  absent: 'no key',
  unknown: 'an unknown key',
  empty: 'an empty key',
  scheme: 'the key under another scheme',
  longer: 'the key with one more character',
  shorter: 'the key with one character less',
  case: 'the key with its letters in the other case',
  bare: 'the key without a scheme',
};

/** A way of being wrong, other than to be missing. */
type WrongKey = Exclude<keyof typeof WRONG_KEYS, 'absent'>;

/** Wrong by their value alone: each operation gets one, as whoever looks only whether there is a key accepts it. */
const LIKE_A_KEY: readonly WrongKey[] = ['unknown', 'case', 'shorter', 'longer'];
const UNLIKE_A_KEY: readonly WrongKey[] = ['empty', 'scheme', 'bare'];

/** Without a seed, as in older versions: the first operation gets most of them, the others one each. */
const UNVARIED_FIRST: readonly WrongKey[] = ['unknown', 'empty', 'scheme', 'longer', 'bare'];
const UNVARIED_OTHER: readonly WrongKey[] = ['unknown', 'case', 'shorter'];

/** 401 comes before anything else that is wrong. An older set does not have this requirement. */
const FIRST = 'authentication.first';

/**
 * Wrong keys for every secured operation, in requests that are otherwise right. Only the missing key goes with something
 * else that is wrong, as the operation's other wrong key shows whether it asks for a key at all.
 */
export function keyProbes(
  contract: Contract,
  all: readonly Probe[],
  first: Probe | undefined,
  seed: number | 'none',
): Probe[] {
  const probesOf = byOperation(all);
  const isFirstRequired = contract.requirements.some(({ id }) => id === FIRST);
  const examined = contract.operations.flatMap((operation) => {
    const probes = probesOf(operation.id);
    const right = probes.find(({ validity }) => validity !== 'invalid');
    const refused = documented(operation, '401');
    return operation.secured && right && refused.length > 0 ? [{ operation, probes, right, refused }] : [];
  });
  const keys = wrongKeysFor(
    examined.map(({ operation }) => operation),
    first?.operation,
    seed,
  );
  return examined.flatMap(({ operation, probes, right, refused }, index) => {
    const wrong = isFirstRequired ? wrongRequest(probes) : undefined;
    return (['absent', ...(keys[index] ?? [])] as const).map((key) =>
      probe(operation, `key-${key}`, 'keys', {
        title: WRONG_KEYS[key],
        validity: 'invalid',
        expectation: expecting([], refused),
        key,
        ...(key === 'absent' && wrong
          ? alsoWrong(wrong, right)
          : otherwiseRight(operation, key, right, guessedPath(probes, operation.id))),
      }),
    );
  });
}

/**
 * Which wrong keys go to which operation. Every seed sends every one of them to the base address, and to each operation
 * one that is like a key and one that is not; the seeds rotate them. A message cannot be deleted, so it gets one.
 */
function wrongKeysFor(
  operations: readonly Operation[],
  first: string | undefined,
  seed: number | 'none',
): (readonly WrongKey[])[] {
  if (seed === 'none') {
    const others = operations.filter(({ id }) => id !== first);
    return operations.map((each) =>
      each.id === first ? UNVARIED_FIRST : inTurn(UNVARIED_OTHER, others.indexOf(each)),
    );
  }
  const atBase = operations.filter(({ address }) => address === 'baseUrl');
  return operations.map((each) => {
    const turn = seed + atBase.indexOf(each);
    return atBase.includes(each)
      ? [...inTurn(LIKE_A_KEY, turn), ...inTurn(UNLIKE_A_KEY, turn)]
      : inTurn([...LIKE_A_KEY, ...UNLIKE_A_KEY], seed);
  });
}

/** The value whose turn it is. */
function inTurn(values: readonly WrongKey[], turn: number): readonly WrongKey[] {
  const index = turn % values.length;
  return values.slice(index, index + 1);
}

/** The rest of a request with a wrong key: right. */
function otherwiseRight(
  operation: Operation,
  key: keyof typeof WRONG_KEYS,
  { id, query }: Probe,
  path: Probe['path'],
): Partial<Probe> {
  return {
    // An operation that asks for no key has one fault, however many wrong keys it takes.
    ...(key === 'absent' ? {} : { rule: isOfScheme(key) ? 'authentication.scheme' : 'authentication.key' }),
    controls: key === 'absent' ? [id] : [`${operation.id}:key-absent`, id],
    query,
    path,
    ...(operation.body ? { body: fullBodyOf(`${operation.id}:key-${key}`, operation.body) } : {}),
  };
}

/** The rest of a request without a key: wrong in another way. */
function alsoWrong({ id, title, query, path, body }: Probe, right: Probe): Partial<Probe> {
  return {
    title: `${WRONG_KEYS.absent}, and ${title}`,
    rule: FIRST,
    controls: [right.id, id],
    query,
    path,
    ...(body ? { body } : {}),
  };
}

/**
 * An invalid one of these requests: rather one whose body no parser can read. If none is invalid, one with a parameter that a
 * service may refuse: what it gets with the right key is open, but not what it gets without one.
 */
function wrongRequest(probes: readonly Probe[]): Probe | undefined {
  const wrong = probes.filter(({ validity }) => validity === 'invalid');
  const refusable = probes.filter(
    ({ validity, stage, query }) => validity === 'open' && stage === 'invalid' && query.length > 0,
  );
  return wrong.find(({ body }) => body && 'text' in body) ?? wrong[0] ?? refusable.at(-1);
}

function isOfScheme(key: KeyKind): boolean {
  return key === 'scheme' || key === 'bare';
}

const TITLES: Readonly<Record<Spelling, string>> = {
  slash: 'no key, and a slash at the end of the path',
  doubled: 'no key, and a doubled slash in the path',
  encoded: 'no key, and a percent-encoded letter in the path',
};

/**
 * Reads without a key at other spellings of their addresses: a gateway may protect only the usual one. Each spelling goes
 * to one operation, which the seed rotates.
 */
export function spelledProbes(contract: Contract, all: readonly Probe[], seed: number): Probe[] {
  const probesOf = byOperation(all);
  const reads = contract.operations.filter(isProtectedRead);
  return SPELLINGS.flatMap((spelling, index) => {
    const operation = reads[(seed + index) % reads.length];
    if (!operation || spelled(operation.path, spelling) === operation.path) return [];
    const refused = operation.responses.find(({ status }) => status === '401');
    return [
      probe(operation, `spelled-${spelling}`, 'keys', {
        title: TITLES[spelling],
        validity: 'open',
        key: 'absent',
        ...(refused ? { rule: refused.requirement } : {}),
        spelling,
        path: guessedPath(probesOf(operation.id), operation.id),
      }),
    ];
  });
}

/** Whether a read asks for a key and has a documented body, by which it is known. */
function isProtectedRead(operation: Operation): boolean {
  const { method, address, secured, responses } = operation;
  const isKnown = responses.some(({ status, schema }) => status.startsWith('2') && schema);
  return (
    secured && method === 'GET' && address === 'baseUrl' && isKnown && documented(operation, '401').length > 0
  );
}
