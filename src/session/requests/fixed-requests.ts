import { isDeepStrictEqual } from 'node:util';
import type { Contract, Operation } from '../../model/contract.ts';
import { lateValuesIn, type Probe, type RequestVariation } from '../../model/probe.ts';
import { rememberingLast } from '../../model/remembering.ts';
import type { Outgoing } from '../http/transport.ts';
import type { LearntValues } from '../learnt-values.ts';
import { requestOf, type Target } from './request.ts';

/** Makes the request of a probe; undefined if a value that it needs, or its address, is unknown. */
export type MakeRequest = (
  probe: Probe,
  operation: Operation,
  values: LearntValues,
  variations?: readonly RequestVariation[],
) => Outgoing | undefined;

/** The requests that were made for an interface: runs one after the other may have the same target. */
const madeFor = rememberingLast(
  (_contract: Contract, _target: readonly unknown[]) => new WeakMap<Probe, Outgoing>(),
  isDeepStrictEqual,
);

/**
 * Makes the requests of a run. One that depends on nothing that the run learns is made once: an exhaustion sends it again and
 * again, and so do other runs against the same target.
 */
export function requestsTo(contract: Contract, options: Target): MakeRequest {
  const { baseUrl, apiUrl, servers, apiKey, headers, traceparent } = options;
  const requests = madeFor(contract, [baseUrl, apiUrl, servers, apiKey, headers]);
  return (probe, operation, values, variations = []) => {
    if (variations.length > 0 || traceparent) return requestOf(probe, operation, values, options, variations);
    const known = requests.get(probe);
    if (known) return known;
    const made = requestOf(probe, operation, values, options);
    if (made && lateValuesIn([probe.path, probe.body]).length === 0) requests.set(probe, made);
    return made;
  };
}
