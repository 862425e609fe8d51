import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { reveals, spellingsOf } from '../../test/secrets/spellings.ts';
import { authorization } from './keys/authorization.ts';
import { redactor } from './redact.ts';

const KEY = 'sk-live/4f+9ZQ==';
const base64 = (text: string) => Buffer.from(text).toString('base64');

test.each([
  ['the next parameter', (key: string) => `/pets?api_key=${key}&limit=5`, '/pets?api_key=[key]&limit=5'],
  ['an escaped quote', (key: string) => JSON.stringify({ message: `key "${key}" is unknown` }), undefined],
  ['a percent sign', (key: string) => `${key}%20is unknown`, undefined],
  ['an equals sign', (key: string) => `${key}=1`, undefined],
  ['each of them', (key: string) => `${key} ${key}&a ${key}`, undefined],
])('nothing of a key of letters and digits is left before %s', (_what, written, shown) => {
  const key = 'sk_live_4f9ZQ5';
  const text = redactor(key)(written(key));
  expect(text).toContain('[key]');
  expect(text).not.toMatch(/sk_live|ZQ5|\[key\]5/);
  if (shown !== undefined) expect(text).toBe(shown);
});

test('nothing of a key is left in base64 that is broken into lines, wherever it stands', () => {
  const key = 'sk_live_4f9ZQ5_0123456789_abcdefghij';
  for (let before = 0; before < 57; before += 1) {
    const lines = base64(`${'x'.repeat(before)}${key}${'y'.repeat(57)}`).replaceAll(/.{76}/g, '$&\r\n');
    const shown = redactor(key)(`-----BEGIN-----\r\n${lines}\r\n-----END-----`);
    const all = Buffer.from(shown.replaceAll(/[\r\n]|-----\w+-----/g, ''), 'base64').toString('latin1');
    expect(all).not.toContain(key.slice(0, 12));
  }
});

describe('a key that a target echoes', () => {
  test.each([
    ['plain', `"key ${KEY} is unknown"`, '"key [key] is unknown"'],
    ['twice', `${KEY} ${KEY}`, '[key] [key]'],
    ['alone', KEY, '[key]'],
    ['inside a word', `id_${KEY}_1`, 'id_[key]_1'],
    ['percent-encoded', '/?key=sk-live%2F4f%2B9ZQ%3D%3D', '/?key=[key]'],
    // The padding tells nothing.
    ['in base64', base64(KEY), '[key]=='],
    ['in base64 for addresses', Buffer.from(KEY).toString('base64url'), '[key]'],
    ['with its scheme in base64', base64(`Bearer ${KEY}`), '[key]='],
    ['in base64, between others', base64(`{"token":"${KEY}"}`), '[key]=='],
    ['in base64 twice', base64(base64(KEY)), '[key]'],
    ['in base64 twice, with its scheme', base64(base64(`Bearer ${KEY}`)), '[key]='],
    ['with one character more', `Bearer ${KEY}x`, 'Bearer [key]x'],
    ['with one character less', `"${KEY.slice(0, -1)}"`, '"[key]"'],
    ['under another scheme', `Basic ${KEY}`, 'Basic [key]'],
    ['with its letters in the other case', 'SK-LIVE/4F+9zq==', '[key]'],
    ['with the slash escaped, as PHP does', '{"m":"sk-live\\/4f+9ZQ=="}', '{"m":"[key]=="}'],
    ['with a character as JSON may write it', '{"m":"sk-live/4f\\u002B9ZQ=="}', '{"m":"[key]=="}'],
    ['percent-encoded in lower case', 'sk-live%2f4f%2b9ZQ%3d%3d', '[key]'],
    ['in quoted-printable', 'sk-live/4f+9Z=\r\nQ=3D=3D', '[key]'],
    ['as Node shows a Buffer', inspect(Buffer.from(KEY)), '[key]'],
    ['as Node writes a Buffer', JSON.stringify(Buffer.from(KEY)), `{"type":"Buffer","data":[${zeros(16)}]}`],
    [
      'as bytes in JSON of several lines',
      JSON.stringify([...Buffer.from(KEY)], null, 2),
      JSON.stringify(Array(16).fill(0), null, 2),
    ],
    ['not at all', '{"id":4,"name":"sk-live"}', '{"id":4,"name":"sk-live"}'],
    ['in bytes that are others', '[115,107,45,108,105,118,101]', '[115,107,45,108,105,118,101]'],
  ])('%s', (_how, text, shown) => {
    expect(redactor(KEY)(text)).toBe(shown);
  });

  function zeros(count: number): string {
    return Array(count).fill('0').join(',');
  }

  const AWKWARD = `sk-live/4f+9Z&"Q<w>'=\\k7%Tb~`;
  const ECHOED = [
    AWKWARD,
    `Bearer ${AWKWARD}`,
    AWKWARD.slice(0, -1),
    `${AWKWARD}x`,
    'SK-LIVE/4F+9z&"q<W>\'=\\K7%tB~',
  ];

  test.each(ECHOED)('in any spelling, also inside JSON: %s', (echoed) => {
    const redact = redactor(AWKWARD);
    const texts = spellingsOf(echoed).flatMap((each) => [each, JSON.stringify({ each })]);
    const nearly = AWKWARD.slice(0, -1);
    expect(texts.filter((text) => reveals(redact(text), nearly))).toEqual([]);
    expect(texts.filter((text) => redact(text) === text)).toEqual([]);
  });

  test('a key with a quote and a backslash, escaped as in JSON', () => {
    const key = 'a"b\\c-12345';
    const body = JSON.stringify({ message: `${key} is unknown` });
    expect(JSON.parse(redactor(key)(body))).toEqual({ message: '[key] is unknown' });
  });

  test.each([
    ['alone', 'my+secret+phrase'],
    ['beside other escapes', 'my+secret%20phrase'],
    ['in a query inside a query', 'my%2Bsecret%2Bphrase'],
    ['the same twice over', 'my%252Bsecret+phrase'],
  ])('the spaces of a secret as forms and queries write them: %s', (_how, written) => {
    expect(redactor('', ['my secret phrase'])(`/?q=${written}&r=1`)).toBe('/?q=[key]&r=1');
    const long = 'my secret phrase'.repeat(9);
    expect(redactor('', [long])(`/?q=${written.repeat(9)}&r=1`)).toBe('/?q=[key]&r=1');
  });

  test('special characters of patterns are plain in a key', () => {
    expect(redactor('a.c*+(x)[y]^$|')('a.c*+(x)[y]^$| abc')).toBe('[key] abc');
  });

  test('redacted JSON remains JSON', () => {
    const body = JSON.stringify({ code: KEY, list: [KEY] });
    expect(JSON.parse(redactor(KEY)(body))).toEqual({ code: '[key]', list: ['[key]'] });
  });

  test('redacted JSON remains JSON if the key begins like the end of an escape', () => {
    const redact = redactor('nu0041-12345');
    for (const text of ['\nu0041-12345', '\\nu0041-12345', '\u0001nu0041-12345']) {
      const shown = redact(JSON.stringify({ text }));
      expect(JSON.parse(shown).text).toContain('[key]');
    }
  });

  test.each(['null', 'true', 'FALSE'])('%s comes from a script without a key, and is not redacted', (key) => {
    const body = '{"a":null,"b":true,"c":false}';
    expect(redactor(key)(body)).toBe(body);
  });

  test('no key', () => {
    expect(redactor('')('anything')).toBe('anything');
  });
});

describe('a key of few characters', () => {
  test.each([
    ['three', 'abc', '"abc" and abc, abcd, xabc', '"[key]" and [key], abcd, xabc'],
    ['at both ends', 'abc', 'abc abc', '[key] [key]'],
    [
      'behind escapes',
      'abc',
      '\\nabc %20abc%20 \\u0020abc&quot;abc&quot;',
      '[key] [key] [key]&quot;[key]&quot;',
    ],
    ['in base64', 'abc', 'YWJj YWJjZGVm', '[key] YWJjZGVm'],
    ['in base64 with its scheme', 'abc', base64('Bearer abc'), '[key]=='],
    ['one, which is too short', 'a', 'a bad day: "a"', 'a bad day: "a"'],
    ['no letters', '-', '{"id":-1}', '{"id":-1}'],
    ['eight signs', '!-.$!-.$', 'no !-.$!-.$ here', 'no [key] here'],
    ['five letters', 'abcde', 'abcde abcdef xabcde', '[key] abcdef xabcde'],
    ['five letters, nearly', 'abcde', 'abcdex ABCDE abcd Abcde-petspec', '[key] [key] [key] [key]'],
    ['five, letters and digits', 'k3y-9', 'xk3y-9x', 'x[key]x'],
    ['seven letters', 'walking', 'walking-sticks walkings', '[key]-sticks walkings'],
    ['eight letters', 'password', 'passwords', '[key]s'],
  ])('%s', (_what, key, text, shown) => {
    expect(redactor(key)(text)).toBe(shown);
  });

  const KINDS = ['valid', 'scheme', 'longer', 'shorter', 'case', 'followed', 'bare'] as const;
  const KEYS = ['abcde', 'Key-1', 'DEADb', '654321', 'k3y-9Z', 'qwertz', 'aB3dE6g', '7654321', 'Secret-7'];

  test.each(KEYS)('near keys, in any spelling: %s', (key) => {
    const redact = redactor(key);
    const sent = KINDS.map((kind) => authorization(kind, key, 'another') ?? '').flatMap((each) => [
      each,
      each.replace(/^\w+ /, ''),
    ]);
    const texts = sent
      .flatMap(spellingsOf)
      .flatMap((each) => [each, JSON.stringify({ message: `no ${each}.` })]);
    expect(texts.filter((text) => reveals(redact(text), key))).toEqual([]);
    const nearly = key.slice(0, -1);
    const plain = sent.flatMap((each) => [each, `"${each}"`, encodeURIComponent(each), base64(each)]);
    expect(plain.filter((text) => reveals(redact(text), nearly))).toEqual([]);
  });
});

describe('a key of digits', () => {
  const DIGITS = '1234567890';

  test.each([
    ['in a string', '{"id":12345678901,"key":"1234567890"}', '{"id":12345678901,"key":"[key]"}'],
    ['in a sentence', 'invalid key: 1234567890.', 'invalid key: [key].'],
    ['beside letters', 'y1234567890z', 'y[key]z'],
    ['as a number', '{"id":1234567890}', '{"id":1111111111}'],
    ['as a number, in a list', '[1, 1234567890 ,2]', '[1, 1111111111 ,2]'],
    [
      'as a number, far from its name',
      `{"id":${' '.repeat(90)}1234567890${' '.repeat(90)}}`,
      `{"id":${' '.repeat(90)}1111111111${' '.repeat(90)}}`,
    ],
    [
      'as a number, signed, with a fraction and an exponent',
      '[-1234567890.5,1234567890e2]',
      '[-1111111111.5,1111111111e2]',
    ],
    ['as a fraction', '{"at":0.1234567890}', '{"at":0.1111111111}'],
    ['as a whole text', '1234567890', '1111111111'],
    [
      'as an id in an address',
      '/v1/pets/1234567890?limit=1234567890',
      '/v1/pets/1111111111?limit=1111111111',
    ],
    ['as a fraction of a second', '"2026-11-21T10:00:00.1234567890Z"', '"2026-11-21T10:00:00.1111111111Z"'],
    ['nearly', '{"id":123456789}', '{"id":111111111}'],
    ['in longer numbers', '{"id":91234567890}', '{"id":91234567890}'],
    ['behind an escape', 'key%201234567890', '[key]'],
    [
      'as characters in hexadecimal, which are digits',
      '{"id":31323334353637383930}',
      '{"id":11111111111111111111}',
    ],
    [
      'as characters in decimals',
      '{"data":[49,50,51,52,53,54,55,56,57,48]}',
      '{"data":[0,0,0,0,0,0,0,0,0,0]}',
    ],
  ])('%s', (_where, text, shown) => {
    expect(redactor(DIGITS)(text)).toBe(shown);
  });

  test.each([
    ['9223372036854775807', '1'.repeat(19)],
    ['9223372036854775808', '9'.repeat(19)],
    ['-9223372036854775807', `-${'1'.repeat(19)}`],
    ['12345678901234567890', '1'.repeat(20)],
  ])('%s is as much of an int64 as before', (number, shown) => {
    expect(redactor(number.replace('-', ''))(`{"id":${number}}`)).toBe(`{"id":${shown}}`);
  });

  test.each(['401', '1000', '60'])('short numbers are not redacted: %s', (key) => {
    const body = `{"status":${key},"at":"2026-11-21T10:00:00.${key}Z"}`;
    expect(redactor(key)(body)).toBe(body);
    expect(redactor(key)(key)).toBe(key);
    expect(redactor(key)(`no key ${key} here`)).toBe(`no key ${key} here`);
  });

  test('with an exponent', () => {
    expect(redactor('12345e67')('{"id":12345e67,"key":"12345e67"}')).toBe('{"id":11111e11,"key":"[key]"}');
  });
});

test('the user’s own headers are hidden too', () => {
  expect(redactor(KEY, ['gateway-s3cr3t'])('no gateway-s3cr3t here')).toBe('no [key] here');
  expect(redactor('gateway-s3cr3t-1', ['gateway-s3cr3t'])('no gateway-s3cr3t-1 here')).toBe('no [key] here');
});

/** One beginning, and many ways to go on from it. */
const ENDLESS: readonly ((size: number) => string)[] = [
  (size) => `%${'25'.repeat(size / 2)}`,
  (size) => `&#${'0'.repeat(size)}`,
  (size) => `s${'=\r\n'.repeat(size / 3)}k`,
  (size) => `sk-live${'\\'.repeat(size)}/`,
  (size) => `115${' '.repeat(size)}107`,
  (size) => Buffer.alloc(size / 2, 'sk-live/4f+9').toString('base64'),
  (size) => `{"id":${'9'.repeat(size)}}`,
  (size) => `{"id":${' '.repeat(size)}1234567}`,
];

/** Trying each place of a text of this size anew would take far longer. */
const SIZE = 128 * 1024;

describe('the key is found behind a text that keeps redaction busy', () => {
  const key = 'sk-live/4f+9"Z\\\\\\Q%%&&==';
  const redact = redactor(key, ['abcdef', '1234567', 'gateway/s3cr3t+value']);
  const nearly = spellingsOf(key).map((each) => each.slice(0, -2));
  const signs = ['%', '%25', '\\', '\\u00', '&', '&#0', '&amp;', '=', '=\r\n', '=\\r', '1,', '1, \n', '["":'];
  const pieces = [
    ...nearly,
    key,
    'abcdef',
    '1234567',
    'abcdef ',
    '1234567 ',
    '[1234567],',
    ' ',
    'a',
    '0',
    '1',
    ...signs,
  ];
  const texts = [
    ...pieces.map((piece) => piece.repeat(SIZE / piece.length)),
    ...ENDLESS.map((write) => write(SIZE)),
  ];
  test.each(texts.map((text) => [text.slice(0, 30), text]))('%j', (_beginning, text) => {
    expect(redact(`${text} "Bearer ${key}"`)).toMatch(/\[key\]"$/);
  });
});

test.each(['\\', '\\"', '1,', '1', ' ', '"', '&', '=/', '%2', '\\u002', '&#0'])(
  'an encoded key is found behind a hundred thousand times %j',
  (piece) => {
    const text = `${piece.repeat(100_000)} ${encodeURIComponent(KEY)}`;
    expect(redactor(KEY)(text)).toMatch(/\[key\](?:%3D)*$/);
  },
);
