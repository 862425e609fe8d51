import { describe, expect, test } from 'vitest';
import {
  type Answer,
  falling,
  lowOnce,
  NOON,
  type Run,
  refused,
  shown,
  tooManyOrders,
} from '../../../test/limiters/limited-runs.ts';
import { judgeCount } from './count.ts';

test.each<[what: string, answers: readonly Answer[], finding: object]>([
  ['an honest limiter would say so', falling([59, 58, 57]), { status: 'met', evidence: [1, 2, 3] }],
  ['none would', lowOnce, { status: 'violated', evidence: [22, 21] }],
  [
    'no search can try every order in which requests may have been counted',
    tooManyOrders,
    {
      status: 'met',
      exercised: false,
      reason: 'simultaneous requests may have been counted in too many orders to try them all',
      evidence: [1, 2, 3, 4, 5, 6],
    },
  ],
  [
    'so it is if another address has an order that is known',
    [{ operation: 'sendMessage', status: 202, remaining: 59 }, ...tooManyOrders],
    { status: 'met', exercised: false },
  ],
  [
    'no response says what remains',
    [{ limit: undefined }],
    { status: 'not-tested', cause: 'X-RateLimit-Remaining' },
  ],
  [
    'a response without it is left out',
    [{ remaining: 59 }, {}, { remaining: 57 }],
    { status: 'met', evidence: [1, 3] },
  ],
])('Remaining is what is left: %s', (_what, answers, finding) => {
  expect(judgeCount(shown(answers))).toMatchObject(finding);
});

test('requests that come back meanwhile may seem to cost two', () => {
  // A sliding counter of ten; another client has used five. In the next window, a request with a wrong key counts as well.
  const change = { limit: 10, reset: NOON + 54 };
  const refusals = [0.8, 0.9, 2, 2.3, 4.5, 19.6, 19.7, 21.6, 22.4].map((at) =>
    refused({ ...change, at, retryAfter: String(Math.ceil(45.5 - at)) }),
  );
  const later = { limit: 10, reset: NOON + 114 };
  const answers: Answer[] = [
    ...falling([4, 3, 2, 1, 0], change).map((each, index) => ({ ...each, at: 0.02 + index / 25 })),
    ...refusals,
    { ...later, at: 62.33, remaining: 3 },
    { ...later, at: 62.331, remaining: 2, key: 'absent', status: 401 },
    { ...later, at: 62.332, remaining: 1, operation: 'getPet' },
    { ...later, at: 62.333, remaining: 0, operation: 'sendMessage', status: 202 },
    refused({ ...later, at: 62.334, retryAfter: '6' }),
  ];
  expect(judgeCount(shown(answers, { limits: { minute: 10, day: 61 }, plan: '' }))).toMatchObject({
    status: 'met',
  });
});

test('a request with a wrong key may count: two requests around it do not show that each takes two off', () => {
  const change = { limit: 5, reset: NOON + 30 };
  const later = { limit: 5, reset: NOON + 90 };
  const answers: Answer[] = [
    { ...change, at: 0.02, remaining: 0 },
    ...[0.07, 0.13, 4.5, 19.6, 22.4].map((at) =>
      refused({ ...change, at, retryAfter: String(Math.ceil(27.4 - at)) }),
    ),
    { ...later, at: 62.33, remaining: 3 },
    { ...later, at: 62.331, remaining: 2, key: 'absent', status: 401 },
    { ...later, at: 62.332, remaining: 1, operation: 'getPet' },
    { ...later, at: 62.333, remaining: 0, operation: 'sendMessage', status: 202 },
    refused({ ...later, at: 62.334, retryAfter: '12' }),
  ];
  const run = { limits: { minute: 5, day: 61 }, plan: '' };
  expect(judgeCount(shown(answers, run))).toMatchObject({ status: 'met' });
});

/** Each list, read and addition takes two. */
const DOUBLE: readonly Answer[] = [
  ...falling([58, 56, 54]),
  ...falling([52, 50], { operation: 'getPet' }),
  ...falling([48, 46], { operation: 'createPet', status: 201 }),
];
const FETCHED: Answer = { operation: 'getPet' };
const REJECTED: Answer = { operation: 'createPet', status: 400 };
const MESSAGE: Answer = { operation: 'sendMessage', status: 202 };
const WRONG_KEY: Answer = { key: 'unknown', status: 401 };

describe('each request takes two off, whatever it asks for', () => {
  // The lists and the first read of one thing show it, unless another request does before.
  test.each<[what: string, answers: readonly Answer[], shownBy?: readonly number[]]>([
    ['all of them', DOUBLE],
    [
      'rejected ones nothing',
      [...falling([58, 56]), { ...REJECTED, remaining: 56 }, ...falling([54, 52], FETCHED)],
    ],
    [
      'rejected ones as well',
      [...falling([58, 56]), { ...REJECTED, remaining: 54 }, ...falling([52, 50], FETCHED)],
      [1, 2, 3],
    ],
    [
      'but those with a wrong key one',
      [...DOUBLE, { ...WRONG_KEY, remaining: 45 }, { ...FETCHED, remaining: 43 }],
    ],
    ['and one tells no Remaining', [...DOUBLE, {}, { ...FETCHED, remaining: 42 }]],
    ['messages have a count of their own, by two', [...DOUBLE, ...falling([58, 56, 54], MESSAGE)]],
    [
      'messages have a count of their own, and a refused one is free',
      [...DOUBLE, { ...MESSAGE, remaining: 58 }, { ...MESSAGE, status: 400, remaining: 58 }],
    ],
    ['as it does in the next window', [...DOUBLE, { ...FETCHED, at: 61, remaining: 58 }]],
  ])('%s', (_what, answers, shownBy = [1, 2, 3, 4]) => {
    expect(judgeCount(shown(answers))).toMatchObject({
      status: 'violated',
      reason: 'every request takes 2 off Remaining, whatever it asks for',
      received: 'X-RateLimit-Remaining falls by 2 with each request',
      repetition: { kind: 'in-turn', exchanges: shownBy },
      evidence: shownBy,
    });
  });
});

test.each<[what: string, answers: readonly Answer[], run?: Run]>([
  ['others use the key, who may send as many', DOUBLE, { sharedKey: true }],
  ['some success takes nothing', [...DOUBLE, { operation: 'getStoreOrders', remaining: 46 }]],
  ['some success takes one', [...DOUBLE, { ...MESSAGE, remaining: 45 }]],
  ['some rejected one takes one', [...DOUBLE, { ...REJECTED, remaining: 45 }]],
  ['orders take one', [...DOUBLE, ...falling([45, 44], { operation: 'getStoreOrders' })]],
  ['messages have a count of their own, by one', [...DOUBLE, ...falling([59, 58, 57], MESSAGE)]],
  [
    'messages have a count of their own, and one is free',
    [...DOUBLE, { ...MESSAGE, remaining: 58 }, { ...MESSAGE, status: 201, remaining: 58 }],
  ],
])('not each request takes two off if %s', (_what, answers, run) => {
  expect(judgeCount(shown(answers, run))).toMatchObject({ status: 'met' });
});

test('what many at a time may have taken does not show that each takes two', () => {
  const others = tooManyOrders.map((each): Answer => ({ ...each, ...MESSAGE }));
  expect(judgeCount(shown([...DOUBLE, ...others]))).toMatchObject({ status: 'met', exercised: false });
});

test('a request that leaves nothing may cost more than was left', () => {
  // Lists cost two, the orders five, and wrong messages nothing. A list and the orders come at a time.
  const [early, first, second] = [0, 60, 120].map((reset) => ({ limit: 4, reset: NOON + reset }));
  const answers: Answer[] = [
    refused({ ...early, at: -20, operation: 'sendMessage', retryAfter: '20' }),
    refused({ ...early, at: -19, retryAfter: '19' }),
    refused({ ...early, at: -18, operation: 'getStoreOrders', retryAfter: '18' }),
    { ...first, at: 1, remaining: 2, inFlight: 2 },
    { ...first, at: 1, operation: 'getStoreOrders', remaining: 0, inFlight: 2 },
    refused({ ...first, at: 2, retryAfter: '58' }),
    { ...second, at: 61, operation: 'sendMessage', status: 400, remaining: 4 },
    { ...second, at: 62, remaining: 2 },
    { ...second, at: 63, remaining: 0 },
    refused({ ...second, at: 64, retryAfter: '56' }),
  ];
  expect(judgeCount(shown(answers, { limits: { minute: 4, day: 61 }, plan: '' }))).toMatchObject({
    status: 'met',
  });
});

test('falls for a single operation do not show what others cost', () => {
  const answers = falling([58, 56, 54, 52]);
  expect(judgeCount(shown(answers))).toMatchObject({ status: 'met' });
  expect(judgeCount(shown([...answers, { operation: 'getPet', remaining: 50 }]))).toMatchObject({
    status: 'violated',
  });
});

test('a request that went out twice may count twice, and what its kind costs stays the same', () => {
  const twice = { isRepeated: true } as const;
  const fetched = { operation: 'getPet' };
  const created = { operation: 'createPet', status: 201 };
  const message = { operation: 'sendMessage', status: 400 };
  // Wrong keys have a count of their own.
  const unknownKey = { key: 'unknown', status: 401 } as const;
  const burst: Answer[] = [
    { ...twice, remaining: 52 },
    { ...fetched, remaining: 57 },
    { ...fetched, remaining: 56 },
    { operation: 'getStoreOrders', remaining: 55 },
    { ...created, remaining: 54 },
    { ...created, remaining: 53 },
    { ...fetched, ...unknownKey, remaining: 59 },
  ].map((each, index) => ({ ...each, at: each.remaining === 52 ? 0.47 : 0.4, inFlight: index + 1 }));
  const alone: Answer[] = [
    ...falling([51, 50, 49, 48, 47, 46, 45], created),
    { ...twice, remaining: 43 },
    ...falling(
      Array.from({ length: 36 }, (_, index) => 42 - index),
      { operation: 'createPet', status: 400 },
    ),
    ...falling([6, 5]),
    ...falling([4, 3, 2], message),
    { ...message, ...unknownKey, remaining: 58 },
    { ...message, status: 200, remaining: 1 },
    { remaining: 0 },
  ];
  const inTurn = alone.map((each, index) => ({ ...each, at: 0.5 + index / 100 }));
  const answers = [{ remaining: 59 }, ...burst, ...inTurn].map((each) => ({ ...each, reset: NOON + 60 }));
  expect(judgeCount(shown(answers))).toMatchObject({ status: 'met' });
});
