import { describe, expect, test } from 'vitest';
import { profiled, type Read, statementsOf } from '../../../../test/limiters/profiled.ts';
import { costStatements } from './costs.ts';

const meter = (at: number, remaining: number): Read => ({ at, remaining, role: 'meter' });

/** What is said of a kind of request between two readings of Remaining. */
function costOf(about: string, reads: readonly Read[]) {
  return costStatements(profiled(reads)).find((each) => each.about === `cost ${about}`);
}

describe('what a read takes', () => {
  test.each<[what: string, remaining: number[], value: number, text: string]>([
    ['one', [9, 8, 7], 1, 'a read (listItems) takes 1'],
    ['two', [9, 7, 5], 2, 'a read (listItems) takes 2'],
    [
      'nothing',
      [9, 9, 9],
      0,
      'a read (listItems) takes nothing: it may come from a cache, or it is not limited',
    ],
    ['most of them one', [9, 7, 6, 5], 1, 'a read (listItems) takes 1'],
    ['a window ended in between', [1, 0, 59, 58], 1, 'a read (listItems) takes 1'],
  ])('%s', (_what, remaining, value, text) => {
    const reads = remaining.map((left, index) => meter(index / 10, left));
    expect(costOf('read', reads)).toMatchObject({ value, text });
  });

  test('is not told by requests of two operations', () => {
    const said = costOf('read', [meter(0, 9), { ...meter(0.1, 8), operation: 'getItem' }]);
    expect(said).not.toHaveProperty('value');
    expect(said?.text).toBe('cannot be told: no two responses to the same read in a row tell Remaining');
  });
});

describe('what other requests take, between two readings', () => {
  const STEADY = [meter(0, 30), meter(0.1, 29)];

  test.each<[role: 'wrong-key' | 'head' | 'unchanged', status: number, left: number, text: string]>([
    ['wrong-key', 401, 28, 'a request with a wrong key (401) takes nothing'],
    ['wrong-key', 401, 27, 'a request with a wrong key (401) takes 1'],
    ['head', 200, 26, 'a HEAD request (200) takes 2'],
    ['unchanged', 304, 28, 'a read with If-None-Match (304) takes nothing'],
  ])('%s', (role, status, left, text) => {
    const said = costOf(role, [...STEADY, { at: 0.2, status, role }, meter(0.3, left)]);
    expect(said).toMatchObject({ value: 28 - left, text, shownBy: [2, 3, 4] });
  });

  test('of two measurements, the larger one counts: requests come back, but never too many are taken', () => {
    const wrong: Read = { at: 0.2, status: 401, role: 'wrong-key' };
    const said = costOf('wrong-key', [
      ...STEADY,
      wrong,
      meter(0.3, 28),
      { ...wrong, at: 0.4 },
      meter(0.5, 26),
    ]);
    expect(said).toMatchObject({ value: 1, shownBy: [4, 5, 6] });
  });

  test.each<[what: string, first: number, left: number]>([
    ['it took a half', 29, 25],
    ['it took less than nothing', 29, 29],
    ['it took less than a read, and one read took nothing', 30, 29],
  ])('%s: then requests come back meanwhile', (_what, first, left) => {
    const head: Read[] = [
      { at: 0.2, role: 'head' },
      { at: 0.25, role: 'head' },
    ];
    const reads = [
      meter(-0.2, 32),
      meter(-0.1, 31),
      meter(0, 30),
      meter(0.1, first),
      ...head,
      meter(0.3, left),
    ];
    const said = costOf('head', reads);
    expect(said).not.toHaveProperty('value');
    expect(said?.text).toBe('cannot be told: requests come back while a HEAD request is measured');
  });

  test('if none was sent, that is said', () => {
    expect(costOf('head', STEADY)?.text).toBe(
      'cannot be told: no HEAD request was sent between two readings of one window',
    );
  });
});

describe('what requests of another operation take', () => {
  const other = (at: number, remaining?: number): Read => ({
    at,
    operation: 'getItem',
    role: 'other',
    ...(remaining === undefined ? {} : { remaining }),
  });

  test.each<[what: string, reads: Read[], left: number, said: object]>([
    ['as much as a read', [other(0.2, 28)], 27, { value: 1, text: 'a request of getItem (200) takes 1' }],
    [
      'nothing, as far as responses without Remaining show',
      [other(0.2), other(0.3)],
      28,
      { value: 0, text: 'a request of getItem (200) takes nothing, and its responses tell no Remaining' },
    ],
    [
      'nothing, as their own Remaining shows',
      [other(0.2, 29), other(0.3, 29)],
      28,
      { value: 0, text: 'a request of getItem (200) takes nothing' },
    ],
    [
      'something of another limit',
      [other(0.2, 99), other(0.3, 98)],
      28,
      {
        value: 'apart',
        text: 'getItem is counted apart: its own Remaining falls, and the one of the other reads does not',
      },
    ],
  ])('%s', (_what, reads, left, said) => {
    expect(costOf('getItem', [meter(0, 30), meter(0.1, 29), ...reads, meter(0.5, left)])).toMatchObject(said);
  });

  test('what is rejected at an operation that is counted apart is not measured by the others', () => {
    const rejected: Read = { at: 0.6, status: 404, operation: 'getItem', role: 'rejected' };
    const reads = [meter(0, 30), meter(0.1, 29), other(0.2, 99), other(0.3, 98), meter(0.5, 28)];
    expect(costOf('rejected', [...reads, rejected, meter(0.7, 27)])?.text).toBe(
      'cannot be told: it was a request of getItem, which is counted apart',
    );
  });
});

describe('whose limit it is', () => {
  const scopeOf = (...reads: Read[]) =>
    statementsOf([meter(0, 30), meter(0.1, 29), ...reads], 60).get('scope');
  const wrong: Read = { at: 0.2, status: 401, role: 'wrong-key' };

  test('the address has it if a wrong key takes from it', () => {
    expect(scopeOf(wrong, meter(0.3, 27))).toEqual({
      about: 'scope',
      value: 'address',
      text: 'a wrong key takes from the limit of the right one: requests are counted before the key is looked at, as by address',
      shownBy: [2, 3, 4],
    });
  });

  test.each<[what: string, reads: Read[], text: string, shownBy: number[]]>([
    [
      'a wrong key takes nothing',
      [wrong, meter(0.3, 28)],
      'cannot be told: one key from one address does not show whether the key or the address is counted',
      [2, 3, 4],
    ],
    [
      'no reading followed',
      [wrong],
      'cannot be told: one key from one address does not show whether the key or the address is counted',
      [],
    ],
    [
      'no wrong key was sent',
      [],
      'cannot be told: no request with a wrong key was sent between two readings of Remaining',
      [],
    ],
  ])('otherwise it is unknown: %s', (_what, reads, text, shownBy) => {
    expect(scopeOf(...reads)).toEqual({ about: 'scope', text, shownBy });
  });
});
