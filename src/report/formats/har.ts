import type { Content, Entry, Header, Request, Response } from 'har-format';
import { type Exchange, type HeaderLine, headerValue, type Received } from '../../model/exchange.ts';
import type { Report } from '../../model/report/report.ts';
import { cutAt } from '../../model/visible.ts';

/** The longest body, in characters: browsers hold a whole HAR in memory. The ledger has whole bodies. */
const MAX_BODY = 1_000_000;

/**
 * Every exchange as HAR 1.2 (http://www.softwareishard.com/blog/har-12-spec/), which opens in a browser's developer
 * tools. Exchanges are already redacted. Names of fields that HAR does not define begin with `_`.
 * @returns the file in pieces, so that a long run does not have to fit into memory
 */
export function* renderHar(report: Report, exchanges: () => Iterable<Exchange>): Generator<string> {
  const { suite, verdict, because, target } = report;
  const creator = JSON.stringify({ name: 'petspec', version: suite.version });
  const comment = JSON.stringify(`${target.baseUrl}: ${verdict}, ${because}`);
  yield `{"log":{"version":"1.2","creator":${creator},"comment":${comment},"entries":[`;
  let isFirst = true;
  for (const exchange of exchanges()) {
    yield `${isFirst ? '' : ','}\n${JSON.stringify(entry(exchange))}`;
    isFirst = false;
  }
  yield '\n]}}\n';
}

/** An entry with fields of petspec's own, which begin with an underscore. */
type PetspecEntry = Entry & {
  _id: number;
  /** ms since the epoch, with its fraction. */
  _sentAt: number;
  _probe: string;
  _operation: string;
  _stage?: string;
  _key?: string;
  _inFlight: number;
  _variation?: string;
  _error?: string;
};

function entry(exchange: Exchange): PetspecEntry {
  const { id, probe, operation, stage, key, inFlight, variation, sentAt, receivedAt, failure } = exchange;
  const time = Math.max(0, receivedAt - sentAt);
  return {
    startedDateTime: new Date(sentAt).toISOString(),
    time,
    request: request(exchange),
    response: response(exchange),
    cache: {},
    // petspec only measures the total, from the first byte sent to the last byte received.
    timings: { send: 0, wait: time, receive: 0 },
    _id: id,
    _sentAt: sentAt,
    _probe: probe,
    _operation: operation,
    // What others sent was not planned: whoever reads the file must not take it for a run.
    ...(exchange.recorded === 'traffic' ? {} : { _stage: stage, _key: key }),
    _inFlight: inFlight,
    ...(variation === undefined ? {} : { _variation: variation }),
    ...(failure ? { _error: `${failure.kind}: ${failure.message}` } : {}),
  };
}

function request({ method, url, requestHeaders, requestBody }: Exchange): Request {
  const query = URL.canParse(url) ? [...new URL(url).searchParams] : [];
  return {
    method,
    url,
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: headers(requestHeaders),
    queryString: query.map(([name, value]) => ({ name, value })),
    ...(requestBody === undefined
      ? {}
      : {
          postData: {
            mimeType: headerValue(requestHeaders, 'content-type') ?? '',
            text: cutAt(requestBody, MAX_BODY),
          },
        }),
    headersSize: -1,
    bodySize: requestBody === undefined ? 0 : Buffer.byteLength(requestBody),
  };
}

/** Without a response the status is 0, as browsers write it. */
function response({ response: received }: Exchange): Response {
  const lines = received?.headers ?? [];
  return {
    status: received?.status ?? 0,
    statusText: '',
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: headers(lines),
    content: content(received, headerValue(lines, 'content-type') ?? ''),
    redirectURL: headerValue(lines, 'location') ?? '',
    headersSize: -1,
    bodySize: -1,
  };
}

/** What a body is that petspec could not read. */
interface PetspecContent extends Content {
  _undecodable?: string;
  _unread?: string;
}

function content(received: Received | undefined, mimeType: string): PetspecContent {
  const { body = '', undecodable, unread } = received ?? {};
  const isCut = body.length > MAX_BODY;
  return {
    size: Buffer.byteLength(body),
    mimeType,
    text: cutAt(body, MAX_BODY),
    ...(isCut ? { comment: `the first ${MAX_BODY} of ${body.length} characters` } : {}),
    ...(undecodable === undefined ? {} : { _undecodable: undecodable }),
    ...(unread === undefined ? {} : { _unread: unread }),
  };
}

function headers(lines: readonly HeaderLine[]): Header[] {
  return lines.map(([name, value]) => ({ name, value }));
}
