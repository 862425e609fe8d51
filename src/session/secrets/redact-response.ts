import type { HeaderLine, Received } from '../../model/exchange.ts';
import { placeholderFor } from './placeholder.ts';
import { isShort, type Redact } from './redact.ts';

/** Replaces secrets in a response. */
export type RedactResponse = (response: Received) => Received;

/** @param secrets also found in two halves, at the end of one header and at the beginning of another */
export function responseRedactor(redact: Redact, secrets: readonly string[]): RedactResponse {
  const halves = secrets
    .filter((each) => !isShort(each))
    .map((each) => each.toLowerCase())
    .flatMap((secret) => Array.from(secret.slice(1), (_, index) => cut(secret, index + 1)));
  return (response) => ({
    ...response,
    headers: withoutHalves(response.headers, halves).map(
      ([name, value]) => [redact(name), redact(value)] as const,
    ),
    body: redact(response.body),
    ...(response.undecodable === undefined ? {} : { undecodable: redact(response.undecodable) }),
  });
}

/** Replaces secrets whose first half ends a header and whose second half begins another. */
function withoutHalves(lines: readonly HeaderLine[], all: readonly Halves[]): readonly HeaderLine[] {
  const values = lines.map(([, value]) => value.toLowerCase());
  // Compares the last characters first: there are many halves, and nearly no header ends with one.
  const ends = new Set(values.map((value) => value.charAt(value.length - 1)));
  const cuts = all
    .filter(
      ([first]) => ends.has(first.charAt(first.length - 1)) && values.some((value) => value.endsWith(first)),
    )
    .filter(([, second]) => values.some((value) => value.startsWith(second)));
  return cuts.reduce((shown, halves) => shown.map(([name, value]) => [name, without(value, halves)]), lines);
}

type Halves = readonly [first: string, second: string];

function cut(secret: string, length: number): Halves {
  return [secret.slice(0, length), secret.slice(length)];
}

function without(value: string, [first, second]: Halves): string {
  const lower = value.toLowerCase();
  const end = lower.endsWith(first) ? value.length - first.length : value.length;
  const start = lower.startsWith(second) ? Math.min(second.length, end) : 0;
  const covered = (from: number, to: number) =>
    from === to ? '' : placeholderFor(value, value.slice(from, to), from);
  return covered(0, start) + value.slice(start, end) + covered(end, value.length);
}
