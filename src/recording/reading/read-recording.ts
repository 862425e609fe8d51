import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { foreignFile } from '../../contract/foreign-file.ts';
import { countValues } from '../../model/json/json-text.ts';
import { UsageError } from '../../model/usage-error.ts';
import { LIGHT } from '../../session/http/bounds.ts';
import { VALUE_SIZE } from '../recorded.ts';
import { type ReadLine, readHarEntry, readLine } from './entry.ts';
import { harReader, NotJson, TooDeep } from './har-stream.ts';
import { FormatTeller, type RecordingFormat } from './recording-format.ts';
import { TOO_LONG } from './value-builder.ts';

/** The file name of standard input. */
export const STDIN = '-';

/** The name of a file in messages and reports. */
export function shownName(name: string): string {
  return name === STDIN ? 'standard input' : name;
}

/** Longer lines of newline-delimited JSON are left out, in characters. */
const MAX_LINE = 16 * 1024 * 1024;

/**
 * Reads a recording, with one entry at a time in memory.
 * @param name the file, or {@link STDIN}
 * @throws UsageError if it cannot be read or is not a recording
 */
export async function* readRecording(name: string, stdin: Readable): AsyncGenerator<ReadLine> {
  const bytes = name === STDIN ? stdin : createReadStream(name);
  const shown = shownName(name);
  try {
    const texts = decoded(await unpacked(bytes));
    const { format, beginning } = await beginningOf(texts);
    // Only the beginning: it is not kept while the rest is read.
    const foreign = foreignFile(beginning.join('').replace(/^\ufeff/, ''), 'a recording', EXPECTED);
    if (format === 'empty') throw noRecording(shown, `is empty; ${EXPECTED}`);
    if (format === 'neither') throw noRecording(shown, foreign);
    const whole = continued(beginning, texts);
    yield* format === 'har' ? entriesOf(whole, shown, foreign) : linesOf(whole, shown, foreign);
  } catch (error) {
    throw isReadError(error) ? new UsageError(`${shown}: ${messageOf(error)}`) : error;
  }
}

/** Whether the system or the compressed data caused an error. Node gives errors about wrong calls a code as well. */
function isReadError(error: unknown): error is NodeJS.ErrnoException {
  if (!(error instanceof Error)) return false;
  return 'syscall' in error || ('code' in error && String(error.code).startsWith('Z_'));
}

function messageOf({ code, message }: NodeJS.ErrnoException): string {
  if (code === 'ENOENT') return 'no such file';
  if (code === 'EISDIR') return 'is a folder; name the file in it';
  if (code === 'EACCES') return 'no permission to read it';
  return code?.startsWith('Z_') ? 'the compressed file is damaged or incomplete' : message;
}

/** Unpacks gzip, which begins with these two bytes (RFC 1952 section 2.3.1). */
async function unpacked(bytes: Readable): Promise<AsyncIterable<Buffer>> {
  const chunks = bytes.iterator() as AsyncIterableIterator<Buffer>;
  const { value: first } = await chunks.next();
  const whole = continued<Buffer>(first ? [first] : [], chunks);
  if (first?.[0] !== 0x1f || first[1] !== 0x8b) return whole;
  const { Readable: Stream } = await import('node:stream');
  const packed = Stream.from(whole);
  const unpacking = createGunzip();
  packed.on('error', (error) => unpacking.destroy(error));
  return packed.pipe(unpacking);
}

async function* continued<T>(first: readonly T[], rest: AsyncIterable<T>): AsyncGenerator<T> {
  yield* first;
  yield* rest;
}

/** The text of bytes; a byte order mark is left out. */
async function* decoded(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  for await (const chunk of bytes) {
    decoder ??= new TextDecoder(encodingOf(chunk));
    yield decoder.decode(chunk, { stream: true });
  }
  if (decoder) yield decoder.decode();
}

/** Windows tools write UTF-16 with a byte order mark (Encoding Standard section 6). JSON is UTF-8 by default. */
function encodingOf([first, second]: Buffer): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}

interface Beginning {
  format: RecordingFormat | 'empty';
  beginning: string[];
}

/** Reads until the format is known. Returns the text so far, as it cannot be read again. */
async function beginningOf(texts: AsyncGenerator<string>): Promise<Beginning> {
  const teller = new FormatTeller();
  const beginning: string[] = [];
  let length = 0;
  while (length <= MAX_LINE) {
    const { value: text, done } = await texts.next();
    if (done) break;
    beginning.push(text);
    length += text.length;
    const format = teller.tell(text);
    if (format) return { format, beginning };
  }
  const isEmpty = beginning.every((text) => text.trim() === '');
  return { format: isEmpty ? 'empty' : teller.guess(), beginning };
}

const EXPECTED = 'expected a HAR, a ledger of petspec, or one HAR entry on each line';

function noRecording(name: string, what = `is not a recording; ${EXPECTED}`): UsageError {
  return new UsageError(`${name}: ${what}`);
}

/** @param foreign the message for a file that is no HAR */
async function* entriesOf(
  texts: AsyncIterable<string>,
  name: string,
  foreign: string | undefined,
): AsyncGenerator<ReadLine> {
  const reader = harReader();
  for await (const text of texts) {
    let entries: unknown[];
    try {
      entries = reader.read(text);
    } catch (error) {
      if (error instanceof TooDeep) throw new UsageError(`${name}: is nested deeper than any HAR`);
      if (!(error instanceof NotJson)) throw error;
      throw noRecording(name, foreign ?? 'is not valid JSON; record or export it again');
    }
    for (const entry of entries) yield entry === TOO_LONG ? { omitted: 'too-long' } : readHarEntry(entry);
  }
  if (!reader.isWhole()) yield { omitted: 'cut-off' };
  else if (!reader.hasEntries()) throw noRecording(name, foreign);
}

/** The lines of a text. @param foreign the message if the first line is no entry */
async function* linesOf(
  texts: AsyncIterable<string>,
  name: string,
  foreign: string | undefined,
): AsyncGenerator<ReadLine> {
  let isFirst = true;
  for await (const line of readLines(texts)) {
    if (isFirst && foreign !== undefined && line !== 'nothing' && 'omitted' in line)
      throw noRecording(name, foreign);
    isFirst = false;
    yield line;
  }
}

/** Only a line feed ends a line: a text may contain other line ends. */
async function* readLines(texts: AsyncIterable<string>): AsyncGenerator<ReadLine> {
  let begun = '';
  let isTooLong = false;
  for await (const text of texts) {
    const [first = '', ...rest] = text.split('\n');
    for (const line of rest.length > 0 ? [first, ...rest.slice(0, -1)] : []) {
      const whole = begun + line;
      if (isTooLong) yield { omitted: 'too-long' };
      else if (whole.trim() !== '') yield parsed(whole);
      begun = '';
      isTooLong = false;
    }
    const open = rest.at(-1) ?? first;
    isTooLong ||= begun.length + open.length > MAX_LINE;
    begun = isTooLong ? '' : begun + open;
  }
  if (isTooLong) yield { omitted: 'too-long' };
  if (begun.trim() === '') return;
  const last = parsed(begun);
  const isUnreadable = last !== 'nothing' && 'omitted' in last && last.omitted === 'unreadable';
  yield isUnreadable ? { omitted: 'cut-off' } : last;
}

/** Whether the values of a line would take more memory than a line may: `[[[[` is a few bytes in a compressed file. */
function hasTooManyValues(line: string): boolean {
  return line.length >= LIGHT && line.length + countValues(line) * VALUE_SIZE > MAX_LINE;
}

function parsed(line: string): ReadLine {
  if (hasTooManyValues(line)) return { omitted: 'too-long' };
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { omitted: 'unreadable' };
  }
  return readLine(value);
}
