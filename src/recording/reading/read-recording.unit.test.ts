import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { entryOf, harText, REX } from '../../../test/recordings/entries.ts';
import { UsageError } from '../../model/usage-error.ts';
import { readRecording } from './read-recording.ts';

const MIB = 1024 * 1024;

function outcomesOf(texts: readonly string[]): Promise<string[]> {
  return outcomesOfStream(Readable.from(texts.map((each) => Buffer.from(each))));
}

async function outcomesOfStream(stream: Readable): Promise<string[]> {
  const outcomes: string[] = [];
  for await (const read of readRecording('-', stream))
    outcomes.push(read === 'nothing' || !('omitted' in read) ? 'read' : read.omitted);
  return outcomes;
}

test('a line of more than 16 MiB is too long, also the last one, and the others are read', async () => {
  const line = `${JSON.stringify(entryOf())}\n`;
  const long = ['{"log', ...Array<string>(17).fill('x'.repeat(MIB))];
  expect(await outcomesOf([line, ...long, '"\n', line])).toEqual(['read', 'too-long', 'read']);
  expect(await outcomesOf([line, ...long])).toEqual(['read', 'too-long']);
});

test('an entry of a HAR that is too long is not judged', async () => {
  const long = Array<string>(17).fill(`"${'x'.repeat(MIB)}",`);
  const texts = ['{"log":{"entries":[{"a":[', ...long, `0]},${JSON.stringify(entryOf())}]}}`];
  expect(await outcomesOf(texts)).toEqual(['too-long', 'read']);
});

const HAR = { log: { version: '1.2', creator: { log: { entries: [] } }, entries: [entryOf(), entryOf()] } };
const LINE = JSON.stringify(entryOf());
const LATE = { creator: 'x "log": {', other: [{ a: ['entries', '{'] }], ...HAR };

test.each<[string, string, readonly string[]]>([
  ['a HAR with members before its log', JSON.stringify(LATE), ['read', 'read']],
  ['such a HAR in several lines', JSON.stringify(LATE, undefined, 1), ['read', 'read']],
  [
    'such a HAR with an entry on each line',
    JSON.stringify(LATE).replaceAll('{"started', '\n{"started'),
    ['read', 'read'],
  ],
  ['a HAR whose entries come first', JSON.stringify({ c: 1, log: { entries: [], version: '1.2' } }), []],
  ['a HAR after blank lines', `\n\n ${JSON.stringify(HAR)}`, ['read', 'read']],
  ['a HAR that is cut', JSON.stringify(LATE).slice(0, -20), ['read', 'cut-off']],
  ['entries on lines', `${LINE}\n${LINE}`, ['read', 'read']],
  [
    'lines with a log of their own',
    `{"level":1,"log":{"entries":1},${LINE.slice(1)}\n${LINE}`,
    ['read', 'read'],
  ],
  ['lines with a log of their own, and no more', '{"time":1,"log":{"level":"info"}}\n', ['unreadable']],
  ['lines whose first one is cut', `${LINE.slice(0, 20)}\n${LINE}\n`, ['unreadable', 'read']],
  ['lines whose first one is cut after a comma', `{"startedDateTime":1,\n${LINE}\n`, ['unreadable', 'read']],
])('%s is read as what it is, in pieces of any size', async (_what, text, expected) => {
  for (const size of [1, 5, 1_000_000])
    expect(await outcomesOf(text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [])).toEqual(expected);
});

test.each<[string, string]>([
  ['another JSON document', JSON.stringify({ schemaVersion: 1, requirements: [{ id: 'x' }] }, undefined, 2)],
  ['a log without entries', '{"log":{"version":"1.2"}}'],
  ['an empty object', '{ }'],
  ['a list', `[${LINE}]`],
])('%s is no recording', async (_what, text) => {
  await expect(outcomesOf([text])).rejects.toThrow(/^standard input: is not a recording; expected a HAR/);
});

test.each<[string, string]>([
  ['many values', `[${'{},'.repeat(1_000_000)}{}]`],
  ['deep nesting', '['.repeat(1_000_000) + ']'.repeat(1_000_000)],
])('a line is too long by its %s, also the last one', async (_what, values) => {
  const line = JSON.stringify(entryOf());
  const wide = line.replace('{', `{"x":${values},`);
  expect(await outcomesOf([wide, '\n', line, '\n', wide])).toEqual(['too-long', 'read', 'too-long']);
});

test('a text in a line may have any characters', async () => {
  const body = JSON.stringify('[{,'.repeat(1_000_000));
  expect(await outcomesOf([JSON.stringify(entryOf({ body }))])).toEqual(['read']);
});

test('the last line is only cut off if it is not JSON', async () => {
  const line = JSON.stringify(entryOf({ more: { _fromCache: 'memory' } }));
  expect(await outcomesOf([line])).toEqual(['cached']);
  expect(await outcomesOf([line.slice(0, -1)])).toEqual(['cut-off']);
});

test.each([
  ['little', (bytes: Buffer) => bytes],
  ['big', (bytes: Buffer) => bytes.swap16()],
] as const)(
  'UTF-16 with a byte order mark, as tools of Windows write it, is read (%s endian)',
  async (_what, ordered) => {
    const entry = entryOf({ body: [{ ...REX, name: 'Zo\u00eb \u{1f415}' }] });
    const bytes = ordered(Buffer.from(`\ufeff${harText([entry])}`, 'utf16le'));
    // The last piece ends in the middle of a character.
    const pieces = [bytes.subarray(0, 2), bytes.subarray(2, 701), bytes.subarray(701)];
    const read = await Readable.from(readRecording('-', Readable.from(pieces))).toArray();
    expect(read).toMatchObject([{ recorded: { response: { body: entry.response.content.text } } }]);
  },
);

test('a HAR that is nested without end is refused in one line', async () => {
  const texts = ['{"log":{"entries":[{"a":', ...Array<string>(100).fill('['.repeat(64 * 1024))];
  await expect(outcomesOf(texts)).rejects.toThrow(
    new UsageError('standard input: is nested deeper than any HAR'),
  );
});

/** A stream that ends with an error. */
const failing = (error: Error) =>
  Readable.from(
    (async function* () {
      yield Buffer.from('{"log":{"entries":[');
      throw error;
    })(),
  );

test('what the system cannot read is told in one line', async () => {
  const error = Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO', syscall: 'read' });
  await expect(outcomesOfStream(failing(error))).rejects.toThrow(
    new UsageError('standard input: EIO: i/o error, read'),
  );
});

test("a mistake of petspec's own is not taken for an unreadable file, although Node gives it a code", async () => {
  const error = Object.assign(new TypeError('The "chunk" argument is wrong'), {
    code: 'ERR_INVALID_ARG_TYPE',
  });
  await expect(outcomesOfStream(failing(error))).rejects.toBe(error);
});
