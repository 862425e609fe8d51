import { describe, expect, test } from 'vitest';
import type { KeyKind } from '../../model/probe.ts';
import { authorization, shownHeaders } from './authorization.ts';

const SENT: Record<KeyKind, string | undefined> = {
  valid: 'Bearer Key-1',
  absent: undefined,
  empty: 'Bearer ',
  unknown: 'Bearer another-key',
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
  unknown: 'Bearer another-key',
  scheme: 'Basic $PETSPEC_API_KEY',
  longer: 'Bearer $' + '{PETSPEC_API_KEY}x',
  shorter: 'Bearer $' + '{PETSPEC_API_KEY%?}',
  case: 'Bearer $(printf %s "$PETSPEC_API_KEY" | tr A-Za-z a-zA-Z)',
  bare: '$PETSPEC_API_KEY',
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

  test.each(['12345678', '3F2504E0-4f89-11d3-9a0c-0305e82c3301', 'DEADbeef'])(
    '%s may be a number, of which either case is the same: another key is sent, and shown',
    (key) => {
      const sent = authorization('case', key, 'another-key') ?? '';
      expect(sent.toLowerCase()).not.toBe(`bearer ${key}`.toLowerCase());
      expect(shownHeaders([['Authorization', sent]], 'case', [])).toEqual([
        ['Authorization', sent.replace(key, '$' + '{PETSPEC_API_KEY}')],
      ]);
    },
  );

  test('no wrong key equals the key, even if that has no letters', () => {
    for (const key of ['Key-1', '12345678', '-']) {
      const wrong = (Object.keys(SENT) as KeyKind[]).filter((kind) => kind !== 'valid');
      for (const kind of wrong) expect(authorization(kind, key, 'another-key')).not.toBe(`Bearer ${key}`);
    }
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
