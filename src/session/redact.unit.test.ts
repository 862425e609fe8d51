import { describe, expect, test } from 'vitest';
import { reveals, spellingsOf } from '../../test/spellings.ts';
import { redactor } from './redact.ts';

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

test('what a target echoes of the user’s own headers is hidden, too', () => {
  expect(redactor(KEY, ['gateway-s3cr3t'])('no gateway-s3cr3t here')).toBe('no [key] here');
});
