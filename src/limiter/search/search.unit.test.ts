import { describe, expect, test } from 'vitest';
import { exchange } from '../../../test/exchanges/exchange.ts';
import { fixedWindow } from '../models/fixed-window.ts';
import type { Model, Observation } from '../models/model.ts';
import { tokenBuckets } from '../models/token-bucket.ts';
import { REJECTED } from '../observations.ts';
import { attempt } from './search.ts';

/** A request: its kind, from when to when (s), how many are in flight, and Remaining; a wrong key tells none. */
type Row = [kind: string, from: number, to: number, inFlight: number, remaining?: number, others?: number];

function observationOf([kind, from, to, inFlight, remaining, others = 0]: Row, index: number): Observation {
  const [operation = '', status = ''] = kind.replace(REJECTED, '').split(', ');
  const key = remaining === undefined && !status.startsWith('2') ? 'absent' : 'valid';
  return {
    exchange: exchange({
      id: index + 1,
      operation,
      key,
      sentAt: from * 1_000,
      receivedAt: to * 1_000,
      inFlight,
      response: { status: Number(status), headers: [], body: '' },
    }),
    at: { lo: from * 1_000, hi: to * 1_000 + 1 },
    kind,
    outcome: status === '429' ? 'refused' : 'let-through',
    others,
    held: 0,
    beside: 0,
    ...(remaining === undefined ? {} : { remaining }),
  };
}

const bucket = tokenBuckets[0] as Model;
const bucketRoundedUp = tokenBuckets[1] as Model;

describe('the order of simultaneous requests, and what each kind takes, that explain all', () => {
  test.each<[what: string, model: Model, limit: number, rows: Row[]]>([
    [
      'a wrong key took what a refused body seemed to take',
      fixedWindow,
      3,
      [
        ['read, 200', 0, 0, 1, 2],
        ['wrong key, 401', 0, 0.001, 2],
        ['add, 400', 0.001, 0.001, 2, 1],
        ['add, 201', 0.002, 0.002, 1, 0],
        ['add, 400', 60, 60, 1, 3],
        ['read, 200', 60, 60, 2, 2],
      ],
    ],
    [
      'additions take five, and a part of a request came back before the first',
      bucket,
      60,
      [
        ['read, 200', 0, 0.01, 1, 50],
        ['add, 201', 0.9, 0.9, 1, 45],
        ['add, 201', 0.95, 0.95, 1, 40],
        ['add, 201', 1, 1, 1, 35],
      ],
    ],
    [
      'additions take five, and the first begins a window',
      fixedWindow,
      60,
      [
        ['read, 200', 0, 0.01, 1, 20],
        ['add, 201', 70, 70.01, 1, 55],
        ['add, 201', 71, 71.01, 1, 50],
      ],
    ],
    [
      'a read takes five, and the response of the first tells of another window',
      bucket,
      60,
      [
        ['read, 200', 0, 0.01, 1],
        ['read, 200, again', 0.02, 0.03, 1, 42],
        ['read, 200, again', 0.04, 0.05, 1, 37],
      ],
    ],
    [
      'an addition takes five, or all that is left: that may have been one or two, and parts came back meanwhile',
      bucket,
      60,
      [
        ['read, 200', 0, 0.01, 1, 12],
        ['read, 200', 0.02, 0.03, 1, 11],
        ['add, 201', 0.05, 0.06, 1, 6],
        ['add, 201', 0.1, 0.11, 1, 1],
        ['add, 201', 0.2, 0.22, 1, 0],
        ['read, 200', 0.4, 0.41, 1, 0],
      ],
    ],
    [
      'additions take five, and it is unknown what was used before the first',
      bucket,
      60,
      [
        ['add, 201', 0, 0.01, 1, 40],
        ['add, 201', 0.1, 0.11, 1, 35],
      ],
    ],
    [
      'wrong keys came before a request that seems to take three',
      bucket,
      57,
      [
        ['read, 200', 0, 0.01, 1, 53],
        ['wrong key, 401', 0.1, 0.11, 1],
        ['read, 200', 0.12, 0.13, 1, 51],
        ['wrong key, 401', 0.2, 0.22, 1],
        ['wrong key, 401', 0.21, 0.24, 2],
        ['add, 201', 0.21, 1.4, 3, 48],
        ['fetch, 200', 0.215, 0.235, 4, 47],
        ['add, 201', 0.22, 0.25, 5, 46],
      ],
    ],
    [
      'of two wrong keys, the later one was answered first',
      fixedWindow,
      60,
      [
        ['wrong key, 401', 0, 0.01, 1],
        ['add, 201', 0.02, 0.03, 1, 50],
        ['wrong key, 401', 0.04, 2, 1],
        ['add, 201', 0.05, 0.06, 2, 49],
        ['wrong key, 401', 0.05, 0.07, 3],
        ['add, 201', 0.08, 0.09, 2, 47],
        ['add, 201', 0.1, 0.11, 2, 46],
        ['add, 201', 3, 3.1, 1, 44],
      ],
    ],
    [
      'others may have used some, and a window began with a wrong key',
      fixedWindow,
      41,
      [
        ['add, 201', 0, 0.01, 1, 17],
        ['wrong key, 401', 0.02, 0.03, 1],
        ['add, 201', 0.04, 0.05, 1, 15],
        ['list, 200', 70, 70.03, 1, 37, 3],
        ['wrong key, 401', 70.001, 70.005, 2],
        ['add, 201', 70.007, 70.011, 2, 39],
        ['add, 201', 70.012, 70.04, 2, 38],
        ['list, 200', 71, 71.1, 1, 36],
      ],
    ],
    [
      'a request that is rejected for its key costs as much as its operation, which is known later',
      fixedWindow,
      60,
      [
        ['read, 200', 0, 0.01, 1, 59],
        ['a rejected key, add', 0.02, 0.03, 1],
        ['read, 200', 0.04, 0.05, 1, 53],
        ['add, 201', 0.06, 0.07, 1, 48],
        ['a rejected key, read', 0.08, 0.09, 1],
        ['read, 200', 0.1, 0.11, 1, 46],
      ],
    ],
    [
      'it costs one, whatever its operation costs',
      fixedWindow,
      60,
      [
        ['add, 201', 0, 0.01, 1, 55],
        ['a rejected key, add', 0.02, 0.03, 1],
        ['add, 201', 0.04, 0.05, 1, 49],
      ],
    ],
    [
      'a request that costs more than is left takes the rest',
      fixedWindow,
      60,
      [
        ['add, 201', 0, 0.01, 1, 8],
        ['add, 201', 0.02, 0.03, 1, 3],
        ['add, 201', 0.04, 0.05, 1, 0],
        ['read, 429', 0.06, 0.07, 1, 0],
      ],
    ],
    [
      'a slow request costs two, and one came back before it was answered',
      bucket,
      41,
      [
        ['read, 200', 0, 0.01, 1, 34],
        ['add, 201', 0.02, 1.5, 1, 32],
        ['add, 201', 1.51, 1.52, 1, 31],
        ['read, 200', 1.53, 1.54, 1, 30],
      ],
    ],
    [
      'of two with the same Remaining, the slow one was the last',
      bucketRoundedUp,
      52,
      [
        ['list, 200', 0, 1.85, 1, 50],
        ['list, 200', 0.205, 0.221, 2, 51],
        ['list, 200', 0.518, 0.537, 2, 51],
        ['list, 200', 0.541, 0.938, 2, 50],
      ],
    ],
  ])('%s', (_what, model, limit, rows) => {
    const figures = { limit, windowMs: 60_000, burst: 0 };
    const { misfit } = attempt(model, figures, rows.map(observationOf));
    expect([misfit?.observation.exchange.id, misfit?.expected]).toEqual([undefined, undefined]);
  });
});

describe('what no order and no cost explains', () => {
  const figures = { limit: 60, windowMs: 60_000, burst: 0 };

  test.each<[what: string, rows: Row[]]>([
    [
      'a rejected key costs neither nothing nor one nor as much as its operation',
      [
        ['add, 201', 0, 0.01, 1, 55],
        ['add, 201', 0.02, 0.03, 1, 50],
        ['a rejected key, add', 0.04, 0.05, 1],
        ['add, 201', 0.06, 0.07, 1, 42],
      ],
    ],
    [
      'of two rejected keys, one costs nothing',
      [
        ['read, 200', 0, 0.01, 1, 20],
        ['a rejected key, read', 0.02, 0.03, 1],
        ['read, 200', 0.04, 0.05, 1, 18],
        ['a rejected key, add', 0.06, 0.07, 1],
        ['read, 200', 0.08, 0.09, 1, 17],
      ],
    ],
    [
      'one that costs more than is left takes less than the rest',
      [
        ['add, 201', 0, 0.01, 1, 8],
        ['add, 201', 0.02, 0.03, 1, 3],
        ['add, 201', 0.04, 0.05, 1, 1],
      ],
    ],
    [
      'one is let through although nothing is left',
      [
        ['add, 201', 0, 0.01, 1, 5],
        ['add, 201', 0.02, 0.03, 1, 0],
        ['add, 201', 0.04, 0.05, 1, 0],
      ],
    ],
  ])('%s', (_what, rows) => {
    expect(attempt(fixedWindow, figures, rows.map(observationOf)).misfit).toBeDefined();
  });
});
