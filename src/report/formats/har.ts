import type { Content, Entry, Header } from 'har-format';
import { type Exchange, type HeaderLine, headerValue, type Received } from '../../model/exchange.ts';
import type { Report } from '../../model/report/report.ts';
import { cutAt } from '../../model/visible.ts';

/** The longest body, in characters: browsers load a whole HAR into memory. The ledger has complete bodies. */
const MAX_BODY = 1_000_000;

/**
 * Every exchange as HAR 1.2, which opens in a browser's developer tools. Exchanges are already redacted.
 * @returns the file in pieces
 */
export function renderHar(report: Report, exchanges: () => Iterable<Exchange>): Generator<string> {
  const { suite, verdict, because, target } = report;
  return renderLog(suite.version, entriesOf(exchanges()), `${target.baseUrl}: ${verdict}, ${because}`);
}

function* entriesOf(exchanges: Iterable<Exchange>): Generator<PetspecEntry> {
  for (const exchange of exchanges) yield entry(exchange);
}

/** An entry with petspec's extensions, which begin with an underscore. */
type PetspecEntry = Entry & {
  _id: number;
  /** ms since the epoch, with fractions. */
  _sentAt: number;
  _probe: string;
  _operation: string;
  _stage?: string;
  _key?: string;
  _inFlight: number;
  _variation?: string | undefined;
  _error?: string | undefined;
};

function entry(exchange: Exchange): PetspecEntry {
  const { id, probe, operation, stage, key, inFlight, variation, sentAt, receivedAt, failure } = exchange;
  const { requestBody, response } = exchange;
  const bodies = {
    requestSize: requestBody === undefined ? 0 : Buffer.byteLength(requestBody),
    requestText: requestBody === undefined ? undefined : cutAt(requestBody, MAX_BODY),
    content: content(response),
  };
  return {
    ...entryOf(exchange, Math.max(0, receivedAt - sentAt), bodies),
    _id: id,
    _sentAt: sentAt,
    _probe: probe,
    _operation: operation,
    // Recorded traffic was not planned: a reader of the file must not take it for a run.
    ...(exchange.recorded === 'traffic' ? {} : { _stage: stage, _key: key }),
    _inFlight: inFlight,
    _variation: variation,
    _error: failure && `${failure.kind}: ${failure.message}`,
  };
}

function content(received: Received | undefined): BodyContent {
  const { body = '', undecodable, unread } = received ?? {};
  const isCut = body.length > MAX_BODY;
  return {
    size: Buffer.byteLength(body),
    text: cutAt(body, MAX_BODY),
    comment: isCut ? `the first ${MAX_BODY} of ${body.length} characters` : undefined,
    _undecodable: undecodable,
    _unread: unread,
  };
}

/** HAR 1.2 (http://www.softwareishard.com/blog/har-12-spec/) in pieces, so that a long file need not fit into memory. */
export function* renderLog(version: string, entries: Iterable<object>, comment?: string): Generator<string> {
  const head = { creator: { name: 'petspec', version }, comment };
  yield `{"log":{"version":"1.2",${JSON.stringify(head).slice(1, -1)},"entries":[`;
  let isFirst = true;
  for (const entry of entries) {
    yield isFirst ? '\n' : ',\n';
    yield JSON.stringify(entry);
    isFirst = false;
  }
  yield '\n]}}\n';
}

/** The content of a response, with why petspec could not decode or read it. */
export interface BodyContent extends Omit<Content, 'mimeType'> {
  _undecodable?: string | undefined;
  _unread?: string | undefined;
}

/** The bodies of an entry: a run and recorded traffic know different things about them. */
interface EntryBodies {
  /** Bytes of the request body; -1 if unknown. */
  requestSize: number;
  requestText?: string | undefined;
  content: BodyContent;
}

type EntrySource = Pick<Exchange, 'method' | 'url' | 'requestHeaders' | 'sentAt' | 'response'>;

/**
 * An entry of HAR 1.2. Names of fields that HAR does not define begin with `_`.
 * @param time ms from the first byte sent to the last byte received, the only time that petspec measures
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
