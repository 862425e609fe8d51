import { type HeaderLine, headerValue, type Received } from '../../model/exchange.ts';
import type { Captured } from '../../recording/capture/capture.ts';

/** How an exchange is written to the ledger. */
export interface LineOptions {
  hasBodies: boolean;
  /** Stands for the key, so that keys are told apart when the ledger is judged. */
  keyName?: string | undefined;
}

/**
 * A line of the ledger: an entry of HAR 1.2. Bodies are left out, and only their sizes stay, unless a finding cites
 * the exchange.
 */
export function ledgerLine(captured: Captured, { hasBodies, keyName }: LineOptions): string {
  const { method, url, requestHeaders, requestBody, sentAt, receivedAt, response } = captured;
  const { entry, isHeadComplete } = captured;
  const mimeType = headerValue(requestHeaders, 'Content-Type') ?? '';
  const line = {
    startedDateTime: new Date(sentAt).toISOString(),
    // A duration of 0 would be an unknown one.
    time: Math.max(0.001, receivedAt - sentAt),
    request: {
      method,
      url,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: nameAndValue(withKeyName(requestHeaders, keyName)),
      queryString: [...new URL(url).searchParams].map(([name, value]) => ({ name, value })),
      headersSize: -1,
      bodySize: requestBody === undefined ? -1 : Buffer.byteLength(requestBody),
      ...(hasBodies && requestBody ? { postData: { mimeType, text: requestBody } } : {}),
    },
    response: responseOf(response, hasBodies),
    cache: {},
    timings: { send: 0, wait: Math.max(0.001, receivedAt - sentAt), receive: 0 },
    _entry: entry,
    ...(isHeadComplete ? { _isHeadComplete: true } : {}),
    ...(hasBodies ? { _hasBodies: true } : {}),
  };
  return `${JSON.stringify(line)}\n`;
}

function responseOf(response: Received | undefined, hasBodies: boolean) {
  const { status = 0, headers = [], body = '', undecodable, unread } = response ?? {};
  return {
    status,
    statusText: '',
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: nameAndValue(headers),
    content: {
      size: Buffer.byteLength(body),
      mimeType: headerValue(headers, 'Content-Type') ?? '',
      ...(hasBodies && unread === undefined && undecodable === undefined ? { text: body } : {}),
      ...(hasBodies && undecodable !== undefined ? { _undecodable: undecodable } : {}),
      ...(unread === undefined ? {} : { _unread: unread }),
    },
    redirectURL: headerValue(headers, 'Location') ?? '',
    headersSize: -1,
    bodySize: -1,
  };
}

function withKeyName(lines: readonly HeaderLine[], keyName: string | undefined): readonly HeaderLine[] {
  if (keyName === undefined) return lines;
  return lines.map(([name, value]) => {
    if (!/^authorization$/i.test(name)) return [name, value];
    const [, scheme] = /^(\S+) \S/.exec(value) ?? [];
    return [name, scheme === undefined ? keyName : `${scheme} ${keyName}`];
  });
}

function nameAndValue(lines: readonly HeaderLine[]) {
  return lines.map(([name, value]) => ({ name, value }));
}
