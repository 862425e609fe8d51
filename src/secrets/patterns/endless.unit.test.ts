import { expect, test } from 'vitest';
import { redactor } from '../redact.ts';

/**
 * Rows of backslashes, quotes and their escapes that a pattern could match in more than one way. With two ways for each
 * pair, one of these tests would take years.
 */
const PAIRS: readonly (readonly [key: string, text: string])[] = [
  ["'\\", "'\\\\\\\\\\"],
  ["'\\", "\\'\\\\\\\\"],
  ["\\'", "\\\\\\\\\\'"],
  ["\\'", '\\\\\\\\u0027'],
  ["\\'", '%5c%5c%5c%27'],
  ['\\a', '%5ca'],
  ['\\a', '\\\\\\\\u005ca'],
  ['\\a', '\\\\\\\\u0061'],
  ['"a', '%22a'],
  ['"a', '%252522%61'],
  ['/a', '\\\\%2fa'],
  ['\\n', '=\\n\\n\\n'],
  ['=\\r', '=\\r'],
  ['=\\n', '==\\n\\n'],
  ['%25', '%252525'],
  ['&amp;', '&amp;amp;'],
  ['p;', '&#112;&#59;'],
  [';', '&#59;'],
  ['&;', '\\u0026amp;amp;;'],
  ['\\&', '\\\\\\\\u0026amp;'],
  ['\\p', '\\\\\\\\u{70}'],
  ['\\é', '\\\\\\\\u00e9'],
  ['\\€', '\\\\\\\\u20ac'],
];

test.each(PAIRS)('a key of twenty times %s, and a text that is nearly the same: %s', (pair, written) => {
  const key = `${pair.repeat(20)}x9`;
  const redact = redactor(key);
  const text = `${written.repeat(24)}?`;
  redact(`${text} ${text}`);
  expect(redact(`${text} ${key}`)).toContain('[key]');
});
