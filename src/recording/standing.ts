import { headerValue, headerValues, isSuccess } from '../model/exchange.ts';
import type { Captured } from './capture/capture.ts';

/** What other exchanges of a recording show about the key and the form of a request. */
export interface Standing {
  /** The key of the request, as an opaque name. Undefined if it is unknown. */
  group?: string | undefined;
  /** The service accepted the key at some time. */
  isKeyProven: boolean;
  /** The service accepted the key before and after this request, and never refused it with 429. */
  isKeySteady: boolean;
  /** The service refused the key with 429 and has not accepted it since: it may be banned. */
  isKeyBanned: boolean;
  /** The key was proven, and was sent in another scheme or without a scheme. */
  misused?: 'scheme' | 'bare' | undefined;
  /** The form of the request is usual or was accepted, so its headers are no reason to refuse it. */
  isFormProven: boolean;
}

/** The group of requests from petspec. */
const OWN = 'petspec';

/** What earlier parts of a recording showed. */
export interface KnownKeys {
  /** Keys that the service accepted. */
  accepted: Set<string>;
  /** Keys that it refused with 429. */
  limited: Set<string>;
  /** Limited keys that were not accepted since. */
  refused: Set<string>;
  /** Forms of requests that it accepted. */
  forms: Set<string>;
}

export function nothingKnown(): KnownKeys {
  return { accepted: new Set(), limited: new Set(), refused: new Set(), forms: new Set() };
}

/** Limit for each set. What is forgotten is judged less, never more. */
const MAX_KNOWN = 10_000;

export function copyOf({ accepted, limited, refused, forms }: KnownKeys): KnownKeys {
  return {
    accepted: new Set(accepted),
    limited: new Set(limited),
    refused: new Set(refused),
    forms: new Set(forms),
  };
}

/** Forgets the oldest values over the limit: a proxy runs for months. */
export function forgetSome({ accepted, limited, refused, forms }: KnownKeys): void {
  for (const set of [accepted, refused, forms])
    for (const value of [...set].slice(0, Math.max(0, set.size - MAX_KNOWN))) set.delete(value);
  // Only for accepted keys it matters whether they were limited.
  for (const value of limited) if (!accepted.has(value) && limited.size > MAX_KNOWN) limited.delete(value);
}

/** The standing of each exchange of a part of a recording. What the part shows is added to the known keys. */
export function standingsOf(captured: readonly Captured[], knownKeys: KnownKeys): Standing[] {
  const acceptedBefore = new Set(knownKeys.accepted);
  const limitedBefore = new Set(knownKeys.limited);
  const last = new Map<string, number>();
  for (const [index, exchange] of captured.entries()) {
    const { fingerprint, form } = exchange.sentKey;
    const key = exchange.own?.key === 'valid' ? OWN : form === 'own' ? fingerprint : undefined;
    if (!isSuccess(exchange)) continue;
    knownKeys.forms.add(formOf(exchange));
    if (key === undefined) continue;
    knownKeys.accepted.add(key);
    last.set(key, index);
  }
  return captured.map((exchange, index): Standing => {
    const { fingerprint, form } = exchange.sentKey;
    const isFormProven = isPlain(exchange) || knownKeys.forms.has(formOf(exchange));
    if (exchange.own) {
      const isValid = exchange.own.key === 'valid';
      return { group: OWN, isKeyProven: isValid, isKeySteady: isValid, isKeyBanned: false, isFormProven };
    }
    if (fingerprint === undefined)
      return { isKeyProven: false, isKeySteady: false, isKeyBanned: false, isFormProven };
    const isProven = knownKeys.accepted.has(fingerprint);
    const isSteady =
      acceptedBefore.has(fingerprint) &&
      (last.get(fingerprint) ?? -1) > index &&
      !limitedBefore.has(fingerprint);
    const isKeyBanned = knownKeys.refused.has(fingerprint);
    if (isSuccess(exchange)) {
      acceptedBefore.add(fingerprint);
      knownKeys.refused.delete(fingerprint);
    }
    if (exchange.response?.status === 429) {
      knownKeys.refused.add(fingerprint);
      limitedBefore.add(fingerprint);
      knownKeys.limited.add(fingerprint);
    }
    const misused =
      isProven && form === 'other-scheme' ? 'scheme' : isProven && form === 'bare' ? 'bare' : undefined;
    return {
      group: form === 'own' ? fingerprint : undefined,
      isKeyProven: form === 'own' && isProven,
      isKeySteady: form === 'own' && isSteady,
      isKeyBanned,
      misused: misused && headerValues(exchange.requestHeaders, 'Cookie').length === 0 ? misused : undefined,
      isFormProven,
    };
  });
}

/** Headers whose values a service may refuse. */
const TELLING = ['Accept', 'Origin', 'User-Agent', 'Content-Type', 'Accept-Language'];

/** Usual headers. A service may refuse others, such as those of a proxy. */
const USUAL =
  /^(?:accept|accept-encoding|accept-language|authorization|cache-control|connection|content-length|content-type|cookie|host|keep-alive|pragma|priority|referer|sec-.*|te|traceparent|transfer-encoding|user-agent)$/i;

function unusualNames({ requestHeaders }: Captured): string[] {
  return requestHeaders.map(([name]) => name.toLowerCase()).filter((name) => !USUAL.test(name));
}

function formOf(captured: Captured): string {
  const { method, requestHeaders, url } = captured;
  const names = [...new URL(url).searchParams.keys()].sort();
  const values = TELLING.map((name) => headerValues(requestHeaders, name));
  return JSON.stringify([method, names, values, unusualNames(captured).sort()]);
}

/** Whether the headers are those of the plainest request, which asks for JSON and comes from no other site. */
function isPlain(captured: Captured): boolean {
  const accepted = headerValue(captured.requestHeaders, 'Accept') ?? '';
  return /^application\/json(?:;|$)/i.test(accepted) && unusualNames(captured).length === 0;
}
