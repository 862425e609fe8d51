/** Whether an address can hold a text: half of a character, as `"\\ud800"` in JSON, has no bytes to encode. */
export function isEncodable(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}

/** The text percent-encoded for a segment of a path (RFC 3986 section 2.1); what {@link isEncodable} refuses, as URLs have it. */
export function percentEncoded(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'));
}

/** The text without percent-encoding (RFC 3986 section 2.1); as it is where that is not well-formed. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The bytes that a text in ASCII stands for, which need not be UTF-8. What is not well-formed stays as it is. */
export function percentDecodedBytes(text: string): Buffer {
  const bytes = text.replace(/%([\da-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(bytes, 'latin1');
}
