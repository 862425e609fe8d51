import type { Received } from '../../../model/exchange.ts';
import type { Finding } from '../../../model/finding.ts';

/** The part of a response that a finding is about. */
export type Place =
  | { kind: 'body'; pointer: string }
  /** Where the body stops being JSON. */
  | { kind: 'syntax' }
  | { kind: 'headers'; names: readonly string[] }
  | { kind: 'status' }
  | { kind: 'none' };

/** What to mark in a response: what the finding points at, else the part that a deviation of its kind is in. */
export function placeOf(
  { kind, pointer, headers = [] }: Pick<Finding, 'kind' | 'pointer' | 'headers'>,
  response: Received | undefined,
): Place {
  if (pointer !== undefined) return { kind: 'body', pointer };
  if (!response) return { kind: 'none' };
  if (headers.length > 0) return { kind: 'headers', names: headers };
  switch (kind) {
    case 'json':
    // A shape without a pointer: the body has none, because it is empty or not JSON.
    case 'shape':
      return response.body === '' ? { kind: 'body', pointer: '' } : { kind: 'syntax' };
    case 'status':
    // A sequence that is neither in the body nor in a header is about which requests the limit refuses.
    case 'sequence':
      return { kind: 'status' };
    default:
      return { kind: 'none' };
  }
}
