import { headerValues, type Received } from '../../../model/exchange.ts';
import type { Finding } from '../../../model/finding.ts';

/** Where in a response that is which a finding is about. */
export type Place =
  | { kind: 'body'; pointer: string }
  /** Where the body stops being JSON. */
  | { kind: 'syntax' }
  | { kind: 'headers'; names: readonly string[] }
  | { kind: 'status' }
  | { kind: 'none' };

/**
 * A finding names a place in the body by a pointer. Other places it names in what was expected and received, as
 * `judge/` words it; where that is worded otherwise one day, nothing is marked.
 */
export function placeOf(finding: Finding, response: Received | undefined): Place {
  const { pointer, reason, expected = '', received = '' } = finding;
  if (pointer !== undefined) return { kind: 'body', pointer };
  if (!response) return { kind: 'none' };
  if (received === 'an empty body') return { kind: 'body', pointer: '' };
  if (reason.startsWith('the body is not JSON')) return { kind: 'syntax' };
  const names = headersOf(expected, received, response);
  if (names.length > 0) return { kind: 'headers', names };
  return /^status \d/.test(received) || /^status \d/.test(expected) ? { kind: 'status' } : { kind: 'none' };
}

/** The headers that are received as `Name: value`, as `no Name header`, or are `none of these headers` expected. */
function headersOf(expected: string, received: string, response: Received): string[] {
  if (received === 'none of these headers') return expected.split(', ');
  const absent = /^no ([\w-]+) header$/.exec(received)?.[1];
  if (absent !== undefined) return [absent];
  const name = /^([\w-]+): /.exec(received)?.[1];
  return name !== undefined && headerValues(response.headers, name).length > 0 ? [name] : [];
}
