import { isFromCache } from '../limiter/observations.ts';
import type { Address, Contract } from '../model/contract.ts';
import { type Exchange, isSuccess } from '../model/exchange.ts';
import type { Finding } from '../model/finding.ts';
import type { Hint, StatedAddresses } from '../model/report/diagnosis.ts';
import { quote } from '../model/visible.ts';
import type { Judged } from './evidence/judged.ts';
import { isMoved, isPage, isTelling, isUnavailable, locationOf } from './evidence/same-failure.ts';

/** Hints that the stated addresses are wrong, from the responses. */
export function hintsOf(
  judged: readonly Judged[],
  contract: Pick<Contract, 'operations' | 'basePath'>,
  addresses: StatedAddresses,
): Hint[] {
  // A ledger may come from anybody and hold invalid addresses.
  if (![addresses.baseUrl, addresses.apiUrl ?? addresses.baseUrl].every((address) => URL.canParse(address)))
    return [];
  const telling = judged.filter(isTelling);
  const unserved = ADDRESSES.flatMap((address): Unserved[] => {
    const results = telling.filter(({ operation }) => operation.address === address);
    const exchanges = results.map(({ exchange }) => exchange);
    return exchanges.some(isServed) ? [] : [{ address, exchanges }];
  });
  const first = unserved.find(({ exchanges }) => exchanges.length > 0);
  if (!first) return [];
  const wrong = addressHints(contract, addresses, new Set(unserved.map(({ address }) => address)));
  const isSwapped = wrong.every(({ kind }) => kind === 'base-path') && unserved.every(knowsNoPath);
  const swapped =
    isSwapped && unserved.length === ADDRESSES.length ? swappedHosts(contract.basePath, addresses) : [];
  return [...wrong, ...swapped, ...elsewhereHints(first, addresses)];
}

const ADDRESSES = ['baseUrl', 'apiUrl'] as const;

/** An address whose responses do not look like the service, or that got no request. */
interface Unserved {
  address: (typeof ADDRESSES)[number];
  exchanges: readonly Exchange[];
}

/** Whether a service responded: with a success that is not a page for a browser. */
function isServed(exchange: Exchange): boolean {
  return isSuccess(exchange) && !isPage(exchange.response);
}

/** Whether the server at an address has none of the paths of the interface. */
function knowsNoPath({ exchanges }: Unserved): boolean {
  if (exchanges.length === 0) return false;
  return exchanges.every(({ response }) => response?.status === 404 || response?.status === 405);
}

/** Neither server has the paths of the interface: the two addresses may be swapped. */
function swappedHosts(basePath: string | undefined, { baseUrl, apiUrl }: StatedAddresses): Hint[] {
  if (apiUrl === undefined || new URL(baseUrl).origin === new URL(apiUrl).origin) return [];
  const [base, path = ''] = [pathOf(baseUrl), basePath];
  const withoutPath = base.endsWith(path) ? base.slice(0, base.length - path.length) : base;
  const api = pathOf(apiUrl);
  return [
    {
      kind: 'swapped',
      text: 'neither server has any of these paths: the two addresses may be swapped',
      instead: {
        baseUrl: withPath(apiUrl, api.endsWith(path) ? api : `${api}${path}`),
        apiUrl: withPath(baseUrl, withoutPath),
      },
    },
  ];
}

/** Hints from the addresses themselves. The last hint has the corrected addresses. */
function addressHints(
  { operations, basePath }: Pick<Contract, 'operations' | 'basePath'>,
  addresses: StatedAddresses,
  unserved: ReadonlySet<Address>,
): Hint[] {
  const { baseUrl, apiUrl } = addresses;
  const endsRight = (address: string) => basePath === undefined || pathOf(address).endsWith(basePath);
  if (apiUrl !== undefined && unserved.size === ADDRESSES.length && endsRight(apiUrl) && !endsRight(baseUrl))
    return [
      {
        kind: 'swapped',
        text: `the two addresses may be swapped: --api-url ends with ${basePath}, and the base address does not`,
        instead: { baseUrl: apiUrl, apiUrl: baseUrl },
      },
    ];
  const hints: Hint[] = [];
  const corrected: StatedAddresses = { ...addresses };
  for (const name of ADDRESSES) {
    const address = addresses[name];
    if (address === undefined || !unserved.has(name)) continue;
    const paths = operations.filter((operation) => operation.address === name).map(({ path }) => path);
    const path = paths
      .toSorted((left, right) => right.length - left.length)
      .find((operationPath) => pathOf(address).endsWith(operationPath));
    if (path === undefined) continue;
    corrected[name] = withPath(address, pathOf(address).slice(0, -path.length));
    hints.push({
      kind: 'operation-path',
      text: `${WORDS[name]} ends with ${path}, the path of an operation; petspec appends that path itself`,
    });
  }
  if (unserved.has('baseUrl') && !endsRight(corrected.baseUrl)) {
    corrected.baseUrl = withPath(corrected.baseUrl, `${pathOf(corrected.baseUrl)}${basePath}`);
    hints.push({
      kind: 'base-path',
      text: `${WORDS.baseUrl} does not end with ${basePath}, which the interface requires`,
    });
  }
  return hints.map((hint, index) => (index === hints.length - 1 ? { ...hint, instead: corrected } : hint));
}

const WORDS: Readonly<Record<(typeof ADDRESSES)[number], string>> = {
  baseUrl: 'the base address',
  apiUrl: '--api-url',
};

const LOGIN = /[/._-](?:log-?in|sign-?in|sso|oauth2?|saml2?)(?:[/._-]|$)/i;

/** A form that asks for a password. The search is bounded for each field, and to the beginning of the page. */
const PASSWORD = /<input\b[^>]{0,200}\btype=["']?password\b/i;
const MAX_PAGE_START = 8_000;

/** Whether a response is a login page, or leads to one. */
export function isLogin(exchange: Exchange): boolean {
  const { response } = exchange;
  const isForm = isPage(response) && PASSWORD.test(response.body.slice(0, MAX_PAGE_START));
  return isForm || LOGIN.test(locationOf(exchange)?.pathname ?? '');
}

interface Redirect {
  from: URL;
  to: URL;
}

/** What may have responded instead of the service. */
function elsewhereHints({ address, exchanges }: Unserved, addresses: StatedAddresses): Hint[] {
  const redirects = exchanges.flatMap((exchange): Redirect[] => {
    const to = locationOf(exchange);
    return to ? [{ from: new URL(exchange.url), to }] : [];
  });
  const [first] = redirects;
  const stated = addresses[address];
  if (first && stated !== undefined && isMoved(exchanges))
    return [
      {
        kind: 'moved',
        text: `the redirects lead to the same paths at ${quote(first.to.origin)}; petspec follows no redirect, as the key is only for this target`,
        instead: { ...addresses, [address]: `${first.to.origin}${pathOf(stated)}` },
      },
    ];
  const login = redirects.find(({ to }) => LOGIN.test(to.pathname));
  if (exchanges.some(isLogin)) {
    const where = login ? ` (${quote(login.to.origin + login.to.pathname)})` : '';
    const text = `a login page responds${where}: state an address that is not behind it, or send what it asks for with --header`;
    return [{ kind: 'login', text }];
  }
  if (exchanges.every(isUnavailable))
    return [
      { kind: 'unavailable', text: 'wait until the service is deployed and up, and run petspec again' },
    ];
  const away = redirects.find(({ from, to }) => from.origin !== to.origin);
  const text = away
    ? `the redirect leads to another origin, ${quote(away.to.origin)}: a gateway or a login page may be in front of the service`
    : 'a web page comes back instead of a response of the service: from a gateway or proxy in front of it, or from a web site at this address';
  const isPages = exchanges.every(({ response }) => isPage(response));
  return away || isPages ? [{ kind: 'gateway', text }] : [];
}

/** The path of an address, without a slash at its end. */
function pathOf(address: string): string {
  return new URL(address).pathname.replace(/\/+$/, '');
}

function withPath(address: string, path: string): string {
  const url = new URL(address);
  url.pathname = path;
  return url.href.replace(/\/$/, '');
}

/** Only so many exchanges of violations are examined: a cached response is among the first. */
const MAX_ACCUSED = 100;

/** A hint that a cache in front of the service causes violations, because it repeats earlier responses. */
export function cacheHint(
  judged: readonly Judged[],
  findings: Readonly<Record<string, Finding>>,
): Hint | undefined {
  const violated = Object.values(findings).filter(({ status }) => status === 'violated');
  const accused = new Set(violated.flatMap(({ evidence }) => evidence));
  const exchanges = judged.map(({ exchange }) => exchange);
  const suspects = exchanges.filter(({ id }) => accused.has(id)).slice(0, MAX_ACCUSED);
  for (const later of suspects) {
    const earlier = exchanges.find((exchange) => isRepeated(exchange, later, exchanges));
    if (!earlier) continue;
    const isAnyKey = earlier.key !== later.key;
    const [was, now] = [earlier, later].map(({ key }) =>
      key === 'valid' ? 'with the key' : 'with another key or none',
    );
    const keys = isAnyKey && was !== now ? `, first to a request ${was} and then to one ${now}` : '';
    return {
      kind: 'cache',
      text: `the same response came twice, with the X-RateLimit-Remaining of the first time${keys} (${later.operation}): a cache in front of the service may keep ${isAnyKey ? 'responses for any key' : 'them'}`,
    };
  }
  return undefined;
}

/** Whether a response repeats an earlier response to the same request, although Remaining has changed in between. */
function isRepeated(earlier: Exchange, later: Exchange, exchanges: readonly Exchange[]): boolean {
  const [first, again] = [earlier.response, later.response];
  if (!first || !again || later.method !== 'GET' || earlier.receivedAt > later.sentAt) return false;
  // Refusals of wrong keys are often the same without any cache.
  if (again.status >= 400 && !isFromCache(later)) return false;
  const { remaining, reset } = earlier.rate;
  const isSame =
    earlier.method === later.method &&
    earlier.url === later.url &&
    first.status === again.status &&
    first.body === again.body &&
    remaining !== undefined &&
    remaining === later.rate.remaining &&
    reset === later.rate.reset;
  return (
    isSame &&
    exchanges.some(
      (exchange) =>
        exchange.key === 'valid' &&
        exchange.address === later.address &&
        exchange.sentAt >= earlier.receivedAt &&
        exchange.receivedAt <= later.sentAt &&
        exchange.rate.remaining !== undefined &&
        exchange.rate.remaining !== remaining,
    )
  );
}
