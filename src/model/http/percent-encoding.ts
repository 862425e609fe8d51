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
