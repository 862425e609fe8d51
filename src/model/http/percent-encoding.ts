/** The text without percent-encoding (RFC 3986 section 2.1); as it is where that is not well-formed. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
