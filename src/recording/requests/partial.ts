import { type Exchange, headerValues, isSuccess } from '../../model/exchange.ts';
import type { Owed } from './request.ts';

/** The client asked for less than the whole response. Only what holds for every response is judged, whatever its body. */
export const PARTIAL: Owed = { validity: 'open', acceptable: [], isPartial: true };

/**
 * Whether a response is what the client asked for in place of the usual one: a part of what it reads, or that there is no
 * such part (RFC 9110 section 14.2), or as little as possible of what it writes (RFC 7240 section 4.2).
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
