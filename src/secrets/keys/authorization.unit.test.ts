import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { KeyKind } from '../../model/probe.ts';
import { authorization, shownHeaders } from './authorization.ts';

const SENT: Record<Exclude<KeyKind, 'second'>, string | undefined> = {
  valid: 'Bearer Key-1',
  absent: undefined,
  empty: 'Bearer ',
  unknown: 'Bearer another-key',
  scheme: 'Basic Key-1',
  longer: 'Bearer Key-1x',
  shorter: 'Bearer Key-',
  case: 'Bearer kEY-1',
  bare: 'Key-1',
  followed: 'Bearer Key-1 x',
};

/** How a shell that has the key in PETSPEC_API_KEY writes each. */
const SHOWN: Record<Exclude<KeyKind, 'second'>, string> = {
  valid: 'Bearer $PETSPEC_API_KEY',
  absent: '',
  empty: 'Bearer ',
  unknown: 'Bearer another-key',
  scheme: 'Basic $PETSPEC_API_KEY',
  longer: 'Bearer $' + '{PETSPEC_API_KEY}x',
  shorter: 'Bearer $' + '{PETSPEC_API_KEY%?}',
  case: 'Bearer $(printf %s "$PETSPEC_API_KEY" | tr A-Za-z a-zA-Z)',
  bare: '$PETSPEC_API_KEY',
  followed: 'Bearer $PETSPEC_API_KEY x',
};

describe('the Authorization header', () => {
  test.each(Object.entries(SENT) as [KeyKind, string | undefined][])('%s: %s', (kind, sent) => {
    expect(authorization(kind, 'Key-1', 'another-key')).toBe(sent);
  });

  test.each(Object.entries(SHOWN) as [KeyKind, string][])('%s is shown as %s', (kind, shown) => {
    const sent = kind === 'unknown' ? 'Bearer another-key' : 'whatever it was';
    const lines = shownHeaders([['Authorization', sent]], kind, []);
    expect(lines).toEqual([['Authorization', shown]]);
  });

  test.each([
    '12345678',
    '3F2504E0-4f89-11d3-9a0c-0305e82c3301',
    'DEADbeef',
    '127.0.0.1',
    '1234.5678',
    '2001:db8::1',
    '0x1F',
    '%41',
    '%4a-1',
    '$-_.+!*',
    '01ARZ3NDEKTSV4RRFFQ69G5FAV',
  ])('%s may be the same in either case: another key is sent, and shown', (key) => {
    const sent = authorization('case', key, 'another-key') ?? '';
    expect(sent.toLowerCase()).not.toBe(`bearer ${key}`.toLowerCase());
    expect(shownHeaders([['Authorization', sent]], 'case', [])).toEqual([
      ['Authorization', sent.replace(key, '$' + '{PETSPEC_API_KEY}')],
    ]);
  });

  test('a key in base64 that lacks some of its padding may be the same: another key is sent, and shown', () => {
    const sent = authorization('shorter', 'a2V5LTE=', 'another-key') ?? '';
    expect(sent).toBe('Bearer a2V5LTE=-petspec');
    const shown = shownHeaders([['Authorization', sent]], 'shorter', []);
    expect(shown).toEqual([['Authorization', 'Bearer $' + '{PETSPEC_API_KEY}-petspec']]);
  });

  const wrong = (Object.keys(SENT) as KeyKind[]).filter((kind) => kind !== 'valid');

  /** What a lenient service may compare: without escapes and padding; numbers and identifiers in either case are above. */
  const compared = (text: string) =>
    text
      .replaceAll(/%[\da-f]{2}/gi, (sign) => String.fromCharCode(Number(`0x${sign.slice(1)}`)))
      .replace(/=*$/, '');

  test('no wrong key is the key, whatever that consists of', () => {
    const character = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code));
    const unit = fc.oneof(character, fc.constantFrom('1', '.', '%', '4', 'a', 'F', '=', '-'));
    fc.assert(
      fc.property(
        fc.string({ unit, minLength: 1, maxLength: 12 }),
        fc.constantFrom(...wrong),
        (key, kind) => {
          const sent = authorization(kind, key, 'another-key');
          if (sent?.startsWith('Bearer ')) expect(compared(sent)).not.toBe(compared(`Bearer ${key}`));
          else expect(sent).not.toBe(`Bearer ${key}`);
        },
      ),
      { numRuns: 2_000, seed: 1 },
    );
  });
});

test('the user’s own headers are hidden, whatever their names', () => {
  const own = [['X-Gateway', 's3cr3t']] as const;
  const lines = shownHeaders([['accept', 'application/json'], ...own], 'valid', own);
  expect(lines).toEqual([
    ['accept', 'application/json'],
    ['X-Gateway', '[hidden]'],
  ]);
});
