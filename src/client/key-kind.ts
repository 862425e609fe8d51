import type { HeaderLine } from '../model/exchange.ts';
import type { KeyKind } from '../model/probe.ts';

/** What kind of key the Authorization header has. The scheme is case-insensitive (RFC 9110 section 11.1). */
export function keyKind(values: readonly string[], key: string): KeyKind {
  const [value, ...others] = values;
  if (value === undefined) return 'absent';
  if (others.length > 0) return 'unknown';
  if (value === key) return 'bare';
  const [, scheme = '', credentials = ''] = /^(\S+) *(.*)$/.exec(value) ?? [];
  if (scheme.toLowerCase() !== 'bearer') return 'scheme';
  if (credentials === '') return 'empty';
  return credentials === key ? 'valid' : 'unknown';
}

/** Where a request has the key, besides the Authorization header. */
export function keyPlaces(
  { headers, body: { text } }: { headers: readonly HeaderLine[]; body: { text: string } },
  url: string,
  key: string,
): string[] {
  const others = headers.filter(
    ([name, value]) => name.toLowerCase() !== 'authorization' && value.includes(key),
  );
  return [
    ...(url.includes(key) ? ['URL'] : []),
    ...others.map(([name]) => name),
    ...(text.includes(key) ? ['body'] : []),
  ];
}
