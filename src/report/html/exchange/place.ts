import type { Exchange, Received } from '../../../model/exchange.ts';
import type { Finding } from '../../../model/finding.ts';

/** The part of a request or a response that a finding is about. */
export type FindingPlace =
  | { kind: 'body'; pointer: string }
  /** Where the body stops being JSON. */
  | { kind: 'syntax' }
  | { kind: 'headers'; names: readonly string[] }
  | { kind: 'status' }
  /** Method and address of a request. */
  | { kind: 'request-line' }
  | { kind: 'none' };

/** The marked places of a request and of its response. */
export interface Marks {
  request: FindingPlace;
  response: FindingPlace;
}

export const UNMARKED: Marks = { request: { kind: 'none' }, response: { kind: 'none' } };

type Pointing = Pick<Finding, 'kind' | 'pointer' | 'headers'>;

/**
 * The places that a finding is about, in the first exchange that shows it.
 * @param isOfClient whether the finding is about a client: then the request is at fault, whatever the response
 */
export function marksOf(finding: Pointing, exchange: Exchange | undefined, isOfClient: boolean): Marks {
  return isOfClient
    ? { ...UNMARKED, request: placeInRequest(finding, exchange?.requestBody ?? '') }
    : { ...UNMARKED, response: placeOf(finding, exchange?.response) };
}

/** The marked place of a request: the place that the finding names, else the usual place for its kind of deviation. */
export function placeInRequest({ kind, pointer, headers = [] }: Pointing, body: string): FindingPlace {
  if (pointer !== undefined) return { kind: 'body', pointer };
  if (headers.length > 0) return { kind: 'headers', names: headers };
  switch (kind) {
    case undefined:
      return { kind: 'none' };
    case 'json':
    // A shape without a pointer: the request has no body.
    case 'shape':
      return body === '' ? { kind: 'body', pointer: '' } : { kind: 'syntax' };
    default:
      return { kind: 'request-line' };
  }
}

/** The marked place of a response: the place that the finding names, else the usual place for its kind of deviation. */
export function placeOf(
  { kind, pointer, headers = [] }: Pointing,
  response: Received | undefined,
): FindingPlace {
  if (pointer !== undefined) return { kind: 'body', pointer };
  if (!response) return { kind: 'none' };
  if (headers.length > 0) return { kind: 'headers', names: headers };
  switch (kind) {
    case 'json':
    // A shape without a pointer: the body is empty or not JSON.
    case 'shape':
      return response.body === '' ? { kind: 'body', pointer: '' } : { kind: 'syntax' };
    case 'status':
    // A sequence without a pointer and headers is about which requests the limit refuses.
    case 'sequence':
      return { kind: 'status' };
    default:
      return { kind: 'none' };
  }
}
