import { describe, expect, test } from 'vitest';
import { observed, type Seen } from '../../../../../test/limiters/limiter-states.ts';
import { fixedWindow } from '../models/fixed-window.ts';
import type { Observation } from '../models/model.ts';
import { balanceOf } from './balance.ts';
import { Weights } from './weights.ts';

const FIGURES = { limit: 60, windowMs: 60_000, burst: 0 };

/** Requests one after another: their kind, Remaining, and what else is known of them. */
function inTurn(
  rows: readonly [kind: string, remaining?: number, change?: Seen['exchange'] & Partial<Seen>][],
): Observation[] {
  return rows.map(([kind, remaining, change = {}], index) => {
    const { outcome, others, ...more } = change;
    const [operation = '', status] = kind.split(', ');
    return observed({
      at: index,
      until: index + 0.5,
      kind,
      status: Number(status),
      outcome: outcome ?? (status === '429' ? 'refused' : 'let-through'),
      ...(remaining === undefined ? {} : { remaining }),
      ...(others === undefined ? {} : { others }),
      reset: [40, 43],
      exchange: { id: index + 1, operation, ...more },
    });
  });
}

describe('what requests of an operation take at most', () => {
  const dearestOf = (operation: string, rows: Parameters<typeof inTurn>[0]) =>
    balanceOf(fixedWindow, FIGURES, inTurn(rows)).dearest(operation);

  test.each<[what: string, operation: string, rows: Parameters<typeof inTurn>[0], most: number]>([
    [
      'what Remaining falls by',
      'add',
      [
        ['read, 200', 50],
        ['add, 201', 45],
        ['read, 200', 44],
      ],
      5,
    ],
    [
      'of several, the least',
      'read',
      [
        ['read, 200', 50],
        ['read, 200', 47],
        ['read, 200', 45],
      ],
      2,
    ],
    ['their share of what two fall by', 'add', [['read, 200', 50], ['add, 201'], ['add, 201', 40]], 5],
    [
      'nothing, if Remaining stays the same',
      'read',
      [
        ['read, 200', 50],
        ['read, 200', 50],
      ],
      0,
    ],
    [
      'of two kinds, the dearer',
      'read',
      [
        ['read, 200', 50],
        ['read, 200', 47],
        ['read, 200, again', 46],
      ],
      3,
    ],
    [
      'of two kinds, the one that shows it',
      'read',
      [['read, 200, first'], ['read, 200', 47], ['read, 200', 46]],
      1,
    ],
    [
      'of two kinds, the one that shows it, if the other came when a window may have begun',
      'read',
      [
        ['read, 200', 50],
        ['read, 200', 47],
        ...Array.from({ length: 40 }, (): ['add, 201'] => ['add, 201']),
        ['read, 200, again', 59],
      ],
      3,
    ],
    [
      'any number, if no request is shown',
      'add',
      [
        ['read, 200', 50],
        ['read, 200', 49],
      ],
      Number.POSITIVE_INFINITY,
    ],
    [
      'any number, if only failures are shown',
      'add',
      [
        ['read, 200', 50],
        ['add, 400', 49],
      ],
      Number.POSITIVE_INFINITY,
    ],
    [
      'any number, if it is not its own key',
      'add',
      [
        ['read, 200', 50],
        ['add, 201', 45, { key: 'absent' }],
      ],
      Number.POSITIVE_INFINITY,
    ],
    [
      'any number, if it is varied',
      'add',
      [
        ['read, 200', 50],
        ['add, 201', 45, { variation: 'query' as never }],
      ],
      Number.POSITIVE_INFINITY,
    ],
    [
      'any number, if it may not have been counted',
      'add',
      [
        ['read, 200', 50],
        ['add, 201', 45, { outcome: 'unknown' }],
      ],
      Number.POSITIVE_INFINITY,
    ],
    [
      'any number, if none is left',
      'add',
      [
        ['read, 200', 5],
        ['add, 201', 0],
      ],
      Number.POSITIVE_INFINITY,
    ],
    [
      'any number, if one kind takes nothing, and another shows nothing',
      'read',
      [['read, 200, first'], ['read, 200', 50], ['read, 200', 50]],
      Number.POSITIVE_INFINITY,
    ],
  ])('%s', (_what, operation, rows, most) => {
    expect(dearestOf(operation, rows)).toBe(most);
  });

  test('are refused while fewer are left, and not before', () => {
    const refused = (left: number) => {
      const rows = inTurn([
        ['add, 201', left + 10],
        ['add, 201', left + 5],
        ['add, 201', left],
        ['add, 429', left],
      ]);
      return balanceOf(fixedWindow, FIGURES, rows).isEver();
    };
    expect([refused(3), refused(4), refused(5)]).toEqual([true, true, false]);
  });

  test('may take less, if no more are left', () => {
    const isPossible = (last: number) => {
      const rows = inTurn([
        ['add, 201', 8],
        ['add, 201', 3],
        ['add, 201', last],
      ]);
      return balanceOf(fixedWindow, FIGURES, rows).isPossible(Weights.unknown(rows).with('add, 201', 5));
    };
    expect([isPossible(0), isPossible(1), isPossible(2)]).toEqual([true, true, false]);
  });
});
