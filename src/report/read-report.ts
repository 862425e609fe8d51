import { isObject } from '../contract/schema.ts';
import { countValues } from '../model/json/json-text.ts';
import { type Report, SCHEMA_VERSION } from '../model/report/report.ts';
import { reportProblem } from '../model/report/report-schema.ts';

/** JSON values in a report. A report with a hundred thousand exchanges has fewer. */
const MAX_VALUES = 8_000_000;

/** Reads the text of a report.json. @returns the report, or why the text is not a report */
export function readReport(text: string): Report | string {
  if (countValues(text) > MAX_VALUES) return 'not a petspec report: it has more values than petspec reads';
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'not valid JSON';
  }
  const version = isObject(value) ? value.schemaVersion : undefined;
  if (typeof version !== 'number') return 'not a petspec report: schemaVersion is missing';
  if (version !== SCHEMA_VERSION)
    return `unsupported schemaVersion ${version}; this petspec reads ${SCHEMA_VERSION}`;
  const problem = reportProblem(value);
  return problem === undefined ? (value as Report) : `not a petspec report: ${problem}`;
}

const [QUOTE, BACKSLASH, COLON] = [0x22, 0x5c, 0x3a];
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);
const NAME = Buffer.from('"exchanges"');
const NONE = Buffer.from('[]');

/**
 * The bytes of a report.json with an empty list of exchanges. Exchanges are nearly all of a report, and parsing them takes many
 * times their size in memory. Bytes that are not JSON are returned unchanged.
 */
export function withoutExchanges(bytes: Buffer): Buffer {
  const start = startOfExchanges(bytes);
  if (start === undefined) return bytes;
  const end = bracketAfter(bytes, start);
  if (end === undefined) return bytes;
  return Buffer.concat([bytes.subarray(0, start), NONE, bytes.subarray(end + 1)]);
}

/** The index at which the list `exchanges` of the report begins; undefined if there is no such list at the top level. */
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
    const isExchanges = depth === 1 && bytes[colon] === COLON && bytes.subarray(index, end + 1).equals(NAME);
    if (isExchanges) return bytes[value] === 0x5b ? value : undefined;
    index = end;
  }
  return undefined;
}

/** The index of the bracket that closes the one at `start`. */
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

/** The index of the quote that ends the string that begins at `start`, or the length of the bytes. */
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
