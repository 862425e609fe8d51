import type { Operation } from '../../model/contract.ts';
import type { Received } from '../../model/exchange.ts';
import type { Deviation } from '../../model/finding.ts';
import { bodyFor, judgeBody } from './body.ts';
import { headersFor, judgeHeaders } from './headers.ts';
import { documentedStatus, statusRequirement } from './status.ts';

/**
 * Judges a response by itself: nothing is known of its request but the operation, so that whichever documented
 * response it is conforms. The first thing wrong with it owns it, as in a run: status, content type, JSON, shape; and
 * the headers, where the status is right.
 */
export function judgeResponse(operation: Operation, response: Received): Deviation[] {
  const status = documentedStatus(operation, response.status);
  const documented = operation.responses.find((each) => each.status === status);
  if (!documented && (response.status >= 500 || showsSuccess(operation)))
    return [undocumented(operation, response.status)];
  const headers = judgeHeaders(headersFor(operation, status), response.headers);
  const body = judgeBody(response, bodyFor(operation, response.status));
  return [...headers.deviations, ...body.deviations];
}

/** Of an operation whose payload and responses are not shown, only some are documented: others conform as well. */
function showsSuccess({ responses }: Operation): boolean {
  return responses.some(({ status }) => status.startsWith('2'));
}

function undocumented(operation: Operation, status: number): Deviation {
  const documented = operation.responses.map((each) => each.status).join(', ');
  return {
    requirement: statusRequirement(operation, undefined),
    kind: 'status',
    reason: 'a status that is not documented',
    expected: showsSuccess(operation) ? `one of the statuses ${documented}` : 'a status below 500',
    received: `status ${status}`,
  };
}
