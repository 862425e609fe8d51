import { isObject } from '../../contract/schema.ts';
import {
  ageIn,
  type Exchange,
  type Failure,
  type HeaderLine,
  headerValue,
  type Received,
  type Variation,
} from '../../model/exchange.ts';
import { type KeyKind, STAGES, type Stage } from '../../model/probe.ts';
import { ledgerLineProblem } from '../../model/report/report-schema.ts';
import { isLight, withinWeight } from '../../session/terms/memory-limit.ts';
import {
  httpUrlOf,
  isTime,
  KEY_FORMS,
  type OwnRecord,
  type ReadEntry,
  type Recorded,
  type SentKey,
} from '../recorded.ts';
import { requestBodyOf, responseBodyOf } from './har-body.ts';

/** Reads an entry of HAR 1.2, as browsers, proxies and petspec write it. Pure, and total for any value. */
export function readHarEntry(entry: unknown): ReadEntry {
  if (!isObject(entry) || !isObject(entry.request)) return { omitted: 'unreadable' };
  const { request, response, startedDateTime, time } = entry;
  const sentAt = typeof startedDateTime === 'string' ? Date.parse(startedDateTime) : Number.NaN;
  const { method, url: written } = request;
  if (
    Number.isNaN(sentAt) ||
    typeof method !== 'string' ||
    typeof written !== 'string' ||
    !URL.canParse(written)
  )
    return { omitted: 'unreadable' };
  const url = httpUrlOf(written);
  if (url === undefined) return { omitted: 'other-server' };
  const own = ownOf(entry);
  const exact = own && typeof entry._sentAt === 'number' ? entry._sentAt : sentAt;
  const isTimed = typeof time === 'number' && time > 0;
  const receivedAt = exact + (isTimed ? time : 0);
  if (![exact, receivedAt].every(isTime)) return { omitted: 'unreadable' };
  const answer = responseOf(response, own !== undefined);
  const failure = own ? failureOf(entry._error, answer) : undefined;
  if (!answer && !failure) return { omitted: 'aborted' };
  if (answer && isCached(entry, answer)) return { omitted: 'cached' };
  const requestHeaders = headersOf(request.headers);
  const requestBody = requestBodyOf({ ...request, headers: requestHeaders }, own !== undefined);
  const variation = own ? textOf(entry._variation) : '';
  const recorded: Recorded = {
    method: method.toUpperCase(),
    url,
    requestHeaders,
    requestBody,
    sentAt: exact,
    receivedAt,
    isTimed: isTimed || own !== undefined,
    response: answer,
    failure,
    own,
    variation: variation === '' ? undefined : (variation as Variation),
    entry: typeof entry._entry === 'number' ? entry._entry : undefined,
    sentKey: sentKeyOf(entry._sentKey),
    isHeadComplete: entry._isHeadComplete === true ? true : undefined,
  };
  return { recorded };
}

/** Pseudo-headers of HTTP/2 begin with a colon. Browsers join repeated lines with a line feed. */
function headersOf(headers: unknown): HeaderLine[] {
  if (!Array.isArray(headers)) return [];
  return headers.flatMap((header) =>
    isObject(header) && typeof header.name === 'string' && !header.name.startsWith(':')
      ? headerText(header.value)
          .split('\n')
          .map((value) => [header.name as string, value] as const)
      : [],
  );
}

/** Some recorders write numbers as such. */
function headerText(value: unknown): string {
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : textOf(value);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function responseOf(response: unknown, isOwn: boolean): Received | undefined {
  if (!isObject(response)) return undefined;
  const { status } = response;
  // Any three digits are a status: a run and the proxy judge them.
  if (typeof status !== 'number' || !Number.isInteger(status) || status < 100 || status > 999)
    return undefined;
  const headers = headersOf(response.headers);
  return { status, headers, ...responseBodyOf({ ...response, status, headers }, isOwn) };
}

/** Headers by which caches report a hit: the field of RFC 9211, or their own, such as `TCP_HIT`. */
const HIT_HEADERS = ['Cache-Status', 'X-Cache', 'X-Cache-Status', 'CF-Cache-Status'];

/** The source of a response from a server in Safari, which otherwise names the cache or a service worker. */
const FROM_NETWORK = 'Network Load';

/** Whether a response came from the cache of a browser, a worker or a proxy. */
export function isCached(entry: Readonly<Record<string, unknown>>, { status, headers }: Received): boolean {
  const isNamed = ['_fromCache', '_fetchedViaServiceWorker', '_servedFromCache'].some((name) =>
    Boolean(entry[name]),
  );
  const isHit = HIT_HEADERS.some((name) => /(?:\b|_)hit\b/i.test(headerValue(headers, name) ?? ''));
  const { cache, _fetchType: source = FROM_NETWORK } = entry;
  const isStored = isObject(cache) && isObject(cache.beforeRequest) && status === 304;
  const isAged = Number(ageIn(headers)) > 0;
  return isNamed || source !== FROM_NETWORK || isStored || status === 304 || isHit || isAged;
}

/** The fields that petspec adds to its own HAR. */
function ownOf({ _id, _key, _stage, _inFlight, _operation }: Record<string, unknown>): OwnRecord | undefined {
  return ownRecord({ id: _id, key: _key, stage: _stage, inFlight: _inFlight, operation: _operation });
}

const KEY_KINDS: readonly KeyKind[] = [
  ...(['valid', 'second', 'absent', 'empty', 'unknown', 'scheme'] as const),
  ...(['longer', 'shorter', 'case', 'followed', 'bare'] as const),
];

/** Reads what a run recorded about a request; undefined if a value is not one that a run writes. */
function ownRecord({
  id,
  key,
  stage,
  inFlight,
  operation,
}: Readonly<Partial<Record<keyof OwnRecord, unknown>>>): OwnRecord | undefined {
  if (!KEY_KINDS.some((name) => name === key) || !STAGES.some((name) => name === stage)) return undefined;
  if (typeof operation !== 'string' || typeof id !== 'number') return undefined;
  return {
    id,
    operation,
    key: key as KeyKind,
    stage: stage as Stage,
    inFlight: typeof inFlight === 'number' && inFlight >= 1 ? inFlight : 1,
  };
}

/** The key as petspec proxy records it. */
function sentKeyOf(written: unknown): SentKey | undefined {
  if (!isObject(written)) return undefined;
  const form = KEY_FORMS.find((candidate) => candidate === written.form);
  const { fingerprint } = written;
  return form && { form, ...(typeof fingerprint === 'string' ? { fingerprint } : {}) };
}

const FAILURES: readonly Failure['kind'][] = [
  ...(['refused', 'unreachable', 'tls', 'closed', 'reset', 'timeout'] as const),
  ...(['not-http', 'framing', 'surplus', 'too-large', 'interrupted', 'other'] as const),
];

/** The failure of an exchange of petspec: `reset: the connection was reset`. */
function failureOf(error: unknown, response: Received | undefined): Failure | undefined {
  const [, name = '', message = ''] = /^([a-z-]+): (.*)$/s.exec(textOf(error)) ?? [];
  const kind = FAILURES.find((candidate) => candidate === name);
  return kind && { kind, phase: response ? 'body' : 'headers', message };
}

/** The addresses in the header of a ledger. */
export interface LedgerAddresses {
  baseUrl: string;
  apiUrl?: string;
}

/** A line of newline-delimited JSON: an exchange of a ledger, or an entry of a HAR. A ledger begins with its addresses. */
export type ReadLine = ReadEntry | { addresses: LedgerAddresses } | 'nothing';

/** Reads one parsed line. Pure, and total for any value. */
export function readLine(line: unknown): ReadLine {
  if (!isObject(line)) return { omitted: 'unreadable' };
  if ('request' in line) return readHarEntry(line);
  if (ledgerLineProblem(line) !== undefined) return { omitted: 'unreadable' };
  if (line.record === 'run') {
    const target = line.target as LedgerAddresses;
    const baseUrl = httpUrlOf(target.baseUrl);
    const apiUrl = httpUrlOf(target.apiUrl ?? target.baseUrl);
    if (baseUrl === undefined || apiUrl === undefined) return 'nothing';
    return { addresses: { baseUrl, ...(target.apiUrl === undefined ? {} : { apiUrl }) } };
  }
  return 'record' in line ? 'nothing' : ofLedger(line as unknown as Exchange);
}

function ofLedger(exchange: Exchange): ReadEntry {
  const { method, requestHeaders, requestBody = '', sentAt, receivedAt, response, failure } = exchange;
  const own = ownRecord(exchange);
  const url = httpUrlOf(exchange.url);
  if (!own || url === undefined || ![sentAt, receivedAt].every(isTime)) return { omitted: 'unreadable' };
  if (!response && !failure) return { omitted: 'aborted' };
  return {
    recorded: {
      ...{ method, url, requestHeaders, sentAt, receivedAt, isTimed: true, own },
      requestBody: isLight(requestBody) ? requestBody : undefined,
      variation: exchange.variation,
      response: response && withinWeight(response),
      failure,
    },
  };
}
