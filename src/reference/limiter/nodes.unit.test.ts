import { expect, test } from 'vitest';
import { createNodes } from './nodes.ts';

const told = (limit: number, count: number) => {
  const next = createNodes(limit);
  return Array.from({ length: count }, next);
};

test('two nodes count apart, and each learns what the other counted with every eighth request', () => {
  expect(told(100, 20)).toEqual([
    // Neither knows of the other.
    ...[99, 99, 98, 98, 97, 97, 96, 96, 95, 95, 94, 94, 93, 93],
    // With its eighth request, the first node learns of seven, and the second of eight.
    ...[85, 84, 84, 83, 83, 82],
  ]);
});

test('never less than what remains; never much more; exact near the end', () => {
  for (const limit of [60, 300, 1000]) {
    const ahead = told(limit, limit).map((remaining, index) => remaining - (limit - index - 1));
    expect(Math.min(...ahead)).toBe(0);
    expect(Math.max(...ahead)).toBe(7);
    expect(ahead.slice(-8)).toEqual(Array(8).fill(0));
  }
});
