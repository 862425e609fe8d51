import { randomBytes } from 'node:crypto';
import type { Exchange, HeaderLine, HiddenPart } from '../model/exchange.ts';
import { remembering } from '../model/remembering.ts';
import { addressSecretFinder } from './address-secrets.ts';
import { type IsPublic, isHideable, isShort } from './hideable.ts';
import { KEY_EXPANSION } from './keys/authorization.ts';
import { isTextual, placeholderFor } from './placeholder.ts';
import { besides, type SecretSpan, secretFinder, withNearKeys } from './redact.ts';
import { standInFor } from './stand-in.ts';

/** Hidden parts of one exchange that get a stand-in; further ones are judged by their placeholders. */
const MAX_PARTS = 1_000;

/** The parts of an exchange in which a target may repeat a secret. */
type Texts = Pick<Exchange, 'url' | 'requestHeaders' | 'requestBody' | 'response' | 'failure' | 'hidden'>;

/** Hides the secrets of an exchange, and keeps the stand-ins that judging the exchange again needs. */
export type HideExchange = <T extends Texts>(exchange: T) => T;

/** Takes the arguments of {@link secretFinder}. Also finds a secret in two halves, at the ends of two headers. */
export function exchangeHider(
  key: string,
  otherSecrets: readonly string[] = [],
  isPublic: IsPublic = () => false,
): HideExchange {
  const find = secretFinder(key, otherSecrets, isPublic);
  const findInAddresses = remembering(addressSecretFinder(isPublic), 200_000);
  const halvesIn = halvesFinder(
    withNearKeys(key, otherSecrets).filter((secret) => isHideable(secret, isPublic)),
  );
  const salt = randomBytes(32);
  return <T extends Texts>(exchange: T): T => {
    const halves = halvesIn(exchange.response?.headers ?? []);
    const hidden: HiddenPart[] = [];
    let isChanged = false;
    const shown = mapTexts(exchange, (text, place) => {
      const spans = besides(text, halves.get(place) ?? [], find);
      // Nobody could repeat the request without the values of the document in its address.
      const secretSpans = /^(?:url|request)/.test(place) ? spans : besides(text, spans, findInAddresses);
      if (secretSpans.length === 0) return text;
      const { text: result, parts } = hiddenIn(text, secretSpans, salt);
      hidden.push(...parts.map((part) => ({ in: place, ...part })));
      isChanged ||= result !== text;
      return result;
    });
    if (!isChanged) return exchange;
    return hidden.length === 0 ? shown : { ...shown, hidden: hidden.slice(0, MAX_PARTS) };
  };
}

/** An exchange as it is judged again: with the stand-ins of its hidden parts. */
export function withStandIns<T extends Texts>(exchange: T): T {
  const { hidden } = exchange;
  if (hidden === undefined) return exchange;
  const byPlace = new Map<string, HiddenPart[]>();
  for (const part of hidden) {
    const parts = byPlace.get(part.in) ?? [];
    parts.push(part);
    byPlace.set(part.in, parts);
  }
  const { hidden: _, ...judged } = mapTexts(exchange, (text, place) => {
    let result = '';
    let done = 0;
    for (const { at, length, as } of byPlace.get(place) ?? []) {
      if (at < done || at + length > text.length) continue;
      result += text.slice(done, at) + as;
      done = at + length;
    }
    return result + text.slice(done);
  });
  return judged as T;
}

type HiddenText = Omit<HiddenPart, 'in'>;

function hiddenIn(
  text: string,
  spans: readonly SecretSpan[],
  salt: Buffer,
): { text: string; parts: HiddenText[] } {
  const parts: HiddenText[] = [];
  let shown = '';
  let done = 0;
  for (const span of spans) {
    const { start, end } = span;
    const secret = text.slice(start, end);
    const placeholder = span.placeholder ?? placeholderFor(text, secret, start);
    shown += text.slice(done, start);
    if (isTextual(placeholder))
      parts.push({
        at: shown.length,
        length: placeholder.length,
        as: standInFor(secret, placeholder.startsWith('\\'), salt),
      });
    shown += placeholder;
    done = end;
  }
  return { text: shown + text.slice(done), parts };
}

/** Changes each text that a target may have sent, by its place: the address after its origin, headers, bodies, the failure. */
function mapTexts<T extends Texts>(exchange: T, change: (text: string, place: string) => string): T {
  const { url, requestHeaders, requestBody, response, failure } = exchange;
  const [origin = ''] = /^[a-z]+:\/\/[^/?#]*\/?/i.exec(url) ?? [];
  const requested = requestHeaders.map(
    // A placeholder that a shell expands is no secret, and has to stay for the shell.
    ([name, value], index): HeaderLine => [
      name,
      KEY_EXPANSION.test(value) ? value : change(value, `request-header:${index}`),
    ],
  );
  return {
    ...exchange,
    url: origin + change(url.slice(origin.length), 'url'),
    requestHeaders: requested,
    ...(requestBody === undefined ? {} : { requestBody: change(requestBody, 'request-body') }),
    ...(response
      ? {
          response: {
            ...response,
            headers: response.headers.map(
              ([name, value], index): HeaderLine => [
                change(name, `header-name:${index}`),
                change(value, `header:${index}`),
              ],
            ),
            body: change(response.body, 'body'),
            ...(response.undecodable === undefined
              ? {}
              : { undecodable: change(response.undecodable, 'undecodable') }),
            ...(response.unread === undefined ? {} : { unread: change(response.unread, 'unread') }),
          },
        }
      : {}),
    ...(failure ? { failure: { ...failure, message: change(failure.message, 'failure') } } : {}),
  };
}

/** Finds the halves of secrets in the values of headers, by the places of the values (`header:0`). */
export type HalvesIn = (lines: readonly HeaderLine[]) => ReadonlyMap<string, SecretSpan[]>;

const NONE: ReadonlyMap<string, SecretSpan[]> = new Map();

/** Finds secrets whose first half ends a header and whose second half begins another. */
export function halvesFinder(secrets: readonly string[]): HalvesIn {
  const possibleCuts = secrets
    .filter((secret) => !isShort(secret))
    .map((secret) => secret.toLowerCase())
    .flatMap((secret) => Array.from(secret.slice(1), (_, index) => cut(secret, index + 1)));
  return (lines) => {
    const values = lines.map(([, value]) => value.toLowerCase());
    // Compares the last characters first: there are many halves, and nearly no header ends with one.
    const ends = new Set(values.map((value) => value.charAt(value.length - 1)));
    const cuts = possibleCuts
      .filter(
        ([first]) =>
          ends.has(first.charAt(first.length - 1)) && values.some((value) => value.endsWith(first)),
      )
      .filter(([, second]) => values.some((value) => value.startsWith(second)));
    return cuts.length === 0
      ? NONE
      : new Map(values.map((value, index) => [`header:${index}`, spansIn(value, cuts)]));
  };
}

type Halves = readonly [first: string, second: string];

function cut(secret: string, length: number): Halves {
  return [secret.slice(0, length), secret.slice(length)];
}

function spansIn(value: string, cuts: readonly Halves[]): SecretSpan[] {
  const start = Math.max(0, ...cuts.map(([, second]) => (value.startsWith(second) ? second.length : 0)));
  const end = Math.min(
    value.length,
    ...cuts.map(([first]) => (value.endsWith(first) ? value.length - first.length : value.length)),
  );
  if (end <= start && (start > 0 || end < value.length)) return [{ start: 0, end: value.length }];
  return [
    { start: 0, end: start },
    { start: end, end: value.length },
  ].filter((span) => span.start < span.end);
}
