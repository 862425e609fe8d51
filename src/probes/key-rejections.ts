import { keyRequirement } from '../contract/requirements.ts';
import type { Operation } from '../model/contract.ts';
import { credentialsIn } from '../model/http/credential.ts';
import { type Expectation, expecting, SOME_REFUSAL } from '../model/http/expectation.ts';
import type { Probe } from '../model/probe.ts';
import { documented } from './probe.ts';

/**
 * What a request with a missing or an unknown key may get: a documented 401 or 403. Where no 401 is documented, nothing says
 * which status it is.
 */
export function keyRejection(operation: Operation): Expectation {
  const refused = [...documented(operation, '403'), ...documented(operation, '401')];
  return refused.includes('401') ? expecting([], refused) : SOME_REFUSAL;
}

/**
 * Whether a status refuses the right key. Where the document says what may come, not when, a 403 may do so, too.
 */
export function isKeyRefusal(
  { mayRefuse }: Pick<Operation, 'mayRefuse'>,
  status: number | undefined,
): boolean {
  return status === 401 || (mayRefuse === true && status === 403);
}

/** What is particular about a request with a wrong key. */
type KeyRejection = { name: string } & Pick<
  Probe,
  'title' | 'validity' | 'expectation' | 'rule' | 'controls' | 'key' | 'wrongKey'
>;

/**
 * A missing and an unknown key, in a request that is otherwise right; of several keys that it needs together, one at a time.
 * @param control the id of the right request
 */
export function wrongKeysOf(operation: Operation, control: string): KeyRejection[] {
  if (!operation.secured) return [];
  const expectation = keyRejection(operation);
  const rule = keyRequirement(operation);
  return credentialsIn(operation).flatMap(({ key: wrongKey }): KeyRejection[] => {
    const [end, ofScheme] = wrongKey === undefined ? ['', ''] : [`-${wrongKey}`, ` (${wrongKey})`];
    const absent = `key-absent${end}`;
    const fields = {
      validity: 'invalid',
      expectation,
      ...(wrongKey === undefined ? {} : { wrongKey }),
    } as const;
    return [
      {
        ...fields,
        name: absent,
        title: `no key${ofScheme}`,
        key: 'absent',
        ...(rule === undefined ? {} : { rule }),
        controls: [control],
      },
      {
        ...fields,
        name: `key-unknown${end}`,
        title: `an unknown key${ofScheme}`,
        key: 'unknown',
        rule: 'authentication.key',
        controls: [`${operation.id}:${absent}`, control],
      },
    ];
  });
}
