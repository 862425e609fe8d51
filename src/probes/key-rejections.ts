import { keyRequirement } from '../contract/requirements.ts';
import type { Operation } from '../model/contract.ts';
import { credentialsIn } from '../model/http/credential.ts';
import { type Expectation, expecting, SOME_REFUSAL } from '../model/http/expectation.ts';
import type { Probe } from '../model/probe.ts';
import { documented } from './probe.ts';

/**
 * What a request with a missing or unknown key may get: a documented 401 or 403. If no 401 is documented, any refusal conforms.
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
type KeyRejection = { name: string } & Pick<
  Probe,
  'title' | 'validity' | 'expectation' | 'rule' | 'controls' | 'key' | 'wrongKey'
>;

/**
 * A missing and an unknown key for a request that is otherwise right. If it needs several keys, one at a time is wrong.
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
