import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { reveals, spellingsOf } from '../../../test/secrets/spellings.ts';
import { authorization } from '../authorization.ts';
import { redactor } from '../redact.ts';

/** Characters as in a token, the same ones in each test run. */
function tokenOf(length: number): string {
  let token = '';
  while (token.length < length) token += createHash('sha512').update(token).digest('base64url');
  return token.slice(0, length);
}

/** Signs that have escapes, between the others. */
function awkward(length: number): string {
  return tokenOf(length).replace(
    /.{7}/g,
    (each, place: number) => each + `&"<>'=\\/%~`.charAt((place / 7) % 10),
  );
}

/** Sixteen characters in a row of the secret tell too much. */
function piecesOf(secret: string): string[] {
  return Array.from({ length: Math.floor(secret.length / 16) }, (_, index) =>
    secret.slice(index * 16, (index + 1) * 16),
  );
}

const hex = (text: string) => Buffer.from(text).toString('hex');
const bytes = (text: string) => JSON.stringify([...Buffer.from(text)]);
const base64 = (text: string) => Buffer.from(text).toString('base64');
const inUnicode = (text: string) =>
  [...text].map((each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');

const WAYS: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => text,
  'percent-encoded': encodeURIComponent,
  'with each character percent-encoded': (text) => hex(text).replace(/../g, '%$&'),
  'escaped as in JSON': (text) => JSON.stringify(text).slice(1, -1),
  'escaped as in JSON, twice': (text) => JSON.stringify(JSON.stringify(text)).slice(3, -3),
  'with each character escaped': inUnicode,
  'in base64': base64,
  'in base64, with its scheme': (text) => base64(`Bearer ${text}`),
  'in base64 twice': (text) => base64(base64(text)),
  'in hexadecimal': hex,
  'as numbers': bytes,
};

describe.each([101, 2_000])('a key of %d characters', (length) => {
  describe.each([
    ['of a token', tokenOf(length)],
    ['with signs', awkward(length).slice(0, length)],
  ])('%s', (_kind, key) => {
    const redact = redactor(key);
    const lower = key.toLowerCase();

    test.each(Object.entries(WAYS))('%s: the whole key is replaced', (_way, write) => {
      const shown = redact(`{"message":"key ${write(key)} is unknown"}`);
      expect(shown.replaceAll(/\[[0,]+\]/g, '[key]')).toMatch(
        /^\{"message":"key [\w+/]{0,9}\[key\]=* is unknown"\}$/,
      );
    });

    // Of a key that is hardly long, half is not certainly one.
    const cutIn = length > 101 ? Object.entries(WAYS) : [];
    test.each(cutIn)('%s: what is left of a key that is cut is replaced', (_way, write) => {
      for (const cut of [0.9, 0.5, 0.31]) {
        const part = key.slice(0, length * cut).replace(/\\+$/, '');
        const shown = redact(`{"message":"key ${write(part)} is unknown"}`);
        expect(shown.replaceAll(/\[[0,]+\]/g, '[key]')).toMatch(
          /^\{"message":"key [\w+/]{0,9}\[key\][\w+/]{0,2}=* is unknown"\}$/,
        );
      }
    });

    test('near keys are replaced too', () => {
      for (const kind of ['longer', 'shorter', 'case', 'bare'] as const) {
        const near = authorization(kind, key, 'another-key')?.replace(/^Bearer /, '') ?? '';
        for (const write of Object.values(WAYS)) {
          const shown = redact(`{"message":"no ${write(near)}"}`);
          expect(shown).not.toBe(`{"message":"no ${write(near)}"}`);
          expect(shown.length).toBeLessThan(key.length * 2 + 60);
          expect(piecesOf(lower).filter((each) => shown.toLowerCase().includes(each))).toEqual([]);
        }
      }
    });
  });
});

test('a long key in any spelling', () => {
  const key = awkward(150);
  const redact = redactor(key);
  expect(spellingsOf(key).filter((text) => redact(text) === text)).toEqual([]);
  expect(spellingsOf(key).filter((text) => reveals(redact(text), key.slice(0, 60)))).toEqual([]);
  expect(spellingsOf(key).filter((text) => reveals(redact(text), key.slice(-60)))).toEqual([]);
});

test('the end of a long key alone is replaced', () => {
  const key = tokenOf(1_400);
  expect(redactor(key)(`...${key.slice(-48)}.`)).toBe('...[key].');
});

test('what comes after a long key remains', () => {
  const key = tokenOf(1_400);
  const text = JSON.stringify({ key, next: `/pets?token=${encodeURIComponent(key)}&limit=5` });
  expect(JSON.parse(redactor(key)(text))).toEqual({ key: '[key]', next: '/pets?token=[key]&limit=5' });
});

test('a key with more windows than are kept, with each character escaped', () => {
  const key = tokenOf(4_000);
  expect(redactor(key)(`no ${inUnicode(key)} here`)).toBe('no [key] here');
});

test('a long key of digits is found', () => {
  const key = Array.from({ length: 300 }, (_, place) => (place * 7 + (place % 13)) % 10).join('');
  expect(redactor(key)(`no key ${key} here`)).toBe('no key [key] here');
});

test('a text full of beginnings of a long key', () => {
  const key = awkward(2_000);
  const redact = redactor(key);
  const text = `${encodeURIComponent(key.slice(0, 60))} `.repeat(2_000);
  expect(redact(`${text}"${key}"`)).toMatch(/ "\[key\]"$/);
});

test('a text full of a long key without its last character is read quickly', () => {
  const key = tokenOf(1_500);
  const redact = redactor(key);
  redact(key);
  const started = performance.now();
  const shown = redact(key.slice(0, -1).repeat(700));
  expect(performance.now() - started).toBeLessThan(2_000);
  expect(piecesOf(key).filter((each) => shown.includes(each))).toEqual([]);
});
