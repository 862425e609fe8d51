import type { HeaderLine } from '../../model/exchange.ts';
import { isCached } from '../../recording/har-entry.ts';
import type { ReadEntry } from '../../recording/recorded.ts';
import { decode } from '../../session/http/decode.ts';
import { pairsOf } from '../http/end-to-end.ts';
import type { Passed, PassedBody } from '../http/passed.ts';

const TOO_LARGE = 'the body is larger than petspec proxy keeps';

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** An exchange that passed, as one of a recording. Pure, and total for any bytes. */
export function recordedOf(passed: Passed, entry: number): ReadEntry {
  const { method, url, status, sentAt, receivedAt } = passed;
  const headers = trimmed(passed.responseHeaders);
  const { bytes } = passed.responseBody;
  const response =
    bytes === undefined
      ? { status, headers, body: '', unread: TOO_LARGE }
      : decode(status, headers, Buffer.from(bytes, 'latin1'));
  if (isCached({}, response)) return { omitted: 'cached' };
  const requestHeaders = trimmed(passed.requestHeaders);
  const requestBody = textOf(passed.requestBody, requestHeaders);
  return {
    recorded: {
      method,
      url,
      requestHeaders,
      ...(requestBody === undefined ? {} : { requestBody }),
      sentAt,
      receivedAt,
      isTimed: true,
      response,
      entry,
    },
  };
}

/** Without the whitespace around values, which is not part of them (RFC 9112 section 5.1). */
function trimmed(flat: readonly string[]): HeaderLine[] {
  return pairsOf(flat).map(([name, value]) => [name, value.trim()]);
}

/** The text of a request body; undefined if it was not kept, is encoded, or is not UTF-8. */
function textOf({ bytes }: PassedBody, headers: readonly HeaderLine[]): string | undefined {
  if (bytes === undefined || headers.some(([name]) => /^content-encoding$/i.test(name))) return undefined;
  try {
    return UTF8.decode(Buffer.from(bytes, 'latin1'));
  } catch {
    return undefined;
  }
}
