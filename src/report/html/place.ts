import type { Finding } from '../../judge/finding.ts';
import { headerValues, type Received } from '../../session/exchange.ts';

/** Where in a response that is which a finding is about. */
export type Place =
  | { kind: 'body'; pointer: string }
  | { kind: 'header'; name: string; isAbsent: boolean }
  | { kind: 'status' }
  | { kind: 'none' };

/**
 * A finding names a place in the body by a pointer. A header and a status it names in what was received, as `judge/`
 * words it: `Name: value`, `no Name header`, `status 500`.
 */
export function placeOf({ pointer, received = '' }: Finding, response: Received | undefined): Place {
  if (pointer !== undefined) return { kind: 'body', pointer };
  if (!response) return { kind: 'none' };
  if (/^status \d/.test(received)) return { kind: 'status' };
  const absent = /^no ([\w-]+) header$/.exec(received)?.[1];
  if (absent !== undefined) return { kind: 'header', name: absent, isAbsent: true };
  const name = /^([\w-]+): /.exec(received)?.[1];
  const isThere = name !== undefined && headerValues(response.headers, name).length > 0;
  return isThere ? { kind: 'header', name, isAbsent: false } : { kind: 'none' };
}
