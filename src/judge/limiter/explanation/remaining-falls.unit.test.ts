import { describe, expect, test } from 'vitest';
import { type Answer, everywhere, falling, refused, shown } from '../../../../test/limiters/limited-runs.ts';
import { judgeFalls } from './remaining-falls.ts';

/** Responses with Remaining 0, of a service that announces a burst on top of its limit. */
const nothingLeft = (burst: number) => everywhere(() => 0).map((each): Answer => ({ ...each, burst }));

describe('Remaining falls', () => {
  test.each<[what: string, answers: Answer[], status: string, exercised: boolean]>([
    ['with each request', everywhere((sent) => 60 - sent), 'met', true],
    ['on one operation only', everywhere((sent) => (sent < 3 ? 60 - sent : 58)), 'met', true],
    ['never', everywhere(() => 42), 'violated', true],
    ['never: it rises', everywhere((sent) => sent), 'violated', true],
    ...[0, -1].map((resetIn): [string, Answer[], string, boolean] => [
      `never, with a Reset that is over when it comes: ${resetIn} s`,
      everywhere(() => 42).map((each) => ({ ...each, resetIn })),
      'violated',
      true,
    ]),
    ['never, but two requests say little', falling([42, 42]), 'met', false],
    ['never: nothing is left from the first on', everywhere(() => 0), 'violated', true],
    ['never, where nothing is left and a burst is announced', nothingLeft(60), 'met', false],
    ['never, where nothing is left and a smaller burst is announced', nothingLeft(2), 'violated', true],
    [
      'never, where an operation was asked once: that may be the one that is limited',
      [...falling([42, 42, 42, 42]), { operation: 'createPet', status: 201, remaining: 42 }],
      'met',
      false,
    ],
    [
      'never, while a minute passes between two: a window may have ended',
      [0, 60, 120, 180].map((at) => ({ at, remaining: 59 })),
      'met',
      false,
    ],
    ['at random', falling(Array.from({ length: 60 }, (_, index) => (index * 37) % 61)), 'violated', true],
    ['across the end of a window', falling([3, 2, 1, 0, 59, 58, 57]), 'met', true],
    [
      'across the ends of many short windows',
      Array.from({ length: 24 }, (_, index) => ({
        at: 4 * Math.floor(index / 3) + (index % 3) / 100,
        limit: 3,
        remaining: 2 - (index % 3),
        resetIn: 2,
      })),
      'met',
      true,
    ],
    [
      'out of order, where requests were under way together',
      falling([58, 59, 56, 57], { inFlight: 4 }),
      'met',
      true,
    ],
  ])('%s', (_what, answers, status, exercised) => {
    expect(judgeFalls(shown(answers))).toMatchObject({ status, exercised });
  });
});

describe('Remaining', () => {
  const paced = (seconds: number, remaining: (sent: number) => number, change: Answer = {}) =>
    everywhere(remaining).map((answer, index): Answer => ({ ...answer, at: index * seconds, ...change }));
  /** Of many reads in a row, each leaves all but one. */
  const full = (change: Answer) =>
    [...everywhere(() => 59), ...falling(Array.from({ length: 12 }, () => 59))].map(
      (answer, index): Answer => ({ ...answer, at: index * 0.1, ...change }),
    );
  const between = (answers: readonly Answer[], other: Answer) => answers.flatMap((answer) => [answer, other]);
  const status = ({ status: of, exercised }: ReturnType<typeof judgeFalls>) => (exercised ? of : 'vacuous');

  test.each<[what: string, answers: Answer[], finding: string]>([
    ['stays, a second apart: it may be refilled', paced(1, () => 42), 'vacuous'],
    ['stays, half a second apart: just so', paced(0.5, () => 42), 'vacuous'],
    ['stays, a quarter of a second apart', paced(0.25, () => 42), 'violated'],
    [
      'is one below the limit each time: a bucket of seconds is full before each request',
      full({ resetIn: 1 }),
      'vacuous',
    ],
    [
      'is one below the limit each time, and a Reset shows a longer window',
      full({ resetIn: 50 }),
      'violated',
    ],
    ['stays, too far apart to say anything', paced(5, () => 1, { limit: 1 }), 'vacuous'],
    ['stays, a bit nearer', paced(4.5, () => 1, { limit: 3 }), 'violated'],
    [
      'stays as many as Limit, while no message was sent: they may be all that counts',
      everywhere(() => 60),
      'vacuous',
    ],
    [
      'stays once, one less than the limit, in each burst: rounded up, a full bucket shows that',
      [0, 60, 120].flatMap((at) => everywhere(() => 59).map((answer) => ({ ...answer, at }))),
      'vacuous',
    ],
    [
      'stays on client errors, which may count for nothing',
      everywhere(() => 42).map((answer) => ({ ...answer, status: 404 })),
      'vacuous',
    ],
    [
      'stays, with messages in between',
      between(
        everywhere(() => 42),
        { operation: 'sendMessage', remaining: 9 },
      ),
      'violated',
    ],
    ['stays, after the key was used up before the run', [refused(), ...everywhere(() => 42)], 'vacuous'],
    [
      'is another operation’s in between',
      between(falling([59, 58, 57, 56]), { operation: 'getPet', remaining: 3 }),
      'vacuous',
    ],
    [
      'is the minute’s, then the day’s',
      falling([59, 58, 57, 56]).flatMap((answer) => [answer, { ...answer, limit: 1_000 }]),
      'vacuous',
    ],
    [
      'falls in the order in which answers came',
      paced(-0.01, (sent) => sent, { inFlight: 1 }).map((each) => ({ ...each, at: 1 + (each.at ?? 0) })),
      'met',
    ],
    ['rises by two windows', falling([0, 2, 0, 2], { limit: 2, at: 0 }), 'met'],
    ['rises by more', falling([0, 2, 1, 2, 0, 2], { limit: 2 }), 'violated'],
    ['rises by more than two windows', falling([0, 6, 0, 6, 5, 6], { limit: 6, at: 0 }), 'violated'],
    [
      'rises by two windows and the refill',
      [0, 6, 0, 6, 5, 6].map((remaining, index) => ({ remaining, limit: 6, at: 4 * index })),
      'met',
    ],
    [
      'rises by more than two windows, where requests were under way together',
      falling([0, 6, 0, 6, 5, 6], { limit: 6, at: 0, inFlight: 2 }),
      'met',
    ],
    [
      'stays one less than the limit, again and again: a full bucket shows that once',
      [0, 0.1, 0.2].flatMap((at) => everywhere(() => 59).map((answer) => ({ ...answer, at }))),
      'violated',
    ],
    [
      'stays one less than the limit, each time after a whole request came back',
      [0, 1.5, 3].flatMap((at) => everywhere(() => 59).map((answer) => ({ ...answer, at }))),
      'vacuous',
    ],
  ])('%s', (_what, answers, finding) => {
    expect(status(judgeFalls(shown(answers)))).toBe(finding);
  });

  test('answers without it are passed by', () => {
    expect(judgeFalls(shown([{ remaining: 59 }, {}, { remaining: 58 }]))).toMatchObject({
      status: 'met',
      evidence: [1, 3],
    });
  });

  test.each<[answers: Answer[], reason: string]>([
    [falling([42, 42]), 'too few requests, too far apart, to see Remaining fall'],
    [
      falling([42, 42, 42, 42]),
      'Remaining falls on no operation that got two requests in a row; createPet did not',
    ],
    [everywhere(() => 42), 'Remaining never falls'],
    [everywhere((sent) => (sent < 5 ? 10 : sent)), 'Remaining rises with use'],
    [falling([0, 2, 1, 2, 0, 2], { limit: 2 }), 'Remaining rises and falls without a reason'],
  ])('says what it does: %o', (answers, reason) => {
    expect(judgeFalls(shown(answers))).toMatchObject({ reason });
  });

  test('is not looked at where it is above Limit', () => {
    expect(judgeFalls(shown(falling([61, 62])))).toMatchObject({
      status: 'not-tested',
      untested: 'blocked',
      reason: 'cannot be judged: Remaining is above Limit',
      cause: 'rate-limit.remaining',
      evidence: [1, 2],
    });
  });

  test('need not fall on errors of the client', () => {
    const orders: Answer = { operation: 'getStoreOrders', status: 404, remaining: 42, at: 0 };
    const others = everywhere((sent) => (sent < 5 ? 59 : 42)).slice(0, 6);
    const answers = [...others.map((each) => ({ ...each, at: 0 })), orders, orders, orders];
    expect(judgeFalls(shown(answers))).toMatchObject({
      reason: 'too few requests, too far apart, to see Remaining fall',
    });
  });

  test.each<[what: string, answers: Answer[], sharedKey: boolean, finding: string]>([
    ['stays for less than a second', paced(0.2, () => 42), true, 'vacuous'],
    ['stays for a second', paced(0.25, () => 42), true, 'violated'],
    ['rises meanwhile', paced(0.01, (sent) => sent), true, 'violated'],
    ['stays, and nobody else uses the key', paced(0.2, () => 42), false, 'violated'],
  ])('may be older than requests, as others use the key: it %s', (_what, answers, sharedKey, finding) => {
    expect(status(judgeFalls(shown(answers, { sharedKey })))).toBe(finding);
  });

  test('may be up to a second old, as no other limiter says so', () => {
    const [now, later] = [paced(0.05, () => 50), paced(0.05, () => 42)];
    const aSecondLater = later.map((each) => ({ ...each, at: 1.04 + (each.at ?? 0) }));
    expect(judgeFalls(shown([...now, ...aSecondLater]))).toMatchObject({
      status: 'met',
      exercised: false,
      reason: 'Remaining may be older than the time in which the requests were sent',
    });
  });

  test('is shown by the plainest read of a pair', () => {
    expect(judgeFalls(shown(everywhere(() => 42)))).toMatchObject({
      kind: 'sequence',
      headers: ['X-RateLimit-Remaining'],
      repetition: { kind: 'again', exchange: 2, times: 8, shows: 'limits' },
    });
    const evidence = shown(everywhere(() => 42));
    const judged = evidence.judged.map((each) => ({
      ...each,
      exchange: { ...each.exchange, method: 'POST' },
    }));
    const finding = judgeFalls({ ...evidence, judged });
    expect(finding.status).toBe('violated');
    expect(finding.repetition).toBeUndefined();
  });

  test('is shown with eight of its figures', () => {
    const random = falling(Array.from({ length: 60 }, (_, index) => (index * 37) % 61));
    expect(judgeFalls(shown(random))).toMatchObject({
      expected: 'a figure that falls with each request',
      received: 'X-RateLimit-Remaining: 37, 13, 50, 26, 2, 39, 15, 52 over 60 requests',
      evidence: [2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
    });
  });
});
