import { isDeepStrictEqual } from 'node:util';
import type { Contract, Operation } from '../../model/contract.ts';
import { lateValuesIn, type Probe, type RequestVariation } from '../../model/probe.ts';
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

interface Fixed {
  target: Target;
  requests: WeakMap<Probe, Outgoing>;
}

/** The last target of an interface: runs one after the other may have the same. */
const lastTargets = new WeakMap<Contract, Fixed>();

/**
 * Makes the requests of a run. One that depends on nothing that the run learns is made once: an exhaustion sends it again and
 * again, and so do other runs against the same target.
 */
export function requestsTo(contract: Contract, options: Target): MakeRequest {
  const { requests } = fixedFor(contract, options);
  return (probe, operation, values, variations = []) => {
    if (variations.length > 0 || options.traceparent)
      return requestOf(probe, operation, values, options, variations);
    const known = requests.get(probe);
    if (known) return known;
    const made = requestOf(probe, operation, values, options);
    if (made && lateValuesIn([probe.path, probe.body]).length === 0) requests.set(probe, made);
    return made;
  };
}

function fixedFor(contract: Contract, { baseUrl, apiUrl, servers, apiKey, headers }: Target): Fixed {
  const target: Target = {
    baseUrl,
    apiKey,
    headers,
    ...(apiUrl === undefined ? {} : { apiUrl }),
    ...(servers ? { servers } : {}),
  };
  const last = lastTargets.get(contract);
  if (last && isDeepStrictEqual(last.target, target)) return last;
  const fixed = { target, requests: new WeakMap<Probe, Outgoing>() };
  lastTargets.set(contract, fixed);
  return fixed;
}
