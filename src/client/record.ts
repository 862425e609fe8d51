import type { IncomingMessage } from 'node:http';
import type { Clock } from '../model/clock.ts';
import type { Contract, Credential, Operation } from '../model/contract.ts';
import type { Exchange, HeaderLine } from '../model/exchange.ts';
import { BEARER, credentialOf, credentialsOf, valuesAt } from '../model/http/credential.ts';
import { readRateLimit } from '../model/limits/rate-limit.ts';
import type { KeyKind } from '../model/probe.ts';
import { bodyText } from '../reference/http/answer.ts';
import type { Change } from '../reference/index.ts';
import type { Redact } from '../secrets/redact.ts';
import { attempt, Bugs } from '../traffic/bugs.ts';
import { classify, type IncomingRequest, type RequestProblem } from '../traffic/classify.ts';
import type { ClientRequest, ScenarioTraffic } from '../traffic/client-check.ts';
import type { Servers } from '../traffic/match-operation.ts';
import { type Arrived, bytesOf, sentBody, withoutBodies } from './arrived.ts';
import { type SecretHider, secretHider } from './hide-secrets.ts';

/** The settings for classifying and judging the requests of a scenario. */
export interface RecordSettings {
  contract: Contract;
  scenario: string;
  servers: Servers;
  apiKey: string;
  /** Called for each secret of the client's own that it sent. */
  onSecret: (secret: string) => void;
}

/** Records the requests of one scenario. */
export interface Recorder {
  /** Records requests to the reference. It is the last change, so it sees each answer before another compresses it. */
  change: Change;
  /** Records requests to another origin. */
  onForeign: (origin: string, request: IncomingMessage) => void;
  /** The requests, without secrets, and those that are not judged because of a bug of petspec. */
  requests: (recorded: RecordSettings) => Pick<ScenarioTraffic, 'requests' | 'unjudged'>;
}

/** The most requests that are recorded of a scenario. A client that respects the limit of Free needs over an hour for them. */
export const MOST_REQUESTS = 5_000;

/** Bytes of requests and responses that are recorded of a scenario. Requests after them are kept without bodies. */
const MOST_BYTES_KEPT = 64 * 1024 * 1024;

/** Starts to record. @param onFull called for each request that is too many to be recorded */
export function recorder(clock: Clock, onFull: () => void): Recorder {
  const arrived: Arrived[] = [];
  let bytes = 0;
  const record = (entry: Arrived) => {
    if (arrived.length >= MOST_REQUESTS) return onFull();
    bytes += bytesOf(entry);
    arrived.push(bytes > MOST_BYTES_KEPT ? withoutBodies(entry) : entry);
  };
  return {
    change: {
      wire: async (answer, call, { outgoing }, next) => {
        const { rawHeaders, socket } = outgoing.req;
        const bytesBefore = socket.bytesWritten;
        const headers = linesOf(rawHeaders);
        const entry: Arrived = {
          address: call.listener === 'messages' ? 'apiUrl' : 'baseUrl',
          target: call.target,
          method: call.method,
          headers,
          body: sentBody(call, headers),
          connection: call.connection,
          at: call.log[call.number - 1]?.at ?? call.now,
          // Before it is sent: no client can have it earlier.
          answeredAt: clock.now(),
          response: { status: answer.status, headers: answer.headers, body: bodyText(answer) },
          wasSent: () => socket.bytesWritten > bytesBefore,
        };
        record(entry);
        await next(answer);
      },
    },
    onForeign: (origin, { url = '/', method = '', rawHeaders }) => {
      const now = clock.now();
      // A client may send anything as its target, such as `http://[`.
      const target = URL.canParse(url, origin) ? new URL(url, origin).href : origin;
      record({
        target,
        method,
        headers: linesOf(rawHeaders),
        body: { text: '' },
        connection: 0,
        at: now,
        answeredAt: now,
        wasSent: () => true,
      });
    },
    requests: (recorded) => {
      const inOrder = arrived.toSorted((left, right) => left.at - right.at);
      const inFlight = inFlightOf(inOrder);
      const hider = secretHider(recorded.contract, recorded.apiKey, recorded.onSecret);
      const bugs = new Bugs();
      const requests = inOrder.flatMap((arrival, index) => {
        const read = attempt(() => requestOf(arrival, inFlight[index] ?? 1, hider, recorded));
        if ('value' in read) return [read.value];
        bugs.note(read.error, 1);
        return [];
      });
      return { requests, unjudged: bugs.count > 0 ? { count: bugs.count, bug: bugs.first } : undefined };
    },
  };
}

function linesOf(raw: readonly string[]): HeaderLine[] {
  return raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1] ?? ''] as const] : []));
}

/** How many requests were in flight when each request arrived, itself included. @param inOrder in the order of arrival */
function inFlightOf(inOrder: readonly Arrived[]): number[] {
  let open: Arrived[] = [];
  return inOrder.map((arrival) => {
    open = [...open.filter(({ answeredAt }) => answeredAt > arrival.at), arrival];
    return open.length;
  });
}

function requestOf(
  arrival: Arrived,
  inFlight: number,
  hider: SecretHider,
  { contract, scenario, servers, apiKey }: RecordSettings,
): ClientRequest {
  const { text, unread } = arrival.body;
  const response = arrival.wasSent() ? arrival.response : undefined;
  const base = arrival.address && servers[arrival.address];
  const url = URL.canParse(arrival.target, base)
    ? new URL(arrival.target, base).href
    : (base ?? arrival.target);
  const classified = classify(contract, servers, judgedOf(arrival, url, hider));
  const credential = credentialFor(classified.operation, contract, url, arrival.headers);
  const bodies = {
    requestBody: unread === undefined && text !== '' ? text : undefined,
    response,
  };
  const hiding = hider.all({ url, headers: arrival.headers, ...bodies });
  const exchange: Exchange = {
    id: 1,
    probe: scenario,
    operation: classified.operation?.id ?? 'unknown',
    address: arrival.address ?? 'baseUrl',
    stage: 'other',
    key: keyKindOf(valuesAt(credential, url, arrival.headers), credential, apiKey),
    method: arrival.method,
    url: hiding.url,
    requestHeaders: hiding.headers,
    requestBody: hiding.requestBody,
    sentAt: arrival.at,
    receivedAt: arrival.answeredAt,
    inFlight,
    response: hiding.response,
    rate: response ? readRateLimit(response.headers, arrival.answeredAt) : {},
  };
  return {
    exchange,
    classified: {
      ...classified,
      problems: classified.problems.map((problem) => shown(problem, hiding.text)),
    },
    connection: arrival.connection,
    isForeign: arrival.address === undefined,
    credential,
    // If the interface wants several keys, this key is each of them.
    keyPlaces: classified.operation?.furtherCredentials ? [] : keyPlaces(arrival, url, apiKey, credential),
    unreadBody: unread === undefined ? undefined : hiding.text(unread),
  };
}

/** A request for judging, in which only the given key is hidden: a replaced secret could violate the interface. */
function judgedOf({ method, headers, body }: Arrived, url: string, { key }: SecretHider): IncomingRequest {
  const { text, unread, undecodable } = body;
  return {
    method,
    url: key(url),
    headers: headers.map(([name, value]) => [key(name), key(value)] as const),
    ...(unread === undefined ? { body: key(text) } : {}),
    undecodable,
  };
}

function shown(problem: RequestProblem, hide: Redact): RequestProblem {
  const { reason, received } = problem;
  return { ...problem, reason: hide(reason), received: hide(received) };
}

/** Where the key of a request belongs. A request that needs no key may have it where other operations take it. */
function credentialFor(
  operation: Operation | undefined,
  contract: Contract,
  url: string,
  headers: readonly HeaderLine[],
): Credential {
  const credential = operation && credentialOf(operation);
  if (credential) return credential;
  const credentials = credentialsOf(contract);
  return (
    credentials.find((candidate) => valuesAt(candidate, url, headers).length > 0) ?? credentials[0] ?? BEARER
  );
}

/** The kind of the key in its place. The scheme is case-insensitive (RFC 9110 section 11.1). */
function keyKindOf(
  [value, ...furtherValues]: readonly string[],
  { scheme }: Credential,
  key: string,
): KeyKind {
  if (value === undefined) return 'absent';
  if (furtherValues.length > 0) return 'unknown';
  if (scheme === undefined) return value === '' ? 'empty' : value === key ? 'valid' : 'unknown';
  if (value === key) return 'bare';
  const [, stated = '', credentials = ''] = /^(\S+) *(.*)$/.exec(value) ?? [];
  if (stated.toLowerCase() !== scheme.toLowerCase()) return 'scheme';
  if (credentials === '') return 'empty';
  const right = scheme === 'Basic' ? Buffer.from(key).toString('base64') : key;
  return credentials === right ? 'valid' : 'unknown';
}

/** The places of the key in a request, besides the place that the interface states. */
function keyPlaces(
  { headers, body: { text } }: { headers: readonly HeaderLine[]; body: { text: string } },
  url: string,
  key: string,
  { in: place, name: parameter }: Credential,
): string[] {
  const header = place === 'cookie' ? 'cookie' : parameter.toLowerCase();
  const otherHeaders = headers.filter(
    ([name, value]) => (place === 'query' || name.toLowerCase() !== header) && value.includes(key),
  );
  return [
    ...(place !== 'query' && url.includes(key) ? ['URL'] : []),
    ...otherHeaders.map(([name]) => name),
    ...(text.includes(key) ? ['body'] : []),
  ];
}
