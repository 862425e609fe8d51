import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { entryOf } from '../../test/recordings/entries.ts';
import { readRecording } from './read-recording.ts';

const MIB = 1024 * 1024;

async function outcomesOf(texts: readonly string[]): Promise<string[]> {
  const outcomes: string[] = [];
  for await (const read of readRecording('-', Readable.from(texts.map((each) => Buffer.from(each)))))
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
