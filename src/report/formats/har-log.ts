import type { Content, Entry, Header } from 'har-format';
import { type Exchange, type HeaderLine, headerValue } from '../../model/exchange.ts';

/** HAR 1.2 (http://www.softwareishard.com/blog/har-12-spec/) in pieces, so that a long one does not have to fit into memory. */
export function* renderLog(version: string, entries: Iterable<object>, comment?: string): Generator<string> {
  const head = { creator: { name: 'petspec', version }, comment };
  yield `{"log":{"version":"1.2",${JSON.stringify(head).slice(1, -1)},"entries":[`;
  let isFirst = true;
  for (const entry of entries) {
    yield `${isFirst ? '' : ','}\n${JSON.stringify(entry)}`;
    isFirst = false;
  }
  yield '\n]}}\n';
}

/** What a body is, with what petspec could not read of it. */
export interface BodyContent extends Omit<Content, 'mimeType'> {
  _undecodable?: string | undefined;
  _unread?: string | undefined;
}

/** What differs between an entry of a run and one of other traffic. */
export interface EntryBodies {
  /** The bytes of the request body; -1 if that is unknown. */
  requestSize: number;
  requestText?: string | undefined;
  content: BodyContent;
}

type EntrySource = Pick<Exchange, 'method' | 'url' | 'requestHeaders' | 'sentAt' | 'response'>;

/**
 * An entry of HAR 1.2. Names of fields that HAR does not define begin with `_`.
 * @param time ms: petspec only measures the total, from the first byte sent to the last byte received
 */
export function entryOf(
  { method, url, requestHeaders, sentAt, response }: EntrySource,
  time: number,
  { requestSize, requestText, content }: EntryBodies,
): Entry {
  const query = URL.canParse(url) ? [...new URL(url).searchParams] : [];
  const lines = response?.headers ?? [];
  const { size, ...body } = content;
  return {
    startedDateTime: new Date(sentAt).toISOString(),
    time,
    request: {
      method,
      url,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: headers(requestHeaders),
      queryString: query.map(([name, value]) => ({ name, value })),
      postData:
        requestText === undefined ? undefined : { mimeType: typeIn(requestHeaders), text: requestText },
      headersSize: -1,
      bodySize: requestSize,
    },
    response: {
      // Without a response the status is 0, as browsers write it.
      status: response?.status ?? 0,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: headers(lines),
      content: { size, mimeType: typeIn(lines), ...body },
      redirectURL: headerValue(lines, 'location') ?? '',
      headersSize: -1,
      bodySize: -1,
    },
    cache: {},
    timings: { send: 0, wait: time, receive: 0 },
  };
}

function typeIn(lines: readonly HeaderLine[]): string {
  return headerValue(lines, 'content-type') ?? '';
}

function headers(lines: readonly HeaderLine[]): Header[] {
  return lines.map(([name, value]) => ({ name, value }));
}
