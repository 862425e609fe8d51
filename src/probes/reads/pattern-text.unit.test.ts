import { expect, test } from 'vitest';
import { patternTexts } from './pattern-text.ts';

test.each([
  ['^cus_[a-z0-9]{14}$', {}],
  ['[A-F]{4}', { maxLength: 4 }],
  ['^\\+?[1-9]\\d{6,14}$', {}],
  ['^(red|blue)$', {}],
  ['^[a-z]+$', { minLength: 12, maxLength: 14 }],
])(
  'texts match %s and have its length',
  (pattern, { minLength = 0, maxLength = 100 }: { minLength?: number; maxLength?: number }) => {
    const texts = patternTexts({ pattern, minLength, maxLength });
    expect(texts.length).toBeGreaterThan(0);
    expect(new Set(texts).size).toBe(texts.length);
    for (const each of texts) {
      expect(each).toMatch(new RegExp(pattern));
      expect(each.length >= minLength && each.length <= maxLength).toBe(true);
      expect(each).not.toMatch(/^\d+$|[^ -~]/);
    }
  },
);

test.each(['^\\d+$', '^(?=a)b', '^a\\Z', '(', '^[a-z]{60}$'])(
  '%s has no text that may be sent',
  (pattern) => {
    expect(patternTexts({ pattern, maxLength: 50 })).toEqual([]);
  },
);

test('the texts are the same each time', () => {
  expect(patternTexts({ pattern: '^[A-Z]{3}\\d$' })).toEqual(patternTexts({ pattern: '^[A-Z]{3}\\d$' }));
});
