import type { Exchange, HeaderLine } from '../model/exchange.ts';
import { MOST_BYTES, readText } from '../reference/http/body.ts';
import { codingsOf } from '../session/http/read-response.ts';

/** A request as it arrived, and the response that it got. It may hold secrets. */
export interface Arrived {
  /** The origin of the service's address that it came to; undefined for a foreign origin. */
  address?: 'baseUrl' | 'apiUrl';
  /** An absolute URL, or the path and query. */
  target: string;
  method: string;
  headers: HeaderLine[];
  body: SentBody;
  connection: number;
  /** ms since the epoch: when its head had arrived, and when its response was about to be sent. */
  at: number;
  answeredAt: number;
  response?: Exchange['response'] | undefined;
  /** Whether the response was sent. A client that does not wait for it never learns what it says. */
  wasSent: () => boolean;
}

/** The size of its texts, which bounds how much of a scenario is recorded. */
export function bytesOf({ target, headers, body, response }: Arrived): number {
  const lines = [...headers, ...(response?.headers ?? [])].flat();
  const texts = [target, body.text, response?.body ?? '', ...lines];
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}

const NOT_KEPT = 'after the first 64 MiB of a scenario';

/** The request without its bodies, which are then not judged. An empty body stays as it was sent. */
export function withoutBodies({ body, response, ...entry }: Arrived): Arrived {
  return {
    ...entry,
    body: body.text === '' ? body : { text: '', unread: NOT_KEPT },
    response: response
      ? response.body === ''
        ? response
        : { ...response, body: '', unread: NOT_KEPT }
      : undefined,
  };
}

/** The body of a request as the reference read it. */
interface SentBody {
  text: string;
  /** Why its bytes are not text. */
  undecodable?: string;
  /** Why it is not judged: the reference does not read such a body, which says nothing about the client. */
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
