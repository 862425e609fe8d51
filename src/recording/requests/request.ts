import type { Operation } from '../../model/contract.ts';
import { type Exchange, headerValues, isSuccess } from '../../model/exchange.ts';
import { OPEN } from '../../model/http/expectation.ts';
import type { Late, Probe } from '../../model/probe.ts';
import type { Classified } from '../../traffic/classify.ts';
import type { Standing } from '../standing.ts';

/** The part of a probe that says which responses to its request conform. */
export type Owed = Pick<Probe, 'validity' | 'expectation'> &
  Partial<Pick<Probe, 'rule' | 'key' | 'spelling' | 'isPartial'>>;

/** A recorded request, and what the recording shows about it. */
export interface RecordedRequest {
  exchange: Exchange;
  classified: Classified & { operation: Operation };
  standing: Standing;
  /** As in a matched exchange. */
  isChanged: boolean;
  /** Every reference of the request was accepted before and after it, in requests of the same operation. */
  isReferenceProven: boolean;
  /** Its texts are short, or no longer than one that the operation accepted. */
  isLengthProven: boolean;
  /** The service accepted the same operation with the same key. */
  isOperationOpen: boolean;
  /** Where an earlier response shows what it reads. */
  source?: Extract<Late, { late: 'response' }> | undefined;
  /** It reads what a run of petspec created, and nobody else removes. */
  isOwnCreation: boolean;
  /** Another request with the same parameters got a success. */
  areParametersAccepted: boolean;
  /** The plainest request of its operation got a success. */
  isPlainAccepted: boolean;
  /** The control probes: the plainest request of its operation and, for a wrong key, one without a key. */
  controls: readonly string[];
}

/** Only rules for every response are judged: the expected response is open or unknown. */
export const UNDECIDED: Owed = { validity: 'open', expectation: OPEN };

/** The client asked for less than the whole response. Only rules for every response are judged, whatever its body. */
export const PARTIAL: Owed = { ...UNDECIDED, isPartial: true };

/**
 * Whether a client asked for a part, and got it or got that there is no such part (RFC 9110 section 14.2), or asked for as
 * little as possible of a write (RFC 7240 section 4.2).
 */
export function isPartial({ method, requestHeaders, response }: Exchange): boolean {
  if (!response) return false;
  const { status, body, headers } = response;
  if (method === 'GET')
    return (status === 206 || status === 416) && headerValues(requestHeaders, 'Range').length > 0;
  const isMinimal = body === '' || isMinimalIn(headerValues(headers, 'Preference-Applied'));
  return isSuccess({ response }) && isMinimal && isMinimalIn(headerValues(requestHeaders, 'Prefer'));
}

/** Preferences are tokens in a list, with parameters and in any case. */
function isMinimalIn(values: readonly string[]): boolean {
  return values.some((value) => /(?:^|,)\s*return\s*=\s*"?minimal"?\s*(?:[,;]|$)/i.test(value));
}
