/** Whether a text can be an API key: a header has it after a scheme, so it is ASCII without spaces (RFC 9110 section 5.5). */
export function isKeyText(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}
