import { describe, expect, test } from 'vitest';
import { reveals, spellingsOf } from '../../test/spellings.ts';
import type { KeyKind } from '../probes/types.ts';
import { authorization, redactor, shownHeaders } from './redact.ts';

const KEY = 'sk-live/4f+9ZQ==';

describe('what a target echoes of the key', () => {
  test.each([
    ['plain', `"key ${KEY} is unknown"`, '"key [key] is unknown"'],
    ['twice', `${KEY} ${KEY}`, '[key] [key]'],
    ['alone', KEY, '[key]'],
    ['inside a word', `id_${KEY}_1`, 'id_[key]_1'],
    ['percent-encoded', '/?key=sk-live%2F4f%2B9ZQ%3D%3D', '/?key=[key]'],
    // The padding tells nothing.
    ['in base64', Buffer.from(KEY).toString('base64'), '[key]=='],
    ['in base64 for addresses', `${Buffer.from(KEY).toString('base64url')}`, '[key]'],
    ['with its scheme in base64', Buffer.from(`Bearer ${KEY}`).toString('base64'), '[key]='],
    ['with one character more', `Bearer ${KEY}x`, 'Bearer [key]x'],
    ['with one character less', `"${KEY.slice(0, -1)}"`, '"[key]"'],
    ['under another scheme', `Basic ${KEY}`, 'Basic [key]'],
    ['with its letters in the other case', 'SK-LIVE/4F+9zq==', '[key]'],
    ['with the slash escaped, as PHP does', '{"m":"sk-live\\/4f+9ZQ=="}', '{"m":"[key]"}'],
    ['with a character as JSON may write it', '{"m":"sk-live/4f\\u002B9ZQ=="}', '{"m":"[key]"}'],
    ['percent-encoded in lower case', 'sk-live%2f4f%2b9ZQ%3d%3d', '[key]'],
    ['not at all', '{"id":4,"name":"sk-live"}', '{"id":4,"name":"sk-live"}'],
  ])('%s', (_how, text, shown) => {
    expect(redactor(KEY)(text)).toBe(shown);
  });

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
    expect(texts.filter((text) => !redact(text).includes('[key]'))).toEqual([]);
  });

  test('a key with a quote and a backslash, as JSON writes it', () => {
    const key = 'a"b\\c-12345';
    const body = JSON.stringify({ message: `${key} is unknown` });
    expect(JSON.parse(redactor(key)(body))).toEqual({ message: '[key] is unknown' });
  });

  test('what means something in a pattern means nothing in a key', () => {
    expect(redactor('a.c*+(x)[y]^$|')('a.c*+(x)[y]^$| abc')).toBe('[key] abc');
  });

  test.each([
    ['a short key', 'abc', '"abc" and abc, abcd, xabc', '"[key]" and [key], abcd, xabc'],
    ['a short key at both ends', 'abc', 'abc abc', '[key] [key]'],
    [
      'a key of digits',
      '1234567890',
      '{"id":12345678901,"key":"1234567890"}',
      '{"id":12345678901,"key":"[key]"}',
    ],
    ['a key of digits in a sentence', '1234567890', 'invalid key: 1234567890.', 'invalid key: [key].'],
    ['a number that has the digits of the key', '1234567890', '{"id":1234567890}', '{"id":1234567890}'],
    ['a key of digits alone', '1234567890', '1234567890', '[key]'],
    ['no key', '', 'anything', 'anything'],
  ])('%s', (_what, key, text, shown) => {
    expect(redactor(key)(text)).toBe(shown);
  });

  test('the placeholder leaves JSON what it was', () => {
    const body = JSON.stringify({ code: KEY, list: [KEY] });
    expect(JSON.parse(redactor(KEY)(body))).toEqual({ code: '[key]', list: ['[key]'] });
  });
});

const SENT: Record<KeyKind, string | undefined> = {
  valid: 'Bearer Key-1',
  absent: undefined,
  empty: 'Bearer ',
  unknown: 'Bearer petspec-unknown-key',
  scheme: 'Basic Key-1',
  longer: 'Bearer Key-1x',
  shorter: 'Bearer Key-',
  case: 'Bearer kEY-1',
  bare: 'Key-1',
};

/** How a shell that has the key in PETSPEC_API_KEY writes each. */
const SHOWN: Record<KeyKind, string> = {
  valid: 'Bearer $PETSPEC_API_KEY',
  absent: '',
  empty: 'Bearer ',
  unknown: 'Bearer petspec-unknown-key',
  scheme: 'Basic $PETSPEC_API_KEY',
  longer: 'Bearer $' + '{PETSPEC_API_KEY}x',
  shorter: 'Bearer $' + '{PETSPEC_API_KEY%?}',
  case: 'Bearer $(printf %s "$PETSPEC_API_KEY" | tr A-Za-z a-zA-Z)',
  bare: '$PETSPEC_API_KEY',
};

describe('the Authorization header', () => {
  test.each(Object.entries(SENT) as [KeyKind, string | undefined][])('%s: %s', (kind, sent) => {
    expect(authorization(kind, 'Key-1')).toBe(sent);
  });

  test.each(Object.entries(SHOWN) as [KeyKind, string][])('%s is shown as %s', (kind, shown) => {
    const lines = shownHeaders([['Authorization', 'whatever it was']], kind, []);
    expect(lines).toEqual([['Authorization', shown]]);
  });

  test.each(['12345678', '3F2504E0-4f89-11d3-9a0c-0305e82c3301', 'DEADbeef'])(
    '%s may be a number, of which either case is the same: another key is sent, and shown',
    (key) => {
      const sent = authorization('case', key) ?? '';
      expect(sent.toLowerCase()).not.toBe(`bearer ${key}`.toLowerCase());
      expect(shownHeaders([['Authorization', sent]], 'case', [])).toEqual([
        ['Authorization', sent.replace(key, '$' + '{PETSPEC_API_KEY}')],
      ]);
    },
  );

  test('no wrong key is the right one, also of a key without letters', () => {
    for (const key of ['Key-1', '12345678', '-']) {
      const wrong = (Object.keys(SENT) as KeyKind[]).filter((kind) => kind !== 'valid');
      for (const kind of wrong) expect(authorization(kind, key)).not.toBe(`Bearer ${key}`);
    }
  });
});

test('headers of the user’s own are hidden, whatever their names', () => {
  const own = [['X-Gateway', 's3cr3t']] as const;
  const lines = shownHeaders([['accept', 'application/json'], ...own], 'valid', own);
  expect(lines).toEqual([
    ['accept', 'application/json'],
    ['X-Gateway', '[hidden]'],
  ]);
});

test('what a target echoes of them is hidden, too', () => {
  expect(redactor(KEY, ['gateway-s3cr3t'])('no gateway-s3cr3t here')).toBe('no [key] here');
});
