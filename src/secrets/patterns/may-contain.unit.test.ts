import { describe, expect, test } from 'vitest';
import { redactor } from '../redact.ts';

describe('a key that is escaped from some place on', () => {
  /** Each begins like the end of an escape. */
  const KEYS = [
    '41zQ-9kLmW',
    '252541-9kLmW',
    '005-9kLmW',
    'x41-9kLmW',
    'u0041-9kLmW',
    'n41-9kLmW',
    'r-9kLmW',
  ];
  const BEFORE = [
    '',
    '%',
    '%25',
    '=',
    '=\\',
    '=\n',
    '\\',
    '\\x',
    '\\u',
    '\\u0',
    '\\u00',
    '&#',
    '&#x',
    '&amp;#0',
  ];
  const hex = (character: string) => character.charCodeAt(0).toString(16);
  const ESCAPES: readonly ((character: string) => string)[] = [
    (character) => `%${hex(character)}`,
    (character) => `%25252525${hex(character)}`,
    (character) => `=${hex(character)}`,
    (character) => `=\r\n${character}`,
    (character) => `=\\n\\r${character}`,
    (character) => `\\x${hex(character)}`,
    (character) => `\\\\u00${hex(character)}`,
    (character) => `&#0${character.charCodeAt(0)};`,
    (character) => `&amp;#x00${hex(character).toUpperCase()};`,
  ];

  test.each(KEYS)('%s, whatever comes before it', (key) => {
    const redact = redactor(key);
    const texts = BEFORE.flatMap((before) =>
      ESCAPES.flatMap((written) =>
        Array.from(key.slice(1), (_, place) => {
          const rest = [...key.slice(place + 1)].map(written);
          return `${before}${key.slice(0, place + 1)}${rest.join('')}`;
        }),
      ),
    );
    expect(texts.filter((text) => !redact(text).endsWith('[key]'))).toEqual([]);
  });
});

describe('bytes of a key with something between them', () => {
  const key = 'sk-live-4f9ZQ-0123';
  const redact = redactor(key);
  const bytes = [...Buffer.from(key)];
  const hex = bytes.map((byte) => byte.toString(16));

  test.each(['', ' ', ':', '-', ', ', ' : , - ', ':0x', ', 0x'])('in hexadecimal: %j', (between) => {
    const text = hex.join(between);
    for (const before of ['', '0x', ', 0x', 'id: ', '12, '])
      for (const written of [text, text.toUpperCase()])
        expect(redact(`${before}${written}`)).toBe(`${before}[key]`);
  });

  test.each([',', ', ', ' ', ',\n  ', '\\n,', ' ,\\\\t '])('as numbers: %j', (between) => {
    const text = bytes.join(between);
    const zeros = bytes.map(() => '0').join(between);
    for (const before of ['', '7, ', '[', '\\n'])
      expect([`${before}[key]`, `${before}${zeros}`]).toContain(redact(`${before}${text}`));
  });
});
