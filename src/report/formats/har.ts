import type { Entry } from 'har-format';
import type { Exchange, Received } from '../../model/exchange.ts';
import type { Report } from '../../model/report/report.ts';
import { cutAt } from '../../model/visible.ts';
import { type BodyContent, entryOf, renderLog } from './har-log.ts';

/** The longest body, in characters: browsers hold a whole HAR in memory. The ledger has whole bodies. */
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
    // What others sent was not planned: whoever reads the file must not take it for a run.
    ...(exchange.recorded === 'traffic' ? {} : { _stage: stage, _key: key }),
    _inFlight: inFlight,
    ...(variation === undefined ? {} : { _variation: variation }),
    ...(failure ? { _error: `${failure.kind}: ${failure.message}` } : {}),
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
