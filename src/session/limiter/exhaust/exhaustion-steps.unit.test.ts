import { describe, expect, test } from 'vitest';
import { exchange } from '../../../../test/exchanges/exchange.ts';
import type { Probe, RequestVariation } from '../../../model/probe.ts';
import {
  afterOther,
  afterRead,
  BEGINNING,
  type ExhaustionCourse,
  endOf,
  nextStep,
  nextVariation,
  type Situation,
} from './exhaustion-steps.ts';
import { WindowUse } from './window-use.ts';

const LIMIT = 60;
const ROUND: readonly RequestVariation[] = [{ id: 'query-none', kind: 'query-none' }];
const READ = { operation: 'listPets', rounds: [ROUND, ROUND, ROUND] } as unknown as Probe;

const told = (remaining: number, status = 200) =>
  exchange({ response: { status, headers: [], body: '' }, rate: { limit: LIMIT, remaining, reset: 60 } });

/** After two plain reads that were counted. */
function counting(left: number, more: Partial<Situation> = {}): Situation {
  const use = new WindowUse(LIMIT, 0);
  const sent = [told(left + 1), told(left)];
  for (const each of sent) use.add(each, 0);
  return {
    probe: READ,
    limit: LIMIT,
    course: { ...BEGINNING, sent },
    use,
    countsDown: true,
    isCountedDown: true,
    isQuick: true,
    left,
    rest: undefined,
    mostTogether: 64,
    ...more,
  };
}

describe('what is sent next', () => {
  test.each([
    ['the first round, before anything else', counting(50), { mayBeOther: false, round: ROUND }],
    [
      'after two rounds, something new',
      counting(50, { course: { ...counting(50).course, rounds: 2 } }),
      { mayBeOther: true, round: ROUND },
    ],
    [
      'no round after one that failed',
      counting(50, { course: { ...counting(50).course, isRoundFailed: true } }),
      { mayBeOther: true, round: undefined },
    ],
    ['the plain read, while responses are slow', counting(50, { isQuick: false }), { mayBeOther: false }],
    [
      'the plain read, where Remaining does not fall',
      counting(50, { countsDown: false }),
      { mayBeOther: false },
    ],
    ['the plain read, when nothing is left', counting(0), { mayBeOther: false }],
  ])('%s', (_what, situation, expected) => {
    expect(nextStep(situation)).toEqual({ kind: 'read', round: undefined, ...expected });
  });

  test('a way around the limit, once a third of it is left', () => {
    expect(nextStep(counting(20))).toEqual({ kind: 'varied', variation: 'forwarded-for' });
  });

  test('several together, where one at a time would not fit into the window', () => {
    const rest = { left: 50, limit: LIMIT, latency: 3_000, inTurn: 0, time: 30_000, isGradual: false };
    expect(nextStep(counting(50, { rest }))).toMatchObject({ kind: 'together' });
    expect(nextStep(counting(50, { rest, mostTogether: 1 }))).toMatchObject({ kind: 'read' });
  });
});

describe('what a response shows', () => {
  const read = (
    status: number,
    form: Parameters<typeof afterRead>[2],
    course: ExhaustionCourse = BEGINNING,
  ) => afterRead(course, told(10, status), form, 200).course;

  test.each([
    ['a 429', 429, { beside: 0 }, true],
    ['another refusal of the plain read', 403, { beside: 0 }, true],
    ['a varied request that is refused for another reason', 400, { variation: 'spelling', beside: 0 }, false],
    ['a round that is refused for another reason', 400, { round: ROUND, beside: 0 }, false],
    ['a 5xx that the operation may have sent for once', 503, { beside: 0 }, false],
    ['a success', 200, { beside: 0 }, false],
  ] as const)('%s', (_what, status, form, isRefused) => {
    expect(read(status, form).isRefused).toBe(isRefused);
  });

  test('a second 5xx in a row is a refusal', () => {
    expect(read(503, { beside: 0 }, read(503, { beside: 0 })).isRefused).toBe(true);
    expect(read(503, { beside: 0 }, read(200, { beside: 0 }, read(503, { beside: 0 }))).isRefused).toBe(
      false,
    );
  });

  test('a round that failed is the last one, and only a 429 to another request is a refusal', () => {
    expect(read(400, { round: ROUND, beside: 0 })).toMatchObject({ rounds: 1, isRoundFailed: true });
    expect(afterOther(BEGINNING, told(10, 404))).toMatchObject({ isRoundNext: true, isRefused: false });
    expect(afterOther(BEGINNING, told(0, 429))).toMatchObject({ isRefused: true });
  });
});

test.each([
  ['a refused request', counting(50, { course: { ...BEGINNING, isRefused: true } }), 5, 'done'],
  ['a budget that has one left, for the recovery', counting(50), 1, 'budget-used-up'],
  ['nothing of that', counting(50), 5, undefined],
])('%s ends it', (_what, situation, budget, expected) => {
  expect(endOf(situation, 0, 0, budget)).toBe(expected);
});

test('so do two minutes', () => {
  expect(endOf(counting(50), 0, 120_001, 5)).toBe('too-slow');
});

const plain = exchange();
const forwarded = exchange({ variation: 'forwarded-for' });
const spelled = exchange({ variation: 'spelling' });

/** The variations of an exhaustion that begins with so many requests left of a limit. */
function sentFrom(left: number, limit = 60): (string | undefined)[] {
  const sent = [];
  for (let rest = left; rest > 0; rest -= 1) {
    const variation = nextVariation(sent, rest, limit);
    sent.push(exchange(variation ? { variation } : {}));
  }
  return sent.map(({ variation }) => variation);
}

test('each variation is sent once, between plain requests', () => {
  expect(sentFrom(12).slice(0, 6)).toEqual([
    undefined,
    undefined,
    'forwarded-for',
    undefined,
    'spelling',
    undefined,
  ]);
  expect(sentFrom(100).filter((each) => each)).toEqual(['forwarded-for', 'spelling']);
});

test('none is sent while more than a third of the limit is left', () => {
  expect(sentFrom(300, 300).indexOf('forwarded-for')).toBe(200);
  expect(sentFrom(100, 300).indexOf('forwarded-for')).toBe(2);
});

test('the last two requests of the limit are plain', () => {
  expect(sentFrom(6).slice(-2)).toEqual(['spelling', undefined]);
  expect(sentFrom(5).filter((each) => each)).toEqual([]);
  expect(nextVariation([plain, plain, forwarded, plain], 1, 60)).toBeUndefined();
  expect(nextVariation([plain, plain, forwarded, plain], 2, 60)).toBe('spelling');
  expect(nextVariation([plain, plain, forwarded, plain, spelled, plain], 50, 300)).toBeUndefined();
});
