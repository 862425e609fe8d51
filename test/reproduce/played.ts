import { VirtualClock } from '../../src/model/clock.ts';
import type { Exchange, HeaderLine } from '../../src/model/exchange.ts';
import { readRateLimit } from '../../src/model/limits/rate-limit.ts';
import {
  isJoined,
  type OwnValue,
  partsOf,
  type RepeatedRequest,
  type Reproduction,
  type TakenValue,
} from '../../src/model/report/reproduction.ts';
import { type Change, startInProcess } from '../../src/reference/index.ts';
import { Transport } from '../../src/session/http/transport.ts';

/** Where the requests of a reproduction went, and where they go now. */
export interface Addresses {
  baseUrl: string;
  apiUrl: string | null;
}

/** What is played against which reference. */
export interface Service {
  key: string;
  changes: readonly Change[];
  start: number;
}

/** Sends the requests of a reproduction to a reference of its own, in virtual time: the exchanges of their probes. */
export async function play(
  reproduction: Reproduction,
  named: Addresses,
  { key, changes, start }: Service,
): Promise<{ exchanges: readonly Exchange[]; baseUrl: string }> {
  const clock = new VirtualClock(start);
  const reference = await startInProcess({ clock, apiKey: key, changes });
  const { dial } = reference;
  const transport = new Transport({ clock, timeout: 10_000, ...(dial ? { dial } : {}) });
  const values = new Map([
    ['PETSPEC_API_KEY', key],
    ...reproduction.own.map((each) => [each.name, madeFor(each)] as const),
  ]);
  const exchanges: Exchange[] = [];
  const send = async (request: RepeatedRequest, before?: RepeatedRequest) => {
    const { method } = request;
    const headers = request.requestHeaders
      .filter(([name]) => !['host', 'content-length', 'connection'].includes(name.toLowerCase()))
      .map(([name, value]): HeaderLine => [name, withKey(filled(value, values), key)]);
    // Every command has a connection of its own.
    if (!isJoined(request, before)) await transport.renew();
    const url = new URL(moved(filled(request.url, values), named, reference));
    const body = request.requestBody === undefined ? {} : { body: filled(request.requestBody, values) };
    const { arrival: _, ...answer } = await transport.send({ method, url, headers, ...body });
    exchanges.push(exchangeOf(request, { id: exchanges.length + 1, url: url.href, ...body }, answer));
    const value = request.gives && answer.response && givenIn(request.gives, answer.response);
    if (request.gives && value !== undefined) values.set(request.gives.name, value);
    return answer.response;
  };
  try {
    const first = before(reproduction);
    for (const [index, request] of first.entries()) await send(request, first[index - 1]);
    if ('repeated' in reproduction) {
      let refused: Awaited<ReturnType<typeof send>>;
      for (let n = 0; n < reproduction.times && !refused; n += 1) {
        const request = reproduction.repeated[n % reproduction.repeated.length] as RepeatedRequest;
        const response = await send(request);
        if (response?.status === 429) refused = response;
      }
      const [last] = reproduction.repeated;
      if (reproduction.shape === 'after-wait' && refused && last) {
        const { retryAfter = 0 } = readRateLimit(refused.headers, clock.now());
        await clock.sleep((retryAfter + 1) * 1000);
        await send(last);
      }
    }
    return { exchanges, baseUrl: reference.baseUrl };
  } finally {
    await transport.close();
    await reference.close();
  }
}

function before(reproduction: Reproduction): readonly RepeatedRequest[] {
  if (reproduction.shape === 'one') return [reproduction.request];
  return reproduction.shape === 'in-turn' ? reproduction.requests : reproduction.before;
}

const MADE: Readonly<Record<OwnValue['as'], () => string>> = {
  any: () => String(Math.floor(Math.random() * 1e6)),
  digits: () => String(10_000_000 + Math.floor(Math.random() * 89_999_999)),
  number: () => `1${Math.floor(Math.random() * 1e8)}`,
};
const madeFor = ({ as }: OwnValue) => MADE[as]();

function filled(text: string, values: ReadonlyMap<string, string>): string {
  const parts = partsOf(text);
  return parts.map((part, index) => (index % 2 === 0 ? part : (values.get(part) ?? ''))).join('');
}

/** A header with the key in place of what a shell would put there. */
function withKey(text: string, key: string): string {
  const other = (letter: string) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
  return text
    .replace('$(printf %s "$PETSPEC_API_KEY" | tr A-Za-z a-zA-Z)', () => [...key].map(other).join(''))
    .replace(`$\{PETSPEC_API_KEY%?}`, () => key.slice(0, -1))
    .replace(/\$\{PETSPEC_API_KEY\}|\$PETSPEC_API_KEY/, () => key);
}

function givenIn(
  given: TakenValue,
  { headers, body }: NonNullable<Exchange['response']>,
): string | undefined {
  if ('header' in given)
    return headers.find(([name]) => name.toLowerCase() === given.header.toLowerCase())?.[1];
  return new RegExp(`"${given.field}" *: *"?([-\\w]+)`).exec(body)?.[1];
}

/** A URL at other addresses. One replacement alone: a port of this reference may be one that the other had. */
function moved(url: string, from: Addresses, to: Addresses): string {
  const originOf = (address: string) => new URL(address).origin;
  const isBase = originOf(url) === originOf(from.baseUrl);
  return url.replace(originOf(url), originOf((isBase ? to.baseUrl : to.apiUrl) ?? ''));
}

function exchangeOf(
  request: RepeatedRequest,
  sent: { id: number; url: string; body?: string },
  answer: Pick<Exchange, 'sentAt' | 'receivedAt' | 'response' | 'failure'>,
): Exchange {
  const { probe, operation, address, stage, key, variation, variations, method, requestHeaders } = request;
  return {
    id: sent.id,
    ...{ probe, operation, address, stage, key, method, requestHeaders },
    url: sent.url,
    ...(variation ? { variation } : {}),
    ...(variations ? { variations } : {}),
    ...(sent.body === undefined ? {} : { requestBody: sent.body }),
    inFlight: 1,
    ...answer,
    rate: answer.response ? readRateLimit(answer.response.headers, answer.receivedAt) : {},
  };
}
