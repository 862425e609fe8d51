import type { Token } from 'stream-json/core/parser.js';
import { expect, test } from 'vitest';
import { entryOf, harText } from '../../../test/recordings/entries.ts';
import { harReader, NotJson, TooDeep } from './har-stream.ts';
import { CUT, MAX_TEXT, TOO_LONG, ValueBuilder } from './value-builder.ts';

const ENTRIES = [entryOf({ at: 1 }), entryOf({ at: 2, body: 'a "quoted"\n\u2028 text \ud83d\ude00' })];

test.each([1, 2, 7, 64, 100_000])('the entries of a HAR that comes in pieces of %i characters', (size) => {
  const text = harText(ENTRIES);
  const reader = harReader();
  const found: unknown[] = [];
  for (let place = 0; place < text.length; place += size)
    found.push(...reader.read(text.slice(place, place + size)));
  expect(found).toEqual(ENTRIES);
  expect(reader.isWhole()).toBe(true);
});

test('nothing but log.entries is read, however alike it is', () => {
  const reader = harReader();
  const text = JSON.stringify({
    log: {
      pages: [{ entries: [{ a: 1 }] }],
      creator: { log: { entries: [{ b: 1 }] } },
      entries: [{ c: [1, null, true] }],
    },
    entries: [{ d: 1 }],
  });
  expect(reader.read(text)).toEqual([{ c: [1, null, true] }]);
});

test('a text of any length is cut, and the next entry is whole', () => {
  const reader = harReader();
  const found: unknown[] = [...reader.read('{"log":{"entries":[{"text":"')];
  const piece = 'x'.repeat(1024 * 1024);
  for (let length = 0; length < 4 * MAX_TEXT; length += piece.length) found.push(...reader.read(piece));
  found.push(...reader.read('"},{"text":"short"}]}}'));
  const [long, short] = found as { text: string }[];
  expect(long?.text.length).toBeLessThanOrEqual(MAX_TEXT + CUT.length);
  expect(long?.text.endsWith(CUT)).toBe(true);
  expect(short).toEqual({ text: 'short' });
});

test.each<[string, string]>([
  ['long texts', `"${'x'.repeat(1024 * 1024)}",`.repeat(20)],
  ['values', `[${'0,'.repeat(9_000)}0],`.repeat(120)],
  ['long names', `{"${'x'.repeat(1024 * 1024)}":1},`.repeat(20)],
])('an entry that is too long by its many %s is not kept, and the next one is', (_what, values) => {
  const reader = harReader();
  const found = reader.read(`{"log":{"entries":[{"a":[${values}0]},{"b":1}]}}`);
  expect(found).toEqual([TOO_LONG, { b: 1 }]);
  expect(reader.isWhole()).toBe(true);
});

/** Pieces of a name: one text of V8 cannot hold as many characters. */
const BEYOND = Array<string>(520).fill('x'.repeat(1024 * 1024));

test('a name outside of entries may be longer than what is kept of it', () => {
  const reader = harReader();
  const pieces = ['{"log":{"', ...BEYOND, '":1,"entries":[{"b":1}]}}'];
  expect(pieces.flatMap((piece) => reader.read(piece))).toEqual([{ b: 1 }]);
});

test('and so may a name in an entry, which is too long then', () => {
  const builder = new ValueBuilder();
  const begin = [{ name: 'startObject' }, { name: 'startKey' }];
  const end = [{ name: 'endKey' }, { name: 'nullValue', value: null }, { name: 'endObject' }];
  const chunks = BEYOND.map((value) => ({ name: 'stringChunk', value }));
  const built = [...begin, ...chunks, ...end].map((token) => builder.add(token as Token));
  expect(built.at(-1)).toEqual({ value: TOO_LONG });
});

test('a number that is longer than an entry may be makes it too long', () => {
  const reader = harReader();
  const digits = '7'.repeat(17 * 1024 * 1024);
  expect(reader.read(`{"log":{"entries":[{"a":${digits}},{"b":-1.5e3}]}}`)).toEqual([TOO_LONG, { b: -1500 }]);
});

test('a HAR that ends in the middle is not whole, and has the entries until then', () => {
  const text = harText(ENTRIES);
  const reader = harReader();
  expect(reader.read(text.slice(0, -20))).toEqual(ENTRIES.slice(0, 1));
  expect(reader.isWhole()).toBe(false);
});

test('an entry has all its headers, however many they are', () => {
  const headers = Array.from({ length: 50_000 }, (_, index) => ({ name: `x-${index}`, value: 'v' }));
  expect(harReader().read(harText([{ response: { headers } }]))).toEqual([{ response: { headers } }]);
});

test('what is nested deeper than any HAR is left out', () => {
  const reader = harReader();
  const deep = `${'['.repeat(5_000)}${']'.repeat(5_000)}`;
  const [entry] = reader.read(`{"log":{"entries":[{"deep":${deep},"after":1}]}}`);
  expect(JSON.stringify(entry).length).toBeLessThan(200);
  expect(entry).toMatchObject({ after: 1 });
});

test.each<[string, string]>([
  ['an entry', '{"log":{"entries":[{"deep":'],
  ['the rest', '{"log":{"deep":'],
])('a text that is nested without end in %s is no longer read', (_what, before) => {
  const reader = harReader();
  reader.read(before);
  const pieces = Array<string>(100).fill('['.repeat(64 * 1024));
  expect(() => pieces.flatMap((piece) => reader.read(piece))).toThrow(TooDeep);
});

test('what is not JSON is an error', () => {
  expect(() => harReader().read('{"log":{"entries":[{]}}')).toThrow(NotJson);
});

test('a name that JavaScript knows is a name like any other', () => {
  const [entry] = harReader().read('{"log":{"entries":[{"__proto__":{"polluted":1}}]}}');
  expect(Object.getPrototypeOf(entry)).toBe(Object.prototype);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});
