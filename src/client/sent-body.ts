import type { HeaderLine } from '../model/exchange.ts';
import { MOST_BYTES, readText } from '../reference/http/body.ts';
import { codingsOf } from '../session/http/decode.ts';

/** The body of a request as the reference read it. */
export interface SentBody {
  text: string;
  /** Why its bytes are no text. */
  undecodable?: string;
  /** Why it is not judged: the reference does not read such bodies, which says nothing about the client. */
  unread?: string;
}

/** Reads the bytes that the reference kept of a body. */
export function sentBody({ bodyBytes }: { bodyBytes: Buffer }, headers: readonly HeaderLine[]): SentBody {
  const [coding] = codingsOf(headers);
  const decoded = readText(bodyBytes);
  const text = decoded ?? bodyBytes.toString('utf8');
  if (coding !== undefined) return { text, unread: `in the content coding ${coding}` };
  if (bodyBytes.length > MOST_BYTES) return { text, unread: 'longer than 1 MiB' };
  return decoded === undefined ? { text, undecodable: 'not UTF-8' } : { text };
}
