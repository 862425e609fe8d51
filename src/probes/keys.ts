import type { Contract, Operation } from '../model/contract.ts';
import { expecting } from '../model/http/expectation.ts';
import { type KeyKind, type Probe, SPELLINGS, type Spelling } from '../model/probe.ts';
import { spelled } from '../requests/request.ts';
import { fullBodyOf } from './bodies.ts';
import { guessedPath } from './parameters.ts';
import { byOperation, documented, probe } from './probe.ts';

/** The titles of requests with wrong keys. */
const WRONG_KEYS: Readonly<Record<Exclude<KeyKind, 'valid' | 'second'>, string>> = {
  absent: 'no key',
  unknown: 'an unknown key',
  empty: 'an empty key',
  scheme: 'the key under another scheme',
  longer: 'the key with one more character',
  shorter: 'the key with one character less',
  case: 'the key with its letters in the other case',
  bare: 'the key without a scheme',
  followed: 'the key and another word',
};

/** How a key that is sent is wrong. */
type WrongKey = Exclude<keyof typeof WRONG_KEYS, 'absent'>;

/** Keys with a wrong value. Each operation gets one, because a service that checks only for the presence of a key accepts it. */
const LIKE_A_KEY: readonly WrongKey[] = ['unknown', 'case', 'shorter', 'longer'];
const UNLIKE_A_KEY: readonly WrongKey[] = ['empty', 'scheme', 'bare'];

/** Without a seed, as in older versions, the first operation gets most wrong keys, and the others one each. */
const UNVARIED_FIRST: readonly WrongKey[] = ['unknown', 'empty', 'scheme', 'longer', 'bare'];
const UNVARIED_OTHER: readonly WrongKey[] = ['unknown', 'case', 'shorter'];

/** A wrong key gets 401 before anything else is checked. Older requirement sets lack this requirement. */
const FIRST = 'authentication.first';

/**
 * Wrong keys for every secured operation, in requests that are otherwise right. Only the request without a key is also wrong in
 * another way: the other wrong key shows whether the operation asks for a key at all.
 * @param seed which of them go to which operation; `further`: the one that is sent after the recovery alone
 */
export function keyProbes(
  contract: Contract,
  planned: readonly Probe[],
  first: Probe | undefined,
  seed: number | 'none' | 'further',
): Probe[] {
  const probesOf = byOperation(planned);
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
 * Which wrong keys go to which operation. Each operation at the base address gets one of each list, rotated by the seed, so that
 * every seed sends all of them. The message address gets one, because messages cannot be deleted.
 */
function wrongKeysFor(
  operations: readonly Operation[],
  first: string | undefined,
  seed: number | 'none' | 'further',
): (readonly WrongKey[])[] {
  if (seed === 'further') return operations.map(() => ['followed']);
  if (seed === 'none') {
    const rest = operations.filter(({ id }) => id !== first);
    return operations.map((operation) =>
      operation.id === first ? UNVARIED_FIRST : inTurn(UNVARIED_OTHER, rest.indexOf(operation)),
    );
  }
  const atBase = operations.filter(({ address }) => address === 'baseUrl');
  return operations.map((operation) => {
    const turn = seed + atBase.indexOf(operation);
    return atBase.includes(operation)
      ? [...inTurn(LIKE_A_KEY, turn), ...inTurn(UNLIKE_A_KEY, turn)]
      : inTurn([...LIKE_A_KEY, ...UNLIKE_A_KEY], seed);
  });
}

function inTurn(values: readonly WrongKey[], turn: number): readonly WrongKey[] {
  const index = turn % values.length;
  return values.slice(index, index + 1);
}

/** The fields of a request in which only the key is wrong. */
function otherwiseRight(
  operation: Operation,
  key: keyof typeof WRONG_KEYS,
  { id, query }: Probe,
  path: Probe['path'],
): Partial<Probe> {
  return {
    // An operation that asks for no key has this one fault, however many wrong keys it accepts.
    ...(key === 'absent' ? {} : { rule: isOfScheme(key) ? 'authentication.scheme' : 'authentication.key' }),
    controls: key === 'absent' ? [id] : [`${operation.id}:key-absent`, id],
    query,
    path,
    ...(operation.body ? { body: fullBodyOf(`${operation.id}:key-${key}`, operation.body) } : {}),
  };
}

/** The fields of a request without a key that is also wrong in another way. */
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
 * The invalid request to send without a key, preferably one whose body no parser can read. If there is none, a request with a
 * parameter that a service may refuse: its response is open with the right key, but not without one.
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
 * Reads without a key at other spellings of their addresses, as a gateway may protect only the usual one. The seed chooses
 * the operation that gets each spelling.
 */
export function spelledProbes(contract: Contract, planned: readonly Probe[], seed: number): Probe[] {
  const probesOf = byOperation(planned);
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

/** Whether a read needs a key and has a documented body, by which its response is recognized. */
function isProtectedRead(operation: Operation): boolean {
  const { method, address, secured, responses } = operation;
  const isKnown = responses.some(({ status, schema }) => status.startsWith('2') && schema);
  return (
    secured && method === 'GET' && address === 'baseUrl' && isKnown && documented(operation, '401').length > 0
  );
}
