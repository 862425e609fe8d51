import { least } from 'd3-array';
import type { Operation } from '../../model/contract.ts';
import type { Probe } from '../../model/probe.ts';
import { rememberingEach } from '../../model/remembering.ts';
import { byOperation } from '../probe.ts';

/** What a right request of an operation has, from which a further request differs in one value. */
export type RightRequest = Pick<Probe, 'query' | 'path' | 'headers' | 'cookies'>;

/** Finds the plainest request of an operation that a plan sends with the right key; undefined if it sends none. */
export const rightRequests = rememberingEach((planned: readonly Probe[]) => {
  const probesOf = byOperation(planned);
  return (operation: string): RightRequest | undefined => {
    const right = probesOf(operation).filter(
      ({ key, validity, stage, onlyIf, isWriting }) =>
        key === 'valid' && validity !== 'invalid' && stage !== 'exhaust' && !onlyIf && !isWriting,
    );
    const plainest = least(right, ({ query }) => query.length);
    if (!plainest) return undefined;
    const { query, path, headers, cookies } = plainest;
    return { query, path, ...(headers ? { headers } : {}), ...(cookies ? { cookies } : {}) };
  };
});

/** The further requests of each operation that has a right one. */
export function ofRight(
  operations: readonly Operation[],
  planned: readonly Probe[],
  derive: (operation: Operation, right: RightRequest) => readonly Probe[],
): (readonly Probe[])[] {
  const rightOf = rightRequests(planned);
  return operations.map((operation) => {
    const right = rightOf(operation.id);
    return right ? derive(operation, right) : [];
  });
}
