/** Whether a URL can hold a text: half of a character, such as `"\\ud800"` in JSON, has no bytes to encode. */
export function isEncodable(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}

/** Percent-encodes a text for a path segment (RFC 3986 section 2.1). Half characters become U+FFFD, as in the URL standard. */
export function percentEncoded(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'));
}

/** Decodes a percent-encoded text (RFC 3986 section 2.1). Returns an ill-formed text unchanged. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Decodes a percent-encoded ASCII text to bytes, which may not be UTF-8. Ill-formed escapes stay unchanged. */
export function percentDecodedBytes(text: string): Buffer {
  const bytes = text.replace(/%([\da-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(bytes, 'latin1');
}
