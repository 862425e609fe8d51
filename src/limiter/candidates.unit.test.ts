import { describe, expect, test } from 'vitest';
import {
  type Answer,
  downTo,
  exhausting,
  falling,
  NOON,
  refused,
  shown,
} from '../../test/limiters/limited-runs.ts';
import { type CandidateFamily, candidatesOf } from './candidates.ts';
import { byAddress } from './counts.ts';

const FAMILIES = ['fixed window', 'sliding log', 'token bucket', 'sliding counter'];
const change = { ...exhausting, reset: NOON + 30 };

test('where more than the limit are let through while Reset stays, the last of them rules out every family', () => {
  const answers = [...downTo(0, change), ...falling([0, 0, 0, 0], change)];
  expect(candidatesOf(shown(answers), byAddress)).toEqual(
    FAMILIES.map((family) => ({
      family,
      explainsWith: [],
      ruledOutBy: {
        kind: 'let-through',
        expected: { lo: 0, hi: 0 },
        observation: expect.objectContaining({ exchange: expect.objectContaining({ id: answers.length }) }),
      },
    })),
  );
});

test('where no more are, a fixed window of a minute explains it', () => {
  const [window] = candidatesOf(shown(downTo(0, change)), byAddress);
  expect(window?.family).toBe('fixed window');
  expect(window?.explainsWith).toContain(60_000);
  expect(window).not.toHaveProperty('ruledOutBy');
});

/** Answers of a limit of five without Reset, so many seconds apart. */
const ofFive = (remaining: (number | undefined)[], apart = 0.1, answer: Answer = {}): Answer[] =>
  remaining.map((left, index) => ({
    at: Math.round(index * apart * 1_000) / 1_000,
    limit: 5,
    remaining: left,
    reset: '',
    ...answer,
  }));

function candidatesFor(answers: readonly Answer[], sharedKey = false): CandidateFamily[] {
  return candidatesOf(shown(answers, { plan: '', limits: { minute: 5, day: 1_000 }, sharedKey }), byAddress);
}

const ruledOutIn = (candidates: readonly CandidateFamily[]) =>
  candidates.map(({ ruledOutBy }) => ruledOutBy?.observation.exchange.id);

const NONE = FAMILIES.map(() => undefined);

test('the lengths that are tried are a second and more: common ones, a minute, and those near a Retry-After', () => {
  const refusal = refused({ at: 0.2, limit: 5, reset: '', retryAfter: '75' });
  const [window] = candidatesFor([...ofFive([0]), refusal]);
  expect(window?.explainsWith.map((ms) => ms / 1_000)).toEqual([
    1, 2, 3, 5, 10, 15, 20, 30, 45, 60, 74, 75, 76, 90, 120, 300, 600, 900, 1_800, 3_600,
  ]);
});

describe('which response rules out the families', () => {
  const ofDay = ofFive([999, 1_001], 0.1, { limit: 1_000 });
  const messages = ofFive([4, 7, 3], 0.1, { operation: 'sendMessage', status: 202 });
  /** After two seconds all have come back, and the last Remaining is that of no request. */
  const afterTwoSeconds = [
    ...ofFive([4, 3]),
    ...ofFive([4, 3, 5]).map((each) => ({ ...each, at: 2.3 + Number(each.at) })),
  ];

  test.each<[what: string, answers: Answer[], ids: (number | undefined)[]]>([
    ['none, whatever other responses say of the day', [...ofFive([4, 3]), ...ofDay], NONE],
    [
      'one of the other address, though the first is explained',
      [...ofFive([4, 3, 2]), ...messages],
      [5, 5, 5, 5],
    ],
    ['the last one that any length leaves, though most rule them out before', afterTwoSeconds, [5, 5, 5, 5]],
  ])('%s', (_what, answers, ids) => {
    expect(ruledOutIn(candidatesFor(answers))).toEqual(ids);
  });

  test('one whose Remaining falls by two, even if others use the key: they are assumed not to', () => {
    expect(ruledOutIn(candidatesFor(ofFive([4, 3, 1, 0]), true))).toEqual([3, 3, 3, 3]);
  });

  test('the shortest of the lengths that explain as much says what was due', () => {
    // In a bucket of a second, one came back since the first.
    const bucket = candidatesFor(ofFive([4, 3, 1, 0])).find(({ family }) => family === 'token bucket');
    expect(bucket?.ruledOutBy).toMatchObject({ kind: 'remaining', expected: { lo: 2, hi: 3 } });
  });
});

describe('requests whose responses tell no Remaining', () => {
  test('all count if none tells it: only fixed windows may end between them', () => {
    const candidates = candidatesFor(ofFive(Array(12).fill(undefined), 0.01));
    expect(candidates.filter(({ ruledOutBy }) => ruledOutBy).map(({ family }) => family)).toEqual(
      FAMILIES.slice(1),
    );
  });

  test('may be free if others tell it', () => {
    const free = ofFive(Array(7).fill(undefined), 0.01, { operation: 'getPet' });
    const [first, second] = ofFive([4, 3]) as [Answer, Answer];
    expect(ruledOutIn(candidatesFor([first, ...free, second]))).toEqual(NONE);
  });
});

describe('a bucket that drops fractions of tokens: one came back each time, after five in quick succession', () => {
  const answers = [
    ...ofFive([4, 3, 2, 1, 0], 0.8),
    ...ofFive(Array(6).fill(0), 1.1).map((each) => ({ ...each, at: 4.3 + Number(each.at) })),
  ];
  const bucketFor = (answers: Answer[]) =>
    candidatesFor(answers).find(({ family }) => family === 'token bucket');

  test('is a token bucket', () => {
    expect(bucketFor(answers)?.explainsWith).toEqual([5_000]);
  });

  test('is not one if Reset is sent: such a bucket sends none', () => {
    const withReset = answers.map((each) => ({ ...each, reset: NOON + Math.floor(Number(each.at)) + 5 }));
    expect(bucketFor(withReset)?.explainsWith).toEqual([]);
  });
});
