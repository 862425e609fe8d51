import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { spellingsOf } from '../../test/secrets/spellings.ts';
import { secretDetector } from './detect.ts';

/** Characters as in a token, the same ones in each test run. */
function tokenOf(length: number): string {
  let token = '';
  while (token.length < length) token += createHash('sha512').update(token).digest('base64url');
  return token.slice(0, length);
}

/** A token with signs that have escapes. */
const awkward = (length: number) =>
  tokenOf(length)
    .replace(/.{7}/g, (each, place: number) => each + `&"<>'=\\/%~`.charAt((place / 7) % 10))
    .slice(0, length);

const hexOf = (text: string) => [...Buffer.from(text)].map((byte) => byte.toString(16).padStart(2, '0'));
const codes = (text: string, write: (hex: string, code: number) => string) =>
  [...text]
    .map((each) => write(each.charCodeAt(0).toString(16).padStart(2, '0'), each.charCodeAt(0)))
    .join('');
const json = (text: string) => JSON.stringify(text).slice(1, -1);
const html = (text: string) =>
  text.replace(/[&<>']/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign] ?? '&#39;');
const go = (text: string) => text.replace(/[&<>]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`);
const base64 = (text: string) => Buffer.from(text).toString('base64');

const WAYS: Readonly<Record<string, (text: string) => string>> = {
  'in a URL': encodeURIComponent,
  'in JSON in JSON': (text) => json(json(text)),
  'in HTML in the JSON of Go': (text) => go(html(text)),
  'in HTML three times over': (text) => html(html(html(text))),
  'in JavaScript, in braces with zeros': (text) => codes(text, (hex) => `\\u{00${hex}}`),
  'the same in a URL': (text) => encodeURIComponent(codes(text, (hex) => `\\u{${hex}}`)),
  'in HTML, decimal without semicolons': (text) => codes(text, (_, code) => `&#${code}`),
  'in HTML, hexadecimal without semicolons': (text) => codes(text, (hex) => `&#x${hex}`),
  'in the JSON of Go, in HTML with numbers': (text) => go(codes(text, (_, code) => `&#${code};`)),
  'percent-encoded ten times over': (text) => codes(text, (hex) => `%${'25'.repeat(9)}${hex}`),
  'in UTF-16': (text) => Buffer.from(text, 'utf16le').toString('latin1'),
  'in base64 of UTF-16': (text) => Buffer.from(text, 'utf16le').toString('base64'),
  'in base64, with its scheme': (text) => base64(`Bearer ${text}`),
  'in base64 twice, in a URL': (text) => `/?to=${encodeURIComponent(base64(base64(`x${text}yz`)))}`,
  'in base64 of JSON': (text) => base64(JSON.stringify({ token: text.replaceAll('/', '\\/') })),
  'in base64 of hexadecimal': (text) => base64(hexOf(text).join('')),
  'as numbers in a string of JSON': (text) => json(JSON.stringify([...Buffer.from(text)], null, 2)),
};

describe.each([
  ['of a token', tokenOf(20)],
  ['with signs', `p&ss'w"rd<x>\\-1%23=`],
  ['longer than a printed Buffer', awkward(70)],
  ['of a web token', awkward(2_000)],
])('a key %s', (_kind, key) => {
  const isIn = secretDetector([key]);

  test.each(Object.entries(WAYS))('is found %s', (_way, write) => {
    expect(isIn(`{"a":"no ${write(key)} here"}`)).toBe(true);
    expect(isIn(write(key).toUpperCase()) || /base64/.test(_way)).toBe(true);
  });

  test('is found in every spelling, and in JSON', () => {
    const spellings = spellingsOf(key);
    expect(spellings.filter((text) => !isIn(text) || !isIn(JSON.stringify({ text })))).toEqual([]);
  });

  test('is not found where another key is', () => {
    const other = [...key].reverse().join('');
    expect(spellingsOf(other).filter(isIn)).toEqual([]);
  });
});

test('either end of a long key is found, also where the text is cut', () => {
  const key = awkward(300);
  const isIn = secretDetector([key]);
  for (const part of [key.slice(0, 45), key.slice(-45)])
    expect(Object.keys(WAYS).filter((way) => !isIn(`... ${WAYS[way]?.(part)}`))).toEqual([]);
});

test.each(['schlüssel-ß-4711', 'clé 4711 à moi', 'ключ-от-магазина-4711'])(
  'bytes beyond ASCII: %s',
  (key) => {
    const isIn = secretDetector([key]);
    const texts = [
      key,
      encodeURIComponent(key),
      json(key).replace(/[^ -~]/g, (each) => `\\u0${each.charCodeAt(0).toString(16).padStart(3, '0')}`),
      Buffer.from(key).toString('latin1'),
      Buffer.from(key).toString('ascii').length > 0 ? base64(`x${key}`) : '',
      hexOf(key).join(' '),
      codes(key, (_, code) => `&#${code};`),
    ];
    expect(texts.filter((text) => !isIn(`no ${text}.`))).toEqual([]);
  },
);

test('a header that is sent as latin1', () => {
  const isIn = secretDetector(['schlüssel-4711']);
  expect(isIn(escape('schlüssel-4711'))).toBe(true);
  expect(isIn(Buffer.from('schlüssel-4711', 'latin1').toString('base64'))).toBe(true);
  expect(isIn('schl\ufffdssel-4711')).toBe(true);
});

describe('a key that is escaped from some place on, and begins like the end of an escape', () => {
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
    const isIn = secretDetector([key]);
    const texts = BEFORE.flatMap((before) =>
      ESCAPES.flatMap((written) =>
        Array.from(key.slice(1), (_, place) => {
          const rest = [...key.slice(place + 1)].map(written);
          return `${before}${key.slice(0, place + 1)}${rest.join('')}`;
        }),
      ),
    );
    expect(texts.filter((text) => !isIn(text))).toEqual([]);
  });
});

test.each(['', ' ', ':', '-', ', ', ' : , - ', ':0x', ', 0x'])('hexadecimal with %j between', (between) => {
  const text = hexOf('sk-live-4f9ZQ-0123').join(between);
  const isIn = secretDetector(['sk-live-4f9ZQ-0123']);
  const texts = ['', '0x', ', 0x', 'id: ', '12, '].map((before) => `${before}${text}`);
  expect(texts.filter((each) => !isIn(each) || !isIn(each.toUpperCase()))).toEqual([]);
});

test.each([',', ', ', ' ', ',\n  ', '\\n,', ' ,\\\\t '])('numbers with %j between', (between) => {
  const text = [...Buffer.from('sk-live-4f9ZQ-0123')].join(between);
  const isIn = secretDetector(['sk-live-4f9ZQ-0123']);
  const texts = ['', '7, ', '[', '\\n'].map((before) => `${before}${text}`);
  expect(texts.filter((each) => !isIn(each))).toEqual([]);
});
