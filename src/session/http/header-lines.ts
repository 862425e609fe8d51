import type { HeaderLine } from '../../model/exchange.ts';

/** Raw headers come as a flat list: name, value, name, value; blanks around a value are no part of it (RFC 9112 section 5.1). */
export function linesOf(raw: unknown): HeaderLine[] {
  const flat = Array.isArray(raw) ? raw.map(String) : [];
  return flat.flatMap((name, index) =>
    index % 2 === 0 ? [[name, trimmed(flat[index + 1] ?? '')] as const] : [],
  );
}

/** Without spaces and tabs at either end. No regular expression: blanks in the middle would make it try each of them. */
function trimmed(value: string): string {
  const isBlank = (index: number) => value[index] === ' ' || value[index] === '\t';
  let start = 0;
  let end = value.length;
  while (start < end && isBlank(start)) start += 1;
  while (end > start && isBlank(end - 1)) end -= 1;
  return value.slice(start, end);
}
