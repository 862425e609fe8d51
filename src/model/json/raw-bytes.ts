/** A lone surrogate represents a byte, as no valid text has lone surrogates. */
const RAW = /([\udc80-\udcff])/u;
const FIRST = 0xdc00;

/** The character that stands for a byte from 0x80 up, which is not UTF-8 by itself, in a text that is sent as bytes. */
export function rawByte(byte: number): string {
  return String.fromCharCode(FIRST + byte);
}

/** Whether a text is sent with a byte that is not UTF-8. */
export function hasRawByte(text: string): boolean {
  return RAW.test(text);
}

/** The bytes that are sent for a text: UTF-8, except for raw bytes. */
export function bytesOf(text: string): Buffer {
  if (!RAW.test(text)) return Buffer.from(text);
  const parts = text.split(RAW);
  return Buffer.concat(
    parts.map((part) => (RAW.test(part) ? Buffer.from([part.charCodeAt(0) - FIRST]) : Buffer.from(part))),
  );
}
