import type { Clock } from '../../model/clock.ts';
import { type Failure, type HeaderLine, headerValue, type Received } from '../../model/exchange.ts';
import { MAX_BODY } from './bounds.ts';
import { type Connection, connector, type Network } from './connect.ts';
import { decode } from './decode.ts';
import { classify, NoHttp, SpeaksTls, Surplus, TooLarge, unread } from './failures.ts';
import { linesOf } from './header-lines.ts';
import { ProxyProblem } from './proxy.ts';
import { readBody } from './read-body.ts';
import type { HeadWatch, Progress } from './response-head.ts';
import { isTls, wrongWithHead } from './wrong-head.ts';

export interface Outgoing {
  method: string;
  url: URL;
  headers: readonly HeaderLine[];
  body?: string;
}

export interface Answer {
  sentAt: number;
  receivedAt: number;
  response?: Received;
  failure?: Failure;
  /** How much of an answer came, where it failed. */
  came?: Progress;
  /** It was sent once more, on a fresh connection. */
  isRepeated?: true;
}

/** What came instead of a complete response. */
const CAME: Readonly<Record<Progress, string>> = {
  nothing: 'nothing came',
  interim: 'interim responses (1xx) alone came',
  head: 'its headers do not end',
  body: 'its body does not end',
};

/** So many connections that were closed on reuse show that this service wants none reused. */
const MAX_CLOSINGS = 2;

const NOT_REPEATED =
  'the connection was closed as the request was on its way, and petspec sends no more than it announced';

const OUT_OF_TIME: Omit<Failure, 'phase'> = { kind: 'interrupted', message: 'the time of the run was up' };

/** Sends requests and takes whatever comes back; nothing that a target does makes it throw. */
export interface Transport {
  /** @param mayRepeat asked before a request is sent once more */
  send(outgoing: Outgoing, mayRepeat?: () => boolean): Promise<Answer>;
  /** Ends the connections that are idle: what counts requests by connection starts anew. */
  renew(): Promise<void>;
  close(): Promise<void>;
}

/** One connection at a time to one origin. */
interface Lane {
  client: Connection;
  isBusy: boolean;
  /** Requests that the present connection has answered: its next one may meet it while the server closes it. */
  served: number;
}

/**
 * A transport over undici: no redirects, each request bounded in time by `clock` and in size.
 *
 * A server may close an idle connection at any time (RFC 9112 section 9.5), also while the next request is on its
 * way: a GET that meets this on a used connection, before a byte of an answer came, is sent once more on a fresh one
 * (RFC 9110 section 9.2.2), and connections are not used again where that happens more than once; anything else goes out on a fresh connection in the first place, and is never sent twice.
 *
 * @param options.timeout ms for one request, from sending to the last byte
 * @param options.until ms since the epoch, when whatever is under way is given up
 * @param options.room bytes of a body that are kept, asked for each response
 */
export function openTransport(options: {
  clock: Clock;
  timeout: number;
  until?: number;
  room?: () => number;
  network?: Network;
  signal?: AbortSignal;
}): Transport {
  const {
    clock,
    timeout,
    until = Number.POSITIVE_INFINITY,
    room = () => MAX_BODY,
    network = {},
    signal,
  } = options;
  const connect = connector(network, timeout);
  const lanes = new Map<string, Lane[]>();
  let closings = 0;

  function laneTo(origin: string): Lane {
    const all = lanes.get(origin) ?? [];
    const free = all.find(({ isBusy }) => !isBusy);
    if (free) return free;
    const lane: Lane = { client: connect(origin), isBusy: false, served: 0 };
    lanes.set(origin, [...all, lane]);
    return lane;
  }

  async function renewLane(lane: Lane, origin: string): Promise<void> {
    // It is idle: nothing is cut off.
    await lane.client.close().catch(() => {});
    reopen(lane, origin);
  }

  /** Gives a lane a connection of its own again; the old one is the caller's to end. */
  function reopen(lane: Lane, origin: string): void {
    lane.client = connect(origin);
    lane.served = 0;
  }

  async function send(outgoing: Outgoing, mayRepeat = () => true): Promise<Answer> {
    const { origin } = outgoing.url;
    const lane = laneTo(origin);
    lane.isBusy = true;
    try {
      const isFresh = outgoing.method !== 'GET' || closings >= MAX_CLOSINGS;
      if (isFresh && lane.served > 0) await renewLane(lane, origin);
      const isReused = lane.served > 0;
      const answer = await sendOn(lane, outgoing);
      if (!isReused || !isClosedEarly(answer) || outgoing.method !== 'GET') return answer;
      closings += 1;
      if (!mayRepeat())
        return { ...answer, failure: { kind: 'interrupted', phase: 'headers', message: NOT_REPEATED } };
      await renewLane(lane, origin);
      return { ...(await sendOn(lane, outgoing)), isRepeated: true };
    } finally {
      lane.isBusy = false;
    }
  }

  async function sendOn(lane: Lane, { url, method, headers, body }: Outgoing): Promise<Answer> {
    const release = clock.hold();
    const over = new AbortController();
    const abort = new AbortController();
    const interrupt = () => abort.abort();
    signal?.addEventListener('abort', interrupt);
    if (signal?.aborted) interrupt();
    let timedOut = false;
    const allowed = Math.max(0, Math.min(timeout, until - clock.now()));
    void clock.sleep(allowed, over.signal).then(() => {
      if (over.signal.aborted) return;
      timedOut = true;
      abort.abort();
    });
    const sentAt = clock.now();
    lane.client.watch()?.expect();
    // undici heeds a signal only once there is a connection.
    const aborted = new Promise<never>((_, reject) => {
      abort.signal.addEventListener('abort', () => reject(abort.signal.reason));
    });
    aborted.catch(() => {});
    let head: { status: number; headers: HeaderLine[] } | undefined;
    let max = MAX_BODY;
    let outcome: 'answered' | 'abandoned' = 'answered';
    try {
      const request = lane.client.request({
        path: url.pathname + url.search,
        method: method as 'GET',
        headers: headers.flat(),
        ...(body === undefined ? {} : { body }),
        signal: abort.signal,
        responseHeaders: 'raw',
      });
      request.catch(() => {});
      const reply = await Promise.race([request, aborted]);
      const lines = linesOf(reply.headers);
      // The parser is lenient here and there.
      const wrong = wrongIn(lane.client.watch());
      if (wrong !== undefined) throw new NoHttp(wrong);
      head = { status: reply.statusCode, headers: lines };
      max = room();
      if (Number(headerValue(lines, 'content-length')) > max) throw new TooLarge();
      const bytes = await Promise.race([readBody(reply.body, max), aborted]);
      if (lane.client.watch()?.isSurplus()) throw new Surplus();
      lane.served += 1;
      over.abort(null);
      release(outcome);
      const response = decode(head.status, lines, bytes, max);
      return { sentAt, receivedAt: clock.now(), response };
    } catch (error) {
      if (timedOut) outcome = 'abandoned';
      over.abort(null);
      release(outcome);
      const { client } = lane;
      const came = client.watch()?.progress() ?? 'nothing';
      const { kind, message } =
        timedOut && allowed < timeout ? OUT_OF_TIME : failureOf(error, timedOut, client);
      const phase = head || (came === 'body' && kind !== 'not-http') ? 'body' : 'headers';
      reopen(lane, url.origin);
      void client.destroy().catch(() => {});
      if (kind === 'too-large' && head)
        return { sentAt, receivedAt: clock.now(), response: unread(head, max) };
      return { sentAt, receivedAt: clock.now(), failure: { kind, phase, message }, came };
    } finally {
      signal?.removeEventListener('abort', interrupt);
    }
  }

  function failureOf(error: unknown, timedOut: boolean, client: Connection): Omit<Failure, 'phase'> {
    const isReached = client.isReached();
    const watch = client.watch();
    if (timedOut && isReached) {
      const came = CAME[watch?.progress() ?? 'nothing'];
      return { kind: 'timeout', message: `no complete response within ${timeout} ms: ${came}` };
    }
    const way = client.proxy === undefined ? '' : ` through the proxy ${client.proxy}`;
    if (timedOut)
      return { kind: 'unreachable', message: `no connection could be made within ${timeout} ms${way}` };
    if (signal?.aborted) return { kind: 'interrupted', message: 'the run was interrupted' };
    if (error instanceof ProxyProblem) return { kind: 'unreachable', message: error.message };
    if (isTls(watch?.head() ?? '')) return classify(new SpeaksTls());
    // The parser gives up at the first thing that it does not expect, and does not always say what it was.
    const wrong = wrongIn(watch);
    const failure = classify(wrong === undefined ? error : new NoHttp(wrong));
    if (isReached || ['refused', 'tls', 'unreachable'].includes(failure.kind)) return failure;
    // Whatever keeps a connection from being made is no answer of the service.
    return { kind: 'unreachable', message: `no connection could be made${way}: ${failure.message}` };
  }

  return {
    send,
    async renew() {
      const all = [...lanes].flatMap(([origin, each]) =>
        each.filter(({ isBusy }) => !isBusy).map((lane) => ({ origin, lane })),
      );
      await Promise.all(all.map(({ origin, lane }) => renewLane(lane, origin)));
    },
    async close() {
      const all = [...lanes.values()].flat();
      await Promise.all(all.map(({ client }) => client.destroy().catch(() => {})));
    },
  };
}

function wrongIn(watch: HeadWatch | undefined): string | undefined {
  const head = watch?.head();
  return head === undefined ? undefined : wrongWithHead(head);
}

/** Whether a connection ended before anything of a response had come. */
function isClosedEarly({ failure, came }: Answer): boolean {
  return came === 'nothing' && (failure?.kind === 'closed' || failure?.kind === 'reset');
}
