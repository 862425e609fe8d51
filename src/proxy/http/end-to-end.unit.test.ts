import { expect, test } from 'vitest';
import { endToEnd } from './end-to-end.ts';

test('lines of one connection, and those that any Connection line names, are left out', () => {
  const lines = ['A', '1', 'connection', 'close, X-Own', 'x-own', '2', 'Connection', 'b', 'B', '3', 'a', '4'];
  expect(endToEnd(lines)).toEqual(['A', '1', 'a', '4']);
});

/** As many lines as a head may have. */
const LINES = 16_000;

test.each([
  ['many Connection lines', Array.from({ length: LINES }, () => ['Connection', 'a,b']).flat()],
  [
    'one that names very many',
    ['Connection', 'abc,'.repeat(40_000), ...Array.from({ length: LINES }, () => ['Abcdef', '']).flat()],
  ],
])('a head with %s keeps nobody waiting', (_what, lines) => {
  const started = performance.now();
  endToEnd(lines);
  expect(performance.now() - started).toBeLessThan(500);
});
