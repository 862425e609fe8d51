import { describe, expect, test } from 'vitest';
import { clientFinding, type SentByClient, scenarioOf } from '../../test/exchanges/client-requests.ts';

const ms = (at: number) => Math.round(1000 * (1_000 + at));

/** A 429 that says to come back in 10 s, and other requests, with the times at which they were answered or sent, in s. */
const refused = (at: number, change: SentByClient = {}): SentByClient => ({
  ...{
    at: ms(at) - 1,
    answeredAt: ms(at),
    status: 429,
    retryAfter: '10',
    answer: {},
  },
  ...change,
});
const sent = (at: number, change: SentByClient = {}): SentByClient => ({
  at: ms(at),
  ...change,
});

const judge = (requirement: string, requests: readonly SentByClient[], change = {}) =>
  clientFinding(requirement, [scenarioOf(requests, change)]);

const untested = (what: string) => ({
  status: 'not-tested',
  untested: 'no-traffic',
  reason: `the client did not ${what}`,
});
const hasty = {
  status: 'not-tested',
  untested: 'blocked',
  cause: 'client.retry-after',
  reason: 'the client did not wait for the time in Retry-After',
};
const stopped = { end: { kind: 'stopped', words: 'ended after 60 s' } };

describe('no request comes before the time in Retry-After', () => {
  test.each<[what: string, requests: SentByClient[], expected: object]>([
    ['none at all', [refused(0)], { status: 'met', evidence: [1] }],
    ['the next one later', [refused(0), sent(10), refused(20)], { status: 'met', evidence: [1, 3] }],
    [
      'none before it is refused in the same ms',
      [sent(-1), refused(0, { at: ms(0) })],
      { status: 'met', evidence: [2] },
    ],
    [
      'the next one in the same ms',
      [refused(0, { at: ms(0) }), sent(0)],
      { status: 'violated', evidence: [2] },
    ],
    ['without a refusal', [sent(0), sent(1)], untested('send a request that got 429')],
    [
      'the next one too early',
      [refused(0), sent(2.5)],
      {
        status: 'violated',
        kind: 'sequence',
        reason: 'a request with the key was sent before the time in Retry-After (scenario plain)',
        expected: 'no request with the key for 10.00 s after the 429',
        received: 'GET http://a.example/v1/pets after 2.50 s',
        evidence: [2],
      },
    ],
    [
      'the next one too early after a 503',
      [refused(0, { status: 503 }), sent(2.5)],
      { status: 'violated', expected: 'no request with the key for 10.00 s after the 503' },
    ],
  ])('%s', (_what, requests, expected) => {
    expect(judge('retry-after', requests)).toMatchObject(expected);
  });
});

describe('requests side by side', () => {
  const other = { call: 'GET http://a.example/v1/pets?limit=5' };
  const third = { call: 'GET http://a.example/v1/pets?limit=7' };
  /** Refused after a tenth of a second, told to come back in so many s. */
  const slowly = (at: number, retryAfter: string, change: SentByClient = {}): SentByClient =>
    refused(at, { at: ms(at - 0.1), inFlight: 2, retryAfter, ...change });

  /** Sent before it could know of the first refusal, and refused long after. */
  const held = slowly(9.9, '10', { ...other, at: ms(0.5) });

  test.each<[what: string, requests: SentByClient[], expected: object]>([
    ['wait for the first time, told first', [slowly(0, '5'), slowly(0.05, '10', other), sent(6, third)], {}],
    ['wait for the first time, told last', [slowly(0, '10'), slowly(0.05, '5', other), sent(6, third)], {}],
    [
      'came back before the first time',
      [slowly(0, '10'), slowly(0.05, '5', other), sent(4, third)],
      { status: 'violated', evidence: [3] },
    ],
    [
      'were refused one after the other: the second time holds',
      [slowly(0, '5'), slowly(0.2, '10', other), sent(6, third)],
      { status: 'violated', evidence: [3] },
    ],
    ['wait for themselves', [slowly(0, '10'), held, sent(10.2)], {}],
    [
      'wait for themselves, with another parameter for each attempt',
      [
        slowly(0, '10', { call: `${other.call}&_=1` }),
        { ...held, call: 'GET http://a.example/v1/pets?_=2&limit=7' },
        sent(10.2, { call: `${other.call}&_=3` }),
      ],
      {},
    ],
    [
      'wait for themselves, once for each refusal',
      [slowly(0, '10'), held, sent(10.2), sent(11)],
      { status: 'violated', evidence: [4] },
    ],
    ['did not know of it yet', [slowly(0, '10'), sent(0.9, other)], {}],
    [
      'must have known of it after a second',
      [slowly(0, '10'), sent(1, other)],
      { status: 'violated', evidence: [2] },
    ],
    [
      'must have known of it over its connection',
      [slowly(0, '10', { connection: 1 }), sent(0.9, { ...other, connection: 1 })],
      { status: 'violated', evidence: [2] },
    ],
    [
      'are refused in the same ms',
      [
        sent(-1, { at: ms(-1.5), answeredAt: ms(-0.6), inFlight: 2 }),
        refused(0, { at: ms(0), connection: 1 }),
        refused(0, { ...other, at: ms(0), connection: 2 }),
      ],
      {},
    ],
    [
      'took its connection before it was read',
      [slowly(0, '10', { connection: 1 }), sent(0.02, { ...other, connection: 1 })],
      {},
    ],
    [
      'took its connection before it was read, and once more',
      [
        slowly(0, '10', { connection: 1 }),
        sent(0.02, { ...other, connection: 1 }),
        sent(0.04, { ...third, connection: 1 }),
      ],
      { status: 'violated', evidence: [3] },
    ],
    [
      'are the same, and another of them was refused',
      [sent(-0.5, { inFlight: 1, answeredAt: ms(-0.05) }), slowly(0, '10'), sent(0.02)],
      {},
    ],
    [
      'repeat what was not refused',
      [sent(-0.5, { ...other, inFlight: 2, answeredAt: ms(-0.4) }), slowly(0, '10'), sent(0.9, other)],
      {},
    ],
    [
      'must have known of it to repeat it',
      [slowly(0, '10'), sent(0.9)],
      { status: 'violated', evidence: [2] },
    ],
    [
      'are the same, and one of them is not answered yet',
      [sent(-0.5, { ...other, answeredAt: ms(2) }), slowly(0, '10'), sent(0.9, other)],
      {},
    ],
  ])('that %s', (_what, requests, expected) => {
    expect(judge('retry-after', requests)).toMatchObject({ status: 'met', ...expected });
  });
});

describe('a client comes back after a 429', () => {
  const needed = 'send a request that got 429';

  test.each<[what: string, requests: SentByClient[], expected: object, change?: object]>([
    ['in time', [refused(0), sent(11)], { status: 'met', evidence: [2] }],
    [
      'never',
      [sent(0), refused(1)],
      {
        status: 'advisory',
        kind: 'sequence',
        reason: 'the client gave up after a 429 (scenario plain)',
        expected: 'another request after the time in Retry-After',
        received: 'no further request; exit status 0',
        evidence: [2],
      },
    ],
    ['too early, which is another mistake', [refused(0), sent(2)], hasty],
    ['too late to be seen', [refused(0)], untested(needed), stopped],
    ['although it was not refused', [sent(0), sent(1)], untested(needed)],
  ])('%s', (_what, requests, expected, change) => {
    expect(judge('retry', requests, change)).toMatchObject(expected);
  });

  test('in each scenario', () => {
    const scenarios = [
      scenarioOf([refused(0), sent(11)]),
      scenarioOf([refused(0)], { name: 'dates', from: 3 }),
    ];
    expect(clientFinding('retry', scenarios)).toMatchObject({
      status: 'advisory',
      reason: 'the client gave up after a 429 (scenario dates)',
      evidence: [3],
    });
  });
});

test('a client that does not wait in one scenario is not asked what it does after waiting', () => {
  const scenarios = [
    scenarioOf([refused(0), sent(11)]),
    scenarioOf([refused(0), sent(2)], { name: 'dates', from: 3 }),
  ];
  expect(clientFinding('retry', scenarios)).toMatchObject(hasty);
});

describe('pauses grow when a client is refused again', () => {
  const needed = 'send a request again that was refused twice';
  /** Refused again and again, with these pauses in s in between; the last request is let through. */
  const pausing = (pauses: readonly number[], change: SentByClient = {}) => {
    const times = [0];
    for (const pause of pauses) times.push((times.at(-1) ?? 0) + pause + 0.001);
    return times.map((at, index) => (index < pauses.length ? refused(at, change) : sent(at - 0.001)));
  };

  test.each<[what: string, requests: SentByClient[], expected: object]>([
    ['twice as long each time', pausing([10, 20, 40]), { status: 'met', evidence: [4] }],
    [
      'all alike',
      pausing([12, 12, 12]),
      {
        status: 'advisory',
        kind: 'sequence',
        reason: 'the pauses did not grow when the request was refused again (scenario plain)',
        expected: 'longer pauses',
        received: 'pauses of 12.00 s, 12.00 s, 12.00 s',
        evidence: [4],
      },
    ],
    ['half as long again as the first', pausing([10, 10, 15]), { status: 'advisory' }],
    ['a little longer than that', pausing([10, 10, 15.1]), { status: 'met' }],
    [
      'longer than the first would have been without a busy machine',
      pausing([14, 14, 15.1]),
      { status: 'met' },
    ],
    ['and a first pause shorter than the time in Retry-After', pausing([9.96, 10, 14.97]), { status: 'met' }],
    [
      'the last one, after several that are alike',
      pausing([10, 10, 10, 40]),
      { status: 'met', evidence: [5] },
    ],
    ['by a little each time', pausing([10, 10.2, 10.5]), { status: 'met' }],
    ['by less than timers are exact', pausing([10, 10.04, 10.08]), { status: 'advisory' }],
    [
      'of different operations, which are not compared',
      pausing([12, 12, 12]).map((each, index) =>
        index < 2 ? each : { ...each, call: 'GET http://a.example/v1/store/orders' },
      ),
      untested(needed),
    ],
    ['two pauses alone', pausing([10, 10]), untested(needed)],
    ['no pause', [sent(0), sent(1)], untested(needed)],
    ['three refusals, and the last one for good', pausing([10, 10, 10]).slice(0, -1), untested(needed)],
    ['requests side by side', pausing([12, 12, 12], { inFlight: 2 }), untested(needed)],
  ])('%s', (_what, requests, expected) => {
    expect(judge('backoff', requests)).toMatchObject(expected);
  });
});
