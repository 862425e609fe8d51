import type { Operation } from '../../model/contract.ts';
import type { Received } from '../../model/exchange.ts';
import type { Deviation } from '../../model/finding.ts';
import { bodyFor, judgeBody } from './body.ts';
import { headersFor, judgeHeaders } from './headers.ts';
import { documentedStatus, statusRequirement } from './status.ts';

/**
 * Judges a response without its request: only the operation is known, so every documented response conforms. As in a run,
 * the first thing wrong owns it: status, content type, JSON, shape. Headers are judged if the status is right.
 */
export function judgeResponse(operation: Operation, response: Received): Deviation[] {
  const status = documentedStatus(operation, response.status);
  const documented = operation.responses.find((documentedResponse) => documentedResponse.status === status);
  if (!documented && (response.status >= 500 || showsSuccess(operation)))
    return [undocumented(operation, response.status)];
  const headers = judgeHeaders(headersFor(operation, status), response.headers);
  const body = judgeBody(response, bodyFor(operation, response.status));
  return [...headers.deviations, ...body.deviations];
}

/** Whether a success is documented. Otherwise the interface does not show the responses, and others conform as well. */
function showsSuccess({ responses }: Operation): boolean {
  return responses.some(({ status }) => status.startsWith('2'));
}

function undocumented(operation: Operation, status: number): Deviation {
  const documented = operation.responses.map((response) => response.status).join(', ');
  return {
    requirement: statusRequirement(operation, undefined),
    kind: 'status',
    reason: `undocumented status ${status}`,
    expected: showsSuccess(operation) ? `one of the statuses ${documented}` : 'a status below 500',
    received: `status ${status}`,
  };
}
