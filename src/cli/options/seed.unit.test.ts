import { describe, expect, test } from 'vitest';
import { MAX_SEED } from '../../run/options.ts';
import { seed } from './option-values.ts';

describe('--seed', () => {
  test.each([
    ['0', 0],
    ['7', 7],
    [String(MAX_SEED), MAX_SEED],
  ])('%s', (text, value) => {
    expect(seed(text)).toBe(value);
  });

  test('random draws one of them', () => {
    const drawn = Array.from({ length: 20 }, () => seed('random'));
    expect(new Set(drawn).size).toBeGreaterThan(1);
    for (const each of drawn) expect(seed(String(each))).toBe(each);
  });

  test.each(['', '-1', '1.5', '1e3', 'seven', String(MAX_SEED + 1)])("'%s' is refused", (text) => {
    expect(() => seed(text)).toThrow('expected random, or an integer from 0 to');
  });
});
