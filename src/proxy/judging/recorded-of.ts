import { type HeaderLine, headerValues } from '../../model/exchange.ts';
import { isCached } from '../../recording/reading/entry.ts';
import type { ReadEntry } from '../../recording/recorded.ts';
import { codingsOf, decode, isKnownCoding } from '../../session/http/read-response.ts';
import { isLight, withinWeight } from '../../session/terms/memory-limit.ts';
import { pairsOf } from '../http/end-to-end.ts';
import type { Passed, PassedBody } from '../http/passed.ts';

const TOO_LARGE = 'the body is larger than petspec proxy keeps';

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** An exchange that passed, as one of a recording. Pure, and defined for any bytes. */
export function recordedOf(passed: Passed, entry: number): ReadEntry {
  const { method, url, status, sentAt, receivedAt } = passed;
  const headers = trimmed(passed.responseHeaders);
  const { bytes } = passed.responseBody;
  const requestHeaders = trimmed(passed.requestHeaders);
  const without = bytes === undefined ? TOO_LARGE : undecoded(headers, requestHeaders);
  const response =
    bytes === undefined || without !== undefined
      ? { status, headers, body: '', unread: without ?? TOO_LARGE }
      : withinWeight(decode(status, headers, Buffer.from(bytes, 'latin1')));
  if (isCached({}, response)) return { omitted: 'cached' };
  const requestBody = textOf(passed.requestBody, requestHeaders);
  return {
    recorded: {
      method,
      url,
      requestHeaders,
      requestBody,
      sentAt,
      receivedAt,
      isTimed: true,
      response,
      isHeadComplete: true,
      entry,
    },
  };
}

/**
 * Why petspec does not decode a body: it has a coding that the client asked for and petspec does not know, such as zstd
 * (RFC 9110 section 12.5.3).
 */
function undecoded(
  headers: readonly HeaderLine[],
  requestHeaders: readonly HeaderLine[],
): string | undefined {
  const asked = headerValues(requestHeaders, 'Accept-Encoding').flatMap((value) =>
    value.split(',').map((coding) => (coding.split(';')[0] ?? '').trim().toLowerCase()),
  );
  const unknown = codingsOf(headers).find((coding) => !isKnownCoding(coding));
  return unknown !== undefined && asked.includes(unknown)
    ? `petspec does not decode the content coding ${unknown}`
    : undefined;
}

/** Without the whitespace around values, which is not part of them (RFC 9112 section 5.1). */
function trimmed(flat: readonly string[]): HeaderLine[] {
  return pairsOf(flat).map(([name, value]) => [name, value.trim()]);
}

/** The text of a request body; undefined if it was not kept, is encoded or not UTF-8, or has very many values. */
function textOf({ bytes }: PassedBody, headers: readonly HeaderLine[]): string | undefined {
  if (bytes === undefined || codingsOf(headers).length > 0) return undefined;
  try {
    const text = UTF8.decode(Buffer.from(bytes, 'latin1'));
    return isLight(text) ? text : undefined;
  } catch {
    return undefined;
  }
}
