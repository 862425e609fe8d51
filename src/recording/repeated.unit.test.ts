import { expect, test } from 'vitest';
import { entryOf, NOON } from '../../test/recordings/entries.ts';
import { type ReadLine, readLine } from './reading/entry.ts';
import { withoutReplaced } from './repeated.ts';

/** A line of the ledger of petspec proxy. */
const line = (entry: number, note: string, at = entry) =>
  readLine(entryOf({ at, more: { _entry: entry }, answer: { 'x-note': note } }));

/** The numbers and notes of what is left, and how many entries waited at most. */
async function left(lines: Iterable<ReadLine>) {
  let read = 0;
  let most = 0;
  const found: string[] = [];
  async function* counted() {
    for (const each of lines) {
      read += 1;
      yield each;
    }
  }
  for await (const each of withoutReplaced(counted())) {
    most = Math.max(most, read - found.length);
    if (each === 'nothing' || !('recorded' in each)) throw new Error('no exchange');
    const { entry, response } = each.recorded;
    const note = response?.headers.find(([name]) => name === 'x-note')?.[1];
    found.push(`${entry ?? 'no number'} ${note}`);
  }
  return { found, most };
}

test('what replaces an entry takes its place, however often', async () => {
  const lines = [line(1, 'a'), line(2, 'b'), line(3, 'c'), line(2, 'with bodies'), line(2, 'again')];
  expect((await left(lines)).found).toEqual(['1 a', '2 again', '3 c']);
});

test('an entry with the same number in another ledger is another exchange', async () => {
  const lines = [line(1, 'a'), line(2, 'b'), line(1, 'later', NOON), line(1, 'with bodies', NOON)];
  expect((await left(lines)).found).toEqual(['1 a', '2 b', '1 with bodies']);
});

test('as many entries wait as may still be replaced, and no more', async () => {
  const numbers = Array.from({ length: 5_000 }, (_, index) => index + 1);
  const lines = numbers.flatMap((each) =>
    // The exchange that ends a part makes the first one of it evidence.
    each % 2_000 === 0 ? [line(each, 'a'), line(each - 1_999, 'b')] : [line(each, 'a')],
  );
  const { found, most } = await left(lines);
  expect(found).toEqual(numbers.map((each) => `${each} ${each % 2_000 === 1 && each < 4_000 ? 'b' : 'a'}`));
  expect(most).toBeLessThan(2_010);
});

test('long entries do not wait for as many others', async () => {
  const long = 'x'.repeat(4 * 1024 * 1024);
  const { found, most } = await left(Array.from({ length: 40 }, (_, index) => line(index + 1, long)));
  expect(found).toHaveLength(40);
  expect(most).toBeLessThan(20);
});
