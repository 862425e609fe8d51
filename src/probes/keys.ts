import { keyRequirement } from '../contract/requirements.ts';
import { withoutNames } from '../contract/resources.ts';
import type { Contract, Operation } from '../model/contract.ts';
import { type Probe, SPELLINGS, type Spelling } from '../model/probe.ts';
import { spelled } from '../requests/request.ts';
import { fullBodyOf } from './bodies.ts';
import { type KeyRejection, type WrongKey, wrongKeysOf } from './key-rejections.ts';
import { guessedPath } from './parameters.ts';
import { byOperation, documented, probe } from './probe.ts';

/** How a key that is sent is wrong. */
type SentWrongKey = Exclude<WrongKey, 'absent'>;

/** Keys with a wrong value. Each operation gets one, because a service that checks only for the presence of a key accepts it. */
const LIKE_A_KEY: readonly SentWrongKey[] = ['unknown', 'case', 'shorter', 'longer'];
const UNLIKE_A_KEY: readonly SentWrongKey[] = ['empty', 'scheme', 'bare'];

/** Without a seed, as in older versions, the first operation gets most wrong keys, and the others one each. */
const UNVARIED_FIRST: readonly SentWrongKey[] = ['unknown', 'empty', 'scheme', 'longer', 'bare'];
const UNVARIED_OTHER: readonly SentWrongKey[] = ['unknown', 'case', 'shorter'];

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
    const isRefused = documented(operation, '401').length > 0;
    return operation.secured && right && isRefused ? [{ operation, probes, right }] : [];
  });
  const keys = wrongKeysFor(
    examined.map(({ operation }) => operation),
    first?.operation,
    seed,
  );
  return examined.flatMap(({ operation, probes, right }, index) => {
    const wrong = isFirstRequired ? wrongRequest(probes) : undefined;
    return wrongKeysOf(operation, right.id, ['absent', ...(keys[index] ?? [])]).map(({ name, ...fields }) =>
      probe(operation, name, 'keys', {
        ...fields,
        ...(fields.key === 'absent' && wrong
          ? alsoWrong(fields.title, wrong, right)
          : otherwiseRight(operation, name, right, guessedPath(probes, operation.id))),
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
): (readonly SentWrongKey[])[] {
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

/** So many of these values, from one of them on. */
function inTurn<Value>(values: readonly Value[], turn: number, count = 1): readonly Value[] {
  const start = turn % values.length;
  return [...values.slice(start), ...values.slice(0, start)].slice(0, count);
}

/** The wrong keys of an operation in a document of the user, for a request that is otherwise right. */
export type KeysOfDocument = (operation: Operation, control: string) => readonly KeyRejection[];

/** Wrong keys that a document has one after the other, because a service may ban clients that send too many of them. */
const ROTATED: readonly SentWrongKey[] = ['longer', 'empty', 'shorter'];

/**
 * The wrong keys that the operations of a document get: none and an unknown one each. Each read gets one more in turn, or two if there
 * are few reads.
 * @param seed which read gets which
 */
export function keysOfDocument({ operations }: Contract, seed: number | 'none'): KeysOfDocument {
  const reads = operations.filter(({ method, secured }) => method === 'GET' && secured);
  const turns = new Map(reads.map(({ id }, turn) => [id, turn]));
  const count = reads.length < ROTATED.length ? 2 : 1;
  return (operation, control) => {
    const keys = wrongKeysOf(operation, control, ['absent', 'unknown']);
    const turn = turns.get(operation.id);
    if (seed === 'none' || turn === undefined) return keys;
    return [...keys, ...inTurn(wrongKeysOf(operation, control, ROTATED), seed + turn, count)];
  };
}

/** The rest of a request in which only the key is wrong. */
function otherwiseRight(
  operation: Operation,
  name: string,
  { query }: Probe,
  path: Probe['path'],
): Partial<Probe> {
  return {
    query,
    path,
    ...(operation.body ? { body: fullBodyOf(`${operation.id}:${name}`, operation.body) } : {}),
  };
}

/** The fields of a request without a key that is also wrong in another way. */
function alsoWrong(
  keyless: string,
  { id, title, query, path, body }: Probe,
  right: Probe,
): Partial<Probe> & { title: string } {
  return {
    title: `${keyless}, and ${title}`,
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

const TITLES: Readonly<Record<Spelling, string>> = {
  slash: 'no key, and a slash at the end of the path',
  doubled: 'no key, and a doubled slash in the path',
  encoded: 'no key, and a percent-encoded letter in the path',
};

/**
 * Reads without a key at other spellings of their addresses, as a gateway may protect only the usual one. The seed chooses
 * the operation that gets each spelling.
 * @param requestOf the plainest request of a read; undefined if it cannot be sent
 */
export function spelledProbes(
  { operations }: Contract,
  requestOf: (operation: Operation) => SpelledRequest | undefined,
  seed: number | 'none',
): Probe[] {
  if (seed === 'none') return [];
  const reads = operations.filter((operation) => isProtectedRead(operation) && requestOf(operation));
  return SPELLINGS.flatMap((spelling, index) => {
    const operation = reads[(seed + index) % reads.length];
    if (!operation || !isSpelledOtherwise(operation, spelling, operations)) return [];
    const rule = operation.responses.find(({ status }) => status === '401')?.requirement;
    return [
      probe(operation, `spelled-${spelling}`, 'keys', {
        title: TITLES[spelling],
        validity: 'open',
        key: 'absent',
        rule: rule ?? keyRequirement(operation),
        spelling,
        ...requestOf(operation),
      }),
    ];
  });
}

/** What a request at another spelling has besides its address. */
type SpelledRequest = Pick<Probe, 'path'> &
  Partial<Pick<Probe, 'query' | 'headers' | 'cookies' | 'controls'>>;

/** The plainest requests of a complete interface, whose responses are recognized without comparing them. */
export function guessedRequests(planned: readonly Probe[]): (operation: Operation) => SpelledRequest {
  const probesOf = byOperation(planned);
  return ({ id }) => ({ path: guessedPath(probesOf(id), id) });
}

/** Whether the spelling makes a difference, and the interface has no operation at that address. */
function isSpelledOtherwise(
  { path }: Operation,
  spelling: Spelling,
  operations: Contract['operations'],
): boolean {
  const other = withoutNames(spelled(path, spelling));
  return !operations.some((operation) => withoutNames(operation.path) === other);
}

/** Whether a read needs a key and has a documented body, by which its response is recognized. */
function isProtectedRead(operation: Operation): boolean {
  const { method, address, secured, responses, mayRefuse } = operation;
  const isKnown = responses.some(({ status, schema }) => status.startsWith('2') && schema);
  const isRefused = documented(operation, '401').length > 0 || mayRefuse === true;
  return secured && method === 'GET' && address === 'baseUrl' && isKnown && isRefused;
}
