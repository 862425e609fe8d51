import { Readable } from 'node:stream';
import type { Clock } from '../../model/clock.ts';
import { type Failure, headerValue, type Received } from '../../model/exchange.ts';
import { bytesOf } from '../../model/json/raw-bytes.ts';
import type { Outgoing } from '../../requests/request.ts';
import { MAX_BODY } from './bounds.ts';
import { connector, type Dial, inMemoryConnector, type Network } from './connect.ts';
import { ConnectionPool, type Slot } from './connection-pool.ts';
import { explainFailure, headProblem } from './explain-failure.ts';
import { RefusedResponse, unread } from './failures.ts';
import { decode, excerptOf, type Head, isStream, MAX_STREAM, STREAM_MS } from './read-response.ts';
import type { Arrival } from './response-head.ts';
import { limitTime, type TimeLimit } from './time-limit.ts';

export interface TransportResult {
  sentAt: number;
  receivedAt: number;
  response?: Received;
  failure?: Failure;
  /** How much of a response arrived before the failure. */
  arrival?: Arrival;
  /** It was sent twice, the second time on a fresh connection. */
  isRepeated?: true;
}

export interface TransportOptions {
  clock: Clock;
  /** ms for one request, from sending to the last byte. */
  timeout: number;
  /** ms since the epoch: requests in flight are given up then. */
  until?: number;
  /** The bytes of a body that are kept; called for each response. */
  room?: () => number;
  network?: Network | undefined;
  /** Opens connections in memory, in place of the network. */
  dial?: Dial | undefined;
  signal?: AbortSignal | undefined;
}

/** After a service closed this many connections on reuse, none is reused. */
const MAX_CLOSINGS = 2;

const NOT_REPEATED: Failure = {
  kind: 'interrupted',
  phase: 'headers',
  message:
    'the connection was closed while the request was on its way, and petspec sends no more than it announced',
};

const OUT_OF_TIME: Omit<Failure, 'phase'> = { kind: 'interrupted', message: 'the time of the run was up' };

/** A response that is being read. */
interface ResponseReading {
  head?: Head;
  /** Bytes of its body that are kept. */
  maxBody: number;
  /** The response is a stream, and only its beginning was read. */
  isCut?: boolean;
  /** Ends waiting for the rest of a stream. */
  cancel?: () => void;
}

/**
 * Sends requests over undici, without redirects. Each request is bounded in time by `clock`, and in size. `send`
 * never throws because of what a target does.
 *
 * A server may close an idle connection at any time (RFC 9112 section 9.5), even while the next request is on its way.
 * A GET on a reused connection that is closed before the first byte of a response, or with a 408, is sent once more, on a
 * fresh connection (RFC 9110 section 9.2.2). If that happens repeatedly, petspec reuses no more connections. Every other
 * method goes out on a fresh connection, and is never sent twice.
 */
export class Transport {
  readonly #options: TransportOptions;
  readonly #pool: ConnectionPool;
  #closings = 0;

  constructor(options: TransportOptions) {
    this.#options = options;
    const { dial, network = {}, timeout } = options;
    this.#pool = new ConnectionPool(dial ? inMemoryConnector(dial) : connector(network, timeout));
  }

  /**
   * @param mayRepeat called before a request is sent a second time
   * @param holder keeps the connection for its next request, until it is released
   */
  async send(outgoing: Outgoing, mayRepeat = () => true, holder?: object): Promise<TransportResult> {
    const slot = this.#pool.acquire(outgoing.url.origin, holder);
    const isGet = outgoing.method === 'GET';
    try {
      // Not awaited: a 429 that arrives meanwhile could no longer stop this request.
      if ((!isGet || this.#closings >= MAX_CLOSINGS) && slot.served > 0) void this.#pool.renew(slot);
      const isReused = slot.served > 0;
      const result = await this.#sendOver(slot, outgoing);
      if (!isGet || !isReused || !isClosedEarly(result)) return result;
      this.#closings += 1;
      const { response: _, ...unanswered } = result;
      if (!mayRepeat()) return { ...unanswered, failure: NOT_REPEATED };
      await this.#pool.renew(slot);
      return { ...(await this.#sendOver(slot, outgoing)), isRepeated: true };
    } finally {
      slot.isBusy = false;
    }
  }

  /** Ends the reservation of connections for this holder. */
  release(holder: object): void {
    this.#pool.release(holder);
  }

  /** Replaces idle connections, in case a service counts requests by connection. */
  renew(): Promise<void> {
    return this.#pool.renewIdle();
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  async #sendOver(slot: Slot, outgoing: Outgoing): Promise<TransportResult> {
    const { clock, timeout, until = Number.POSITIVE_INFINITY, signal } = this.#options;
    const settle = clock.hold();
    const allowed = Math.max(0, Math.min(timeout, until - clock.now()));
    const time = limitTime(clock, allowed, signal);
    const sentAt = clock.now();
    const reading: ResponseReading = { maxBody: MAX_BODY };
    slot.connection.watch()?.expect();
    try {
      const response = await this.#receive(slot, outgoing, { ...time, allowed }, reading);
      slot.served += 1;
      // The rest of a stream is still on its way.
      if (reading.isCut) void this.#pool.renew(slot);
      time.release();
      settle('answered');
      return { sentAt, receivedAt: clock.now(), response };
    } catch (error) {
      time.release();
      settle(time.isTimedOut() ? 'abandoned' : 'answered');
      return this.#failed(slot, error, { sentAt, isTimedOut: time.isTimedOut(), allowed, reading });
    } finally {
      reading.cancel?.();
    }
  }

  /** Sends a request and reads its response to the end. @throws why the response is not complete */
  async #receive(
    { connection }: Slot,
    { method, url, headers, body }: Outgoing,
    { aborted, allowed }: Pick<TimeLimit, 'aborted'> & { allowed: number },
    reading: ResponseReading,
  ): Promise<Received> {
    const { clock, room } = this.#options;
    const isChunked = headerValue(headers, 'transfer-encoding') === 'chunked';
    const request = {
      path: url.pathname + url.search,
      method: method as 'GET',
      // undici writes this header itself, for a body without a length.
      headers: headers.filter(([name]) => !isChunked || name.toLowerCase() !== 'transfer-encoding').flat(),
      ...(body === undefined ? {} : { body: isChunked ? chunksOf(body) : bytesOf(body) }),
    };
    const received = connection.request(request, (head, stop) => {
      // The parser accepts some heads that are not HTTP.
      const wrong = headProblem(connection);
      if (wrong !== undefined) throw new RefusedResponse('NO_HTTP', wrong);
      reading.head = head;
      reading.maxBody = room?.() ?? MAX_BODY;
      if (isStream(head)) {
        reading.cancel = clock.timer(Math.min(STREAM_MS, allowed / 2), stop);
        const onCut = () => {
          reading.isCut = true;
        };
        return { excerpt: Math.min(reading.maxBody, MAX_STREAM), onCut };
      }
      if (Number(headerValue(head.headers, 'content-length')) > reading.maxBody)
        throw new RefusedResponse('TOO_LARGE');
      return reading.maxBody;
    });
    received.catch(() => {});
    const bytes = await Promise.race([received, aborted]);
    if (reading.isCut) return excerptOf(reading.head as Head, bytes);
    if (connection.watch()?.isSurplus) throw new RefusedResponse('SURPLUS');
    const { status, headers: lines } = reading.head as Head;
    return decode(status, lines, bytes, reading.maxBody);
  }

  /** Explains a failure, and gives the slot a fresh connection. */
  #failed(
    slot: Slot,
    error: unknown,
    request: { sentAt: number; isTimedOut: boolean; allowed: number; reading: ResponseReading },
  ): TransportResult {
    const { clock, timeout, signal } = this.#options;
    const { sentAt, isTimedOut, allowed, reading } = request;
    const { connection } = slot;
    const arrival = connection.watch()?.arrival ?? 'nothing';
    const isInterrupted = signal?.aborted ?? false;
    const { kind, message } =
      isTimedOut && allowed < timeout
        ? OUT_OF_TIME
        : explainFailure(error, { connection, isTimedOut, isInterrupted, timeout });
    const phase = reading.head || (arrival === 'body' && kind !== 'not-http') ? 'body' : 'headers';
    this.#pool.reopen(slot);
    void connection.destroy().catch(() => {});
    const receivedAt = clock.now();
    if (kind === 'too-large' && reading.head)
      return { sentAt, receivedAt, response: unread(reading.head, reading.maxBody) };
    return { sentAt, receivedAt, failure: { kind, phase, message }, arrival };
  }
}

/** A body in two chunks. If a character has several bytes, the first chunk ends within it. */
function chunksOf(body: string): Readable {
  const bytes = bytesOf(body);
  const middle = bytes.findIndex((byte) => byte > 0x7f) + 1 || Math.floor(bytes.length / 2);
  return Readable.from([bytes.subarray(0, middle), bytes.subarray(middle)], { objectMode: false });
}

/**
 * Whether a connection ended before the first byte of a response, or the server closed it as idle while the request was on its
 * way, and says so (RFC 9110 section 15.5.9).
 */
function isClosedEarly({ failure, arrival, response }: TransportResult): boolean {
  if (response?.status === 408) return /\bclose\b/i.test(headerValue(response.headers, 'connection') ?? '');
  return arrival === 'nothing' && (failure?.kind === 'closed' || failure?.kind === 'reset');
}
