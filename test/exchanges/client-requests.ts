import type { Exchange, HeaderLine } from '../../src/model/exchange.ts';
import type { Finding } from '../../src/model/finding.ts';
import { type Json, stringifyJson } from '../../src/model/json.ts';
import { readRateLimit } from '../../src/model/limits/rate-limit.ts';
import { classify } from '../../src/traffic/classify.ts';
import type { ClientEnd, ClientRequest, ScenarioTraffic } from '../../src/traffic/client-check.ts';
import { clientChecks } from '../../suites/clients/index.ts';
import { exchange } from './exchange.ts';
import { contract } from './exchanges.ts';

const SERVERS = { baseUrl: 'http://a.example/v1', apiUrl: 'http://b.example' };

/** A request of a client, and what it got; by default a list with the key, answered with nothing. */
export interface SentByClient {
  /** Method and address, such as `GET http://a.example/v1/pets`. */
  call?: string;
  body?: Json;
  /** The Content-Type of the body; by default that of JSON. */
  mediaType?: string;
  headers?: readonly HeaderLine[];
  key?: Exchange['key'];
  keyPlaces?: readonly string[];
  isForeign?: boolean;
  /** Why its body was not read. */
  unreadBody?: string;
  status?: number;
  answer?: Json;
  /** When it was sent, in ms; by default each a minute after the one before. */
  at?: number;
  /** When the answer was sent. */
  answeredAt?: number;
  /** Seconds, or a date. */
  retryAfter?: string;
  inFlight?: number;
  /** By default each has its own. */
  connection?: number;
}

/** The requests of one scenario, numbered from `from` on. */
export function scenarioOf(
  sent: readonly SentByClient[],
  { end = { kind: 'ended', words: 'exit status 0' }, name = 'plain', from = 1 } = {} as {
    end?: ClientEnd;
    name?: string;
    from?: number;
  },
): ScenarioTraffic {
  return { scenario: name, end, requests: sent.map((each, index) => requestOf(each, from + index)) };
}

function requestOf(request: SentByClient, id: number): ClientRequest {
  const { call = 'GET http://a.example/v1/pets', headers = [], key = 'valid', status = 200 } = request;
  const [method = '', url = ''] = call.split(' ');
  const { at = 60_000 * id, answeredAt = at, retryAfter, inFlight = 1 } = request;
  const body = request.body === undefined ? '' : stringifyJson(request.body);
  const json: HeaderLine[] = body === '' ? [] : [['Content-Type', request.mediaType ?? 'application/json']];
  const sent = { method, url, headers: [...headers, ...json], body };
  const classified = classify(contract, SERVERS, sent);
  const received: HeaderLine[] = retryAfter === undefined ? [] : [['Retry-After', retryAfter]];
  return {
    exchange: exchange({
      ...{ id, method, url, key, inFlight, sentAt: at, receivedAt: answeredAt },
      operation: classified.operation?.id ?? 'unknown',
      requestHeaders: sent.headers,
      ...(body === '' ? {} : { requestBody: body }),
      // What another origin answers is not recorded.
      ...(request.isForeign
        ? {}
        : { response: { status, headers: received, body: stringifyJson(request.answer ?? []) } }),
      rate: readRateLimit(received, answeredAt),
    }),
    classified,
    connection: request.connection ?? id,
    isForeign: request.isForeign ?? false,
    credential: { in: 'header', name: 'Authorization', scheme: 'Bearer' },
    keyPlaces: request.keyPlaces ?? [],
    ...(request.unreadBody === undefined ? {} : { unreadBody: request.unreadBody }),
  };
}

/** What the bundled check of a requirement of clients finds in these scenarios. */
export function clientFinding(requirement: string, scenarios: readonly ScenarioTraffic[]): Finding {
  const check = clientChecks(contract).find((each) => each.requirement.id === `client.${requirement}`);
  if (!check) throw new Error(`no check of ${requirement}`);
  return check.judge({ contract, scenarios });
}
