const [QUOTE, BACKSLASH, COLON] = [0x22, 0x5c, 0x3a];
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);
const NAME = Buffer.from('"exchanges"');
const NONE = Buffer.from('[]');

/**
 * The bytes of a report.json with an empty list of exchanges, which take up nearly all of it: to parse them takes many times
 * as much memory. Bytes that are not JSON stay what they are.
 */
export function withoutExchanges(bytes: Buffer): Buffer {
  const start = startOfExchanges(bytes);
  if (start === undefined) return bytes;
  const end = bracketAfter(bytes, start);
  if (end === undefined) return bytes;
  return Buffer.concat([bytes.subarray(0, start), NONE, bytes.subarray(end + 1)]);
}

/** Where the value of the member `exchanges` of the report itself begins, if it is a list. */
function startOfExchanges(bytes: Buffer): number | undefined {
  let depth = 0;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index] ?? 0;
    if (OPENING.has(byte)) depth += 1;
    else if (CLOSING.has(byte)) depth -= 1;
    if (byte !== QUOTE) continue;
    const end = endOfText(bytes, index);
    const colon = afterBlanks(bytes, end + 1);
    const value = afterBlanks(bytes, colon + 1);
    const isFound = depth === 1 && bytes[colon] === COLON && bytes.subarray(index, end + 1).equals(NAME);
    if (isFound) return bytes[value] === 0x5b ? value : undefined;
    index = end;
  }
  return undefined;
}

/** The bracket that closes the one at a place. */
function bracketAfter(bytes: Buffer, start: number): number | undefined {
  let depth = 0;
  for (let index = start; index < bytes.length; index += 1) {
    const byte = bytes[index] ?? 0;
    if (byte === QUOTE) index = endOfText(bytes, index);
    else if (OPENING.has(byte)) depth += 1;
    else if (CLOSING.has(byte)) depth -= 1;
    if (depth === 0) return index;
  }
  return undefined;
}

/** The quote that ends the text that begins with one, or the end of all. */
function endOfText(bytes: Buffer, start: number): number {
  for (let end = bytes.indexOf(QUOTE, start + 1); end >= 0; end = bytes.indexOf(QUOTE, end + 1)) {
    let escapes = 0;
    while (bytes[end - 1 - escapes] === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return end;
  }
  return bytes.length;
}

function afterBlanks(bytes: Buffer, start: number): number {
  let index = start;
  while (/[ \t\r\n]/.test(String.fromCharCode(bytes[index] ?? 0))) index += 1;
  return index;
}
