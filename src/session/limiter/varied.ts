import type { Variation } from '../../model/exchange.ts';
import type { Outgoing } from '../http/transport.ts';

const FORWARDED_FOR = 'x-forwarded-for';

/** An address of nobody, kept for documentation (RFC 5737 section 3). */
const NOBODY = '203.0.113.7';

/** A letter or digit that belongs to no escape. */
const UNRESERVED = /(?<!%|%[\da-f])[a-z\d]/i;
const IN_LAST_SEGMENT = /(?<!%|%[\da-f])[a-z\d](?=[^/]*\/?$)/i;

/** A request with another spelling or header, and the same meaning. */
export function varied(request: Outgoing, variation: Variation): Outgoing {
  switch (variation) {
    case 'forwarded-for': {
      const others = request.headers.filter(([name]) => name.toLowerCase() !== FORWARDED_FOR);
      return { ...request, headers: [...others, [FORWARDED_FOR, NOBODY]] };
    }
    case 'spelling':
      return { ...request, url: respelled(request.url) };
  }
}

/**
 * Escapes one letter or digit of the query, or of the last segment of the path, which changes nothing (RFC 3986 section
 * 6.2.2.2).
 */
function respelled(url: URL): URL {
  const other = new URL(url);
  if (url.search === '') other.pathname = url.pathname.replace(IN_LAST_SEGMENT, escaped);
  else other.search = url.search.replace(UNRESERVED, escaped);
  return other;
}

function escaped(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
