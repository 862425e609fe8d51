import {
  appendFileSync,
  closeSync,
  ftruncateSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { exchange } from '../../../test/exchanges/exchange.ts';
import { DamagedLedger, exchangesOf, headerOf, type LedgerHeader, openLedger, readLedger } from './ledger.ts';

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'petspec-ledger-'));
  path = join(folder, 'ledger.jsonl');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const header = (run: string): LedgerHeader => ({
  record: 'run',
  ledgerVersion: 1,
  run,
  petspec: '0.1.0',
  specDigest: '0'.repeat(64),
  startedAt: 0,
  target: { baseUrl: 'http://localhost/v1' },
  options: {},
});

const listed = (id: number, body: string) => exchange({ id, response: { status: 200, headers: [], body } });

test('a line is on disk before the ledger is closed', () => {
  const ledger = openLedger(path);
  ledger.write(header('a'));
  ledger.write(listed(1, '[]'));
  expect([...exchangesOf(path)].map(({ id }) => id)).toEqual([1]);
  expect(headerOf(path)?.run).toBe('a');
  ledger.close();
});

test.each([
  ['line separators, which readline takes for the end of a line', '\u2028\u2029\u0085'],
  ['carriage returns and line feeds', 'a\r\nb\rc\n'],
  ['characters of four bytes, across the chunks that are read', '🐾'.repeat(100_000)],
  ['halves of characters', '\ud800 \udc00'],
  ['nothing', ''],
])('a body comes back as it was: %s', (_, body) => {
  const ledger = openLedger(path);
  ledger.write(listed(1, 'x'));
  ledger.write(listed(2, body));
  ledger.write(listed(3, 'y'));
  ledger.close();
  expect([...exchangesOf(path)].map(({ response }) => response?.body)).toEqual(['x', body, 'y']);
});

test('a last line that was cut short is left out', () => {
  const ledger = openLedger(path);
  ledger.write(listed(1, 'x'));
  const whole = readFileSync(path).length;
  ledger.write(listed(2, 'ü'));
  ledger.close();
  const size = readFileSync(path).length;
  for (let length = size - 2; length >= whole; length -= 1) {
    truncateSync(path, length);
    expect([...exchangesOf(path)].map(({ id }) => id)).toEqual([1]);
  }
});

test('a last line that only lacks its line feed is complete', () => {
  writeFileSync(path, JSON.stringify(listed(7, 'x')));
  expect([...exchangesOf(path)].map(({ id }) => id)).toEqual([7]);
});

test('an invalid line in the middle is named', () => {
  writeFileSync(path, `${JSON.stringify(listed(1, 'x'))}\nno JSON\n${JSON.stringify(listed(2, 'y'))}\n`);
  expect(() => [...readLedger(path)]).toThrow(DamagedLedger);
  expect(() => [...readLedger(path)]).toThrow('line 2');
});

test('a second run replaces the ledger of the first, even while that still writes', () => {
  const first = openLedger(path);
  first.write(header('first'));
  const second = openLedger(path);
  second.write(header('second'));
  first.write(listed(1, 'of the first'));
  second.write(listed(1, 'of the second'));
  first.close();
  second.close();
  expect(headerOf(path)?.run).toBe('second');
  expect([...exchangesOf(path)].map(({ response }) => response?.body)).toEqual(['of the second']);
});

test('lines are read one at a time', () => {
  writeFileSync(path, '');
  for (let id = 1; id <= 2_000; id += 1)
    appendFileSync(path, `${JSON.stringify(listed(id, 'x'.repeat(200)))}\n`);
  const lines = exchangesOf(path);
  expect(lines.next().value?.id).toBe(1);
  // What is not read yet can still change: nothing but the first chunk was taken into memory.
  truncateSync(path, 500_000);
  const rest = [...lines];
  expect(rest.length).toBeGreaterThan(100);
  expect(rest.length).toBeLessThan(1_999);
});

test('an open ledger is read from its beginning each time, even if its path is replaced', () => {
  const ledger = openLedger(path);
  ledger.write(header('first'));
  const held = openSync(path, 'r');
  const second = openLedger(path);
  second.write(header('second'));
  ledger.write(listed(1, 'of the first'));
  for (let time = 0; time < 2; time += 1) {
    expect(headerOf(held)?.run).toBe('first');
    expect([...exchangesOf(held)].map(({ response }) => response?.body)).toEqual(['of the first']);
  }
  expect(headerOf(path)?.run).toBe('second');
  for (const each of [ledger, second]) each.close();
  closeSync(held);
});

test('an endless line is an error, and is not held in memory', () => {
  const file = openSync(path, 'w');
  // A hole takes no room on the disk.
  ftruncateSync(file, 1024 * 1024 * 1024);
  closeSync(file);
  expect(() => [...readLedger(path)]).toThrow(DamagedLedger);
  expect(() => [...readLedger(path)]).toThrow('line 1 is longer');
});
