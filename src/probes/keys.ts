import type { Contract, Operation } from '../model/contract.ts';
import type { KeyKind, Probe } from '../model/probe.ts';
import { minimalBodyOf } from './bodies.ts';
import { anyOf } from './parameters.ts';
import { byOperation, documented, probe } from './probe.ts';

/** Wrong keys, in words. */
const WRONG_KEYS: Readonly<Record<Exclude<KeyKind, 'valid'>, string>> = {
  absent: 'no key',
  unknown: 'an unknown key',
  empty: 'an empty key',
  scheme: 'the key under another scheme',
  longer: 'the key with one more character',
  shorter: 'the key with one character less',
  case: 'the key with its letters in the other case',
  bare: 'the key without a scheme',
};

/** The first operation gets most wrong keys; the others get no key, plus one wrong key each, in rotation. */
const FIRST_KEYS: readonly (keyof typeof WRONG_KEYS)[] = [
  'absent',
  'unknown',
  'empty',
  'scheme',
  'longer',
  'bare',
];
const OTHER_KEYS: readonly (keyof typeof WRONG_KEYS)[] = ['unknown', 'case', 'shorter'];

/** 401 comes before anything else that is wrong. An older set does not have this requirement. */
const FIRST = 'authentication.first';

/**
 * Wrong keys for every secured operation, in requests that are otherwise right. Only the missing key goes with something
 * else that is wrong, as the operation's other wrong key shows whether it asks for a key at all.
 */
export function keyProbes(contract: Contract, all: readonly Probe[], first: Probe | undefined): Probe[] {
  const probesOf = byOperation(all);
  const isFirstRequired = contract.requirements.some(({ id }) => id === FIRST);
  let turn = 0;
  return contract.operations
    .filter((operation) => operation.secured)
    .flatMap((operation) => {
      const probes = probesOf(operation.id);
      const right = probes.find(({ validity }) => validity !== 'invalid');
      const refused = documented(operation, '401');
      if (!right || refused.length === 0) return [];
      const isFirst = operation.id === first?.operation;
      const other = isFirst ? undefined : OTHER_KEYS[turn++ % OTHER_KEYS.length];
      const own = isFirst ? FIRST_KEYS : (['absent', other ?? 'unknown'] as const);
      const wrong = isFirstRequired ? wrongRequest(probes) : undefined;
      return own.map((key) =>
        probe(operation, `key-${key}`, 'keys', {
          title: WRONG_KEYS[key],
          validity: 'invalid',
          acceptable: refused,
          key,
          ...(key === 'absent' && wrong
            ? alsoWrong(wrong, right)
            : otherwiseRight(operation, key, right, anyOf(probes, operation.id, true))),
        }),
      );
    });
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
    ...(operation.body ? { body: minimalBodyOf(`${operation.id}:key-${key}`, operation.body) } : {}),
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

/** An invalid one of these requests: rather one whose body no parser can read. */
function wrongRequest(probes: readonly Probe[]): Probe | undefined {
  const wrong = probes.filter(({ validity }) => validity === 'invalid');
  return wrong.find(({ body }) => body && 'text' in body) ?? wrong[0];
}

function isOfScheme(key: KeyKind): boolean {
  return key === 'scheme' || key === 'bare';
}
