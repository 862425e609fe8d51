import { type Exchange, headerValues, type Received } from '../../model/exchange.ts';
import type { SameFailureKind } from '../../model/report/diagnosis.ts';
import type { Judged } from './judged.ts';

/** A way in which several exchanges can fail alike. */
export interface SameFailure {
  kind: SameFailureKind;
  /** Whether two exchanges failed in this way. */
  isSame(left: Exchange, right: Exchange): boolean;
}

/** The most specific way comes first. */
export const SAME_FAILURES: readonly SameFailure[] = [
  {
    kind: 'transport',
    isSame: ({ failure: left }, { failure: right }) => left !== undefined && left.kind === right?.kind,
  },
  {
    kind: 'redirect',
    isSame: (left, right) => [left, right].every((exchange) => locationOf(exchange) !== undefined),
  },
  { kind: 'status', isSame: isSameStatus },
  { kind: 'page', isSame: (left, right) => [left, right].every(({ response }) => isPage(response)) },
];

/** Statuses that say that a gateway cannot reach the service. */
const UNAVAILABLE: readonly number[] = [502, 503, 504];

/** Groups of statuses that mean the same. The first group says that the operation does not exist. */
const SAME_STATUSES: readonly (readonly number[])[] = [[404, 405, 410, 501], UNAVAILABLE];

/** A refused key is for the user to fix; the operations did not fail. */
const KEY_REFUSED = 401;

function isSameStatus({ response: left }: Exchange, { response: right }: Exchange): boolean {
  if (!left || !right || left.status === KEY_REFUSED || left.status < 300) return false;
  const same = SAME_STATUSES.find((statuses) => statuses.includes(left.status)) ?? [left.status];
  return same.includes(right.status);
}

/**
 * Whether an exchange shows how an operation responds to a user. A wrong key, a refusal by the rate limit, and a failure
 * that is not the service's show nothing.
 */
export function isTelling({ exchange: { key, response, failure }, deviations }: Judged): boolean {
  if (key !== 'valid') return false;
  return response ? response.status !== 429 : failure !== undefined && deviations.length > 0;
}

/** Whether a response says that the service cannot be reached now. */
export function isUnavailable({ response }: Exchange): boolean {
  return response !== undefined && UNAVAILABLE.includes(response.status);
}

/** The address that a redirect leads to; undefined if the response is not a redirect. */
export function locationOf({ url, response }: Exchange): URL | undefined {
  if (!response || response.status < 300 || response.status > 399) return undefined;
  const [location] = headerValues(response.headers, 'Location');
  return location !== undefined && URL.canParse(location, url) ? new URL(location, url) : undefined;
}

/** An address without the parts that differ from request to request. */
export function placeOf(location: URL | undefined): string | undefined {
  return location && `${location.origin}${location.pathname}`;
}

/** Whether redirects lead to the same paths at one other origin. */
export function isMoved(exchanges: readonly Exchange[]): boolean {
  const origins = new Set<string>();
  const areSame = exchanges.every((exchange) => {
    const [from, to] = [new URL(exchange.url), locationOf(exchange)];
    if (to) origins.add(to.origin);
    return (
      to && to.origin !== from.origin && `${to.pathname}${to.search}` === `${from.pathname}${from.search}`
    );
  });
  return areSame && origins.size === 1;
}

const HTML = new Set(['text/html', 'application/xhtml+xml']);

/** Whether a response is a page for a browser: it is declared as one and begins like one, or begins unmistakably. */
export function isPage(response: Received | undefined): response is Received {
  if (!response) return false;
  const start = response.body.slice(0, MAX_START).trimStart();
  return (
    /^<(?:!doctype html|html)[\s>]/i.test(start) ||
    (HTML.has(mediaTypeOf(response) ?? '') && start.startsWith('<'))
  );
}

const MAX_START = 1_000;

/** The media type of a response without its parameters; undefined if it states none. */
export function mediaTypeOf({ headers }: Received): string | undefined {
  const [type] = headerValues(headers, 'Content-Type');
  return type?.split(';')[0]?.trim().toLowerCase() || undefined;
}
