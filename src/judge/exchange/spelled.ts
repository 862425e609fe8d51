import type { Operation } from '../../model/contract.ts';
import type { Received } from '../../model/exchange.ts';
import type { Probe } from '../../model/probe.ts';
import type { Judged, ResponseOutcome } from '../evidence/judged.ts';
import { judgeBody } from './body.ts';
import { documentedStatus } from './status.ts';

/** The interface says nothing about other spellings of an address, so other responses to them are not judged. */
const OPEN = {
  outcome: 'inconclusive',
  inconclusive: { reason: 'another spelling of the address is another address' },
  met: [],
  deviations: [],
  hidden: [],
} as const;

/** Judges a request without a key at another spelling of an address: only records must not come back. */
export function judgeSpelled(
  probe: Probe,
  operation: Operation,
  response: Received | undefined,
): Pick<Judged, 'met' | 'deviations' | 'hidden'> & ResponseOutcome {
  if (!response || probe.rule === undefined || response.status > 299) return OPEN;
  const status = documentedStatus(operation, response.status);
  const documented = operation.responses.find((each) => each.status === status);
  const body = judgeBody(response, documented ?? {});
  const isEmpty = Array.isArray(body.value) && body.value.length === 0;
  if (body.value === undefined || isEmpty || body.deviations.length > 0) return OPEN;
  return {
    outcome: 'deviant',
    met: [],
    deviations: [
      {
        requirement: probe.rule,
        kind: 'status',
        reason: `${probe.title}: accepted with ${response.status}`,
        expected: 'status 401, or that there is nothing at this address',
        received: `status ${response.status} with a body as at the usual address`,
      },
    ],
    hidden: [],
  };
}
