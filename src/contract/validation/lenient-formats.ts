const ATOM = "[\\w!#$%&'*+/=?^`{|}~\\u{80}-\\u{10ffff}-]+";
const LABEL = '[a-z0-9\\u{80}-\\u{10ffff}](?:[a-z0-9\\u{80}-\\u{10ffff}-]{0,61}[a-z0-9\\u{80}-\\u{10ffff}])?';

/** A mailbox (RFC 5321 section 4.1.2): its domain may be one label, or an address. RFC 6531 allows more characters. */
const MAILBOX = new RegExp(
  `^(?:${ATOM}(?:\\.${ATOM})*|"(?:[^"\\\\\\r\\n]|\\\\[^\\r\\n])*")@(?:${LABEL}(?:\\.${LABEL})*|\\[[^\\[\\]\\s]+\\])$`,
  'iu',
);

/** A duration (ISO 8601): RFC 3339 knows no fractions and signs, and many libraries write them. */
const DURATION =
  /^[+-]?P(?=[\dT])(?:\d+(?:[.,]\d+)?Y)?(?:\d+(?:[.,]\d+)?M)?(?:\d+(?:[.,]\d+)?W)?(?:\d+(?:[.,]\d+)?D)?(?:T(?=\d)(?:\d+(?:[.,]\d+)?H)?(?:\d+(?:[.,]\d+)?M)?(?:\d+(?:[.,]\d+)?S)?)?$/;

/**
 * OpenAPI 3.0 only says base64. There is another one for URLs, and either may come without padding (RFC 4648). There is one way to
 * match each blank: with two, a megabyte of them takes minutes.
 */
const BASE64 = /^[\w+/\s-]*(?:={1,2}\s*)?$/;

/**
 * The formats about which people differ, as lenient as somebody who knows the standards can be: what is no such text by any reading
 * is told.
 */
export const LENIENT_FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  byte: (text) => BASE64.test(text),
  duration: (text) => DURATION.test(text),
  email: (text) => MAILBOX.test(text),
};
