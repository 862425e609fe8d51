import type { Exchange, HeaderLine } from '../../model/exchange.ts';

/** Most exchanges of a run are nearly the same: equal parts are kept in memory once. */
export function sharedParts(): (exchange: Exchange) => Exchange {
  const texts = new Map<string, string>();
  const lines = new Map<string, Map<string, HeaderLine>>();
  const lists = new Map<string, readonly HeaderLine[]>();
  /** The lines with a name, by value. A text of both would have to be made and hashed for each line. */
  const valuesOf = (name: string) => {
    const known = lines.get(name);
    const values = known ?? new Map<string, HeaderLine>();
    if (!known) lines.set(name, values);
    return values;
  };
  const sameText = (text: string) => existingOr(texts, text, text);
  const sameLine = (line: HeaderLine) => existingOr(valuesOf(line[0]), line[1], line);
  const sameList = (list: readonly HeaderLine[]) => existingOr(lists, keyOf(list), list);
  return (exchange) => ({
    ...exchange,
    url: sameText(exchange.url),
    requestHeaders: sameList(exchange.requestHeaders),
    response: exchange.response && {
      ...exchange.response,
      headers: exchange.response.headers.map(sameLine),
      body: sameText(exchange.response.body),
    },
  });
}

/** A text that no other list of lines has: a line feed is in no header. */
function keyOf(list: readonly HeaderLine[]): string {
  let key = '';
  for (const [name, value] of list) key += `${name}\n${value}\n`;
  return key;
}

/** The value that a key already has; otherwise it gets this one. */
function existingOr<T>(all: Map<string, T>, key: string, value: T): T {
  const there = all.get(key);
  if (there === undefined) all.set(key, value);
  return there ?? value;
}
