import type { HeaderLine, Variation } from '../model/exchange.ts';
import type { LenientForm } from '../model/probe.ts';
import type { Outgoing } from './request.ts';

const FORWARDED_FOR = 'x-forwarded-for';

/** An address that is reserved for documentation (RFC 5737 section 3). */
const NOBODY = '203.0.113.7';

/** A letter or digit that belongs to no escape. */
const UNRESERVED = /(?<!%|%[\da-f])[a-z\d]/i;
const IN_LAST_SEGMENT = /(?<!%|%[\da-f])[a-z\d](?=[^/]*\/?$)/i;

/** The request in a form that means the same, or that a service may refuse. */
export function varied(request: Outgoing, variation: Variation | LenientForm): Outgoing {
  switch (variation) {
    case 'forwarded-for':
      return withHeader(request, FORWARDED_FOR, NOBODY);
    case 'spelling':
      return { ...request, url: respelled(request.url) };
    case 'accept-absent':
      return { ...request, headers: withoutHeader(request, 'accept') };
    case 'accept-any':
      return withHeader(request, 'accept', '*/*');
    case 'accept-list':
      return withHeader(request, 'accept', 'text/html;q=0.5, application/json, */*;q=0.1');
    case 'user-agent':
      return withHeader(request, 'user-agent', 'Mozilla/5.0 (X11; Linux x86_64) curl/8 python-requests');
    case 'origin':
      return withHeader(request, 'origin', 'https://shop.example');
    case 'unknown-parameter':
      return { ...request, url: withParameter(request.url) };
    case 'type-charset':
      return withType(request, (type) => `${type}; charset=utf-8`);
    case 'type-case':
      return withType(request, (type) => type.toUpperCase());
    case 'type-text':
      return withType(request, () => 'text/plain');
    case 'type-form':
      return withType(request, () => 'application/x-www-form-urlencoded');
    case 'type-absent':
      return { ...request, headers: withoutHeader(request, 'content-type') };
    case 'chunked':
      return withHeader(request, 'transfer-encoding', 'chunked');
    case 'encoding':
      return withHeader(request, 'content-encoding', 'gzip');
    case 'broken-accept':
      return withHeader(request, 'accept', 'application/json;q=, /, null');
    case 'broken-percent':
      return { ...request, url: withBrokenPercent(request.url) };
  }
}

function withoutHeader({ headers }: Outgoing, name: string): HeaderLine[] {
  return headers.filter((line) => line[0].toLowerCase() !== name);
}

function withHeader(request: Outgoing, name: string, value: string): Outgoing {
  return { ...request, headers: [...withoutHeader(request, name), [name, value]] };
}

/** The request with its media type written differently (RFC 9110 section 8.3.1), or with another media type. */
function withType(request: Outgoing, change: (type: string) => string): Outgoing {
  const headers = request.headers.map(
    ([name, value]): HeaderLine =>
      name.toLowerCase() === 'content-type' ? [name, change(value)] : [name, value],
  );
  return { ...request, headers };
}

/** Adds a parameter that no interface has. */
function withParameter(url: URL): URL {
  const withUnknown = new URL(url);
  withUnknown.searchParams.append('petspecUnknown', '1');
  return withUnknown;
}

/** Adds a parameter with a percent sign that escapes nothing. */
function withBrokenPercent(url: URL): URL {
  const withBroken = new URL(url);
  withBroken.search = `${url.search}${url.search === '' ? '' : '&'}petspecUnknown=100%zz%`;
  return withBroken;
}

/**
 * Escapes one letter or digit of the query, or of the last segment of the path, which changes nothing (RFC 3986 section
 * 6.2.2.2).
 */
function respelled(url: URL): URL {
  const result = new URL(url);
  if (url.search === '') result.pathname = url.pathname.replace(IN_LAST_SEGMENT, escaped);
  else result.search = url.search.replace(UNRESERVED, escaped);
  return result;
}

function escaped(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
