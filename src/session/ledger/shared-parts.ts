import type { Exchange, HeaderLine } from '../../model/exchange.ts';

/** Most exchanges of a run are nearly the same: equal parts are kept in memory once. */
export function sharedParts(): (exchange: Exchange) => Exchange {
  const texts = new Map<string, string>();
  const lines = new Map<string, HeaderLine>();
  const lists = new Map<string, readonly HeaderLine[]>();
  const sameText = (text: string) => existingOr(texts, text, text);
  const sameLine = (line: HeaderLine) => existingOr(lines, line.join('\n'), line);
  const sameList = (list: readonly HeaderLine[]) => existingOr(lists, JSON.stringify(list), list);
  return (exchange) => ({
    ...exchange,
    url: sameText(exchange.url),
    requestHeaders: sameList(exchange.requestHeaders),
    ...(exchange.response
      ? {
          response: {
            ...exchange.response,
            headers: exchange.response.headers.map(sameLine),
            body: sameText(exchange.response.body),
          },
        }
      : {}),
  });
}

/** The value that a key already has; otherwise it gets this one. */
function existingOr<T>(all: Map<string, T>, key: string, value: T): T {
  const there = all.get(key);
  if (there === undefined) all.set(key, value);
  return there ?? value;
}
