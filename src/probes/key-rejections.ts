import { keyRequirement } from '../contract/requirements.ts';
import type { Credential, Operation } from '../model/contract.ts';
import { credentialsIn } from '../model/http/credential.ts';
import { type Expectation, expecting, SOME_REFUSAL } from '../model/http/expectation.ts';
import type { KeyKind, Probe } from '../model/probe.ts';
import { documented } from './probe.ts';

/** How the key of a request is wrong, or that it has none. */
export type WrongKey = Exclude<KeyKind, 'valid' | 'second'>;

/** The titles of requests with wrong keys. */
const WRONG_KEYS: Readonly<Record<WrongKey, string>> = {
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

/** Every service refuses these, in whatever form it compares keys. */
const NEVER_RIGHT: readonly WrongKey[] = ['absent', 'unknown', 'empty'];

/** Whether every conforming service refuses a wrong key at this place. */
function isSurelyWrong(key: WrongKey, { mayRefuse }: Operation, { in: place, scheme }: Credential): boolean {
  // A complete interface says what the one right form of the key is.
  if (!mayRefuse || NEVER_RIGHT.includes(key)) return true;
  // The key in another form, such as without its scheme, may be the key as well. A service may look only at one of user and password,
  // and a session id in a cookie may end with the name of a server, which is no part of it.
  return (key === 'longer' || key === 'shorter') && scheme !== 'Basic' && place !== 'cookie';
}

/**
 * What a request with a wrong key may get: a documented 401 or 403. If no 401 is documented, any refusal conforms.
 */
export function keyRejection(operation: Operation): Expectation {
  const refused = [...documented(operation, '403'), ...documented(operation, '401')];
  return refused.includes('401') ? expecting([], refused) : SOME_REFUSAL;
}

/**
 * Whether a status refuses the right key: 401, or also 403 where the document does not say when responses come.
 */
export function isKeyRefusal(
  { mayRefuse }: Pick<Operation, 'mayRefuse'>,
  status: number | undefined,
): boolean {
  return status === 401 || (mayRefuse === true && status === 403);
}

/** The fields of a probe with a wrong key that differ from the right request. */
export type KeyRejection = { name: string } & Pick<
  Probe,
  'title' | 'validity' | 'expectation' | 'rule' | 'controls' | 'wrongKey'
> & { key: WrongKey };

/**
 * The wrong keys for a request that is otherwise right, of these kinds, apart from those that a service may accept. If it needs
 * several keys, one at a time is wrong.
 * @param control the id of the right request
 */
export function wrongKeysOf(
  operation: Operation,
  control: string,
  kinds: readonly WrongKey[],
): KeyRejection[] {
  if (!operation.secured) return [];
  return credentialsIn(operation).flatMap((credential) =>
    kinds
      .filter((kind) => isSurelyWrong(kind, operation, credential))
      .map((kind) => wrongKeyOf(operation, control, kind, credential.key)),
  );
}

function wrongKeyOf(
  operation: Operation,
  control: string,
  key: WrongKey,
  wrongKey: string | undefined,
): KeyRejection {
  const nameOf = (kind: WrongKey) => `key-${kind}${wrongKey === undefined ? '' : `-${wrongKey}`}`;
  const rule = key === 'absent' ? keyRequirement(operation) : ruleAgainst(key);
  return {
    name: nameOf(key),
    title: `${WRONG_KEYS[key]}${wrongKey === undefined ? '' : ` (${wrongKey})`}`,
    validity: 'invalid',
    expectation: keyRejection(operation),
    key,
    // An operation that asks for no key has this one fault, however many wrong keys it accepts.
    ...(rule === undefined ? {} : { rule }),
    controls: key === 'absent' ? [control] : [`${operation.id}:${nameOf('absent')}`, control],
    ...(wrongKey === undefined ? {} : { wrongKey }),
  };
}

function ruleAgainst(key: WrongKey): string {
  return key === 'scheme' || key === 'bare' ? 'authentication.scheme' : 'authentication.key';
}
