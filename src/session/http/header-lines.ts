import type { HeaderLine } from '../../model/exchange.ts';

/**
 * Header lines from a flat list (name, value, name, value), without whitespace around values (RFC 9112 section 5.1). Values may
 * have any bytes.
 */
export function linesOf(raw: readonly Buffer[]): HeaderLine[] {
  const lines: HeaderLine[] = [];
  for (let index = 0; index < raw.length; index += 2)
    lines.push([String(raw[index]), trimmed(raw[index + 1]?.toString('latin1') ?? '')]);
  return lines;
}

/** Trims spaces and tabs. A regular expression would be slow: it tries each blank in the middle. */
function trimmed(value: string): string {
  const isBlank = (index: number) => value[index] === ' ' || value[index] === '\t';
  let start = 0;
  let end = value.length;
  while (start < end && isBlank(start)) start += 1;
  while (end > start && isBlank(end - 1)) end -= 1;
  return value.slice(start, end);
}
