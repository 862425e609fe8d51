import { describe, expect, test } from 'vitest';
import {
  type Answer,
  again,
  downTo,
  exhausting,
  falling,
  NOON,
  refused,
  shown,
} from '../../test/limiters/limited-runs.ts';
import { explain } from '../judge/limiter/explanation/explain.ts';

const excludedBy = (answers: readonly Answer[]) => explain(shown(answers)).excluded;

describe('which figure is wrong where a request is let through after Remaining: 0', () => {
  const passed = falling([0, 0]);
  /** 59 requests after which none is left: one figure is skipped. */
  const skipping = [...downTo(31), ...downTo(0).slice(30)];

  test.each<[what: string, answers: Answer[], kind: string]>([
    ['Remaining, if no more than the limit were let through', [...skipping, ...passed], 'remaining'],
    ['the status, if one more was', [...downTo(0), ...passed], 'let-through'],
    ['Remaining, whatever is sent later', [...skipping, ...passed, ...passed], 'remaining'],
    ['Remaining, if others were refused', [...skipping, refused(), ...passed], 'remaining'],
    [
      'Remaining, if a wrong key was rejected',
      [{ key: 'absent', status: 401, limit: undefined, reset: '' }, ...skipping, ...passed],
      'remaining',
    ],
    [
      'the status, if a wrong key was let through',
      [{ key: 'absent' }, ...skipping, ...passed],
      'let-through',
    ],
    [
      'the status, if an animal was not found before',
      [
        ...downTo(40),
        ...falling([39, 38], { operation: 'getPet', status: 404 }),
        ...downTo(0).slice(22),
        ...passed,
      ],
      'let-through',
    ],
  ])('%s', (_what, answers, kind) => {
    expect(excludedBy(answers)).toMatchObject({ kind, shownBy: 'let-through' });
  });

  test('the status, whatever Remaining says, if more than the limit are let through while it is used up', () => {
    const answers = [...downTo(0, exhausting), ...falling([0, 0, 0, 0], exhausting)];
    expect(excludedBy(answers.map((each) => ({ ...each, reset: NOON + 30 })))).toMatchObject({
      kind: 'let-through',
      shownBy: 'let-through',
      isCounted: true,
      expected: { lo: 0, hi: 0 },
      observation: { exchange: { id: 64 } },
    });
  });
});

describe('which figure of a refusal is wrong if one request is left, and it costs two', () => {
  const reset = NOON + 30;
  const added: Answer = { operation: 'createPet', status: 201, reset };
  const odd = Array.from({ length: 29 }, (_, index) => 57 - 2 * index);
  const usedUp = [...falling([59], { reset }), ...falling(odd, added)];
  const refusal = refused({ ...added, status: 429 });

  test.each<[what: string, last: Answer[], kind: string | undefined]>([
    ['none, if it says one', [{ ...refusal, remaining: 1 }], undefined],
    ['none, if it says none, as for a request that costs two', [refusal, { remaining: 0, reset }], undefined],
    ['none, if it says none, and has taken the one', [refusal, refused({ reset })], undefined],
    [
      'Reset, if it is later than all others, whatever Remaining says after it',
      [
        { ...refusal, remaining: 1, reset: reset + 60 },
        { remaining: 45, reset },
      ],
      'reset',
    ],
  ])('%s', (_what, last, kind) => {
    const excluded = excludedBy([...usedUp, ...last]);
    expect(excluded?.kind).toBe(kind);
    expect(excluded?.observation.exchange.id).toBe(kind && usedUp.length + 1);
  });
});

test('a refusal that says none is wrong if more are left than it costs', () => {
  const reset = NOON + 30;
  const added: Answer = { operation: 'createPet', status: 201, reset };
  const untilThree = Array.from({ length: 28 }, (_, index) => 57 - 2 * index);
  const excluded = excludedBy([...falling(untilThree, added), refused({ ...added, status: 429 })]);
  expect(excluded).toMatchObject({ kind: 'refused', observation: { exchange: { id: 29 } } });
});

describe('what is let through after the wait for Retry-After, but before Reset', () => {
  const reset = NOON + 60;
  const usedUp = [...downTo(0, { ...exhausting, reset }), refused({ at: 1, reset, retryAfter: '8' })];

  test.each<[what: string, after: Answer, kind: string, shownBy: string]>([
    ['some remain: Reset was wrong', { remaining: 3, reset }, 'reset', 'let-through'],
    ['none remain: they did not before', { remaining: 0, reset }, 'remaining', 'let-through'],
    ['a new window begins: Reset was wrong', { remaining: 59, reset: reset + 9 }, 'reset', 'let-through'],
  ])('%s', (_what, after, kind, shownBy) => {
    const excluded = excludedBy([...usedUp, again({ at: 10, ...after })]);
    expect([excluded?.kind, excluded?.shownBy]).toEqual([kind, shownBy]);
    expect(excluded?.observation.exchange.id).toBe(usedUp.length + 1);
  });
});

describe('what a bucket says after the wait for Retry-After', () => {
  /** It gets one back each second, and Reset is when it is full. No window that ends gives three back. */
  const usedUp: Answer[] = [
    { at: -3, remaining: 50, reset: NOON + 7 },
    ...downTo(0, exhausting)
      .slice(7)
      .map((each, index) => ({ ...each, reset: NOON + index + 8, at: index / 100 })),
    refused({ at: 0.6, reset: NOON + 60, retryAfter: '1' }),
  ];
  const later = (remaining: number): Answer => ({ at: 2.7, remaining, reset: NOON + 62 - remaining });

  test.each<[what: string, last: Answer, kind: string | undefined]>([
    ['one is left of two that came back', again(later(1)), undefined],
    ['all are left but this one, so that Reset was too late', again(later(59)), 'reset'],
    ['too many are left, and not all', again(later(30)), 'remaining'],
    ['all are left, and petspec did not wait', later(59), 'remaining'],
  ])('%s', (_what, last, kind) => {
    expect(excludedBy([...usedUp, last])?.kind).toBe(kind);
  });

  test('ten came back, and it says that all are left, but refuses: the refusal is wrong', () => {
    // Six come back while it is used up.
    const slowly = Array.from({ length: 66 }, (_, index): Answer => {
      const at = index / 10;
      return { ...exhausting, at, remaining: 59 - index + Math.floor(at), reset: NOON + index + 1 };
    });
    const refusal = refused({ at: 6.6, reset: NOON + 66, retryAfter: '1' });
    const answers = [...slowly, refusal, again({ ...refusal, at: 16.6, remaining: 59, stage: 'recover' })];
    expect(excludedBy(answers)).toMatchObject({ kind: 'refused', shownBy: 'refused' });
  });
});

describe('a Reset that differs once', () => {
  const reset = NOON + 60;
  const once = downTo(30).map((each, index) => ({ ...each, reset: index === 10 ? reset + 50 : reset }));

  test('is wrong alone if everything else is right', () => {
    expect(excludedBy(once)).toMatchObject({ kind: 'reset', shownBy: 'reset', isAlone: true });
  });

  test('is not wrong alone if a later Remaining is wrong too', () => {
    const wrong = [...once, ...falling([45, 28, 44, 27, 26], { reset })];
    const excluded = excludedBy(wrong);
    expect(excluded).toMatchObject({ kind: 'reset', shownBy: 'reset' });
    expect(excluded).not.toHaveProperty('isAlone');
  });

  test('is wrong alone even if only a less likely way to count explains the rest', () => {
    // Both addresses are counted together: by itself, each is wrong from request 6 on.
    const together = Array.from({ length: 40 }, (_, index): Answer => {
      const kind = index % 5 < 3 ? {} : { operation: 'sendMessage', status: 201 };
      return { ...kind, remaining: 59 - index, reset: index === 9 ? reset + 50 : reset };
    });
    expect(excludedBy(together)).toMatchObject({
      kind: 'reset',
      isAlone: true,
      observation: { exchange: { id: 10 } },
    });
  });
});

describe('a varied request is counted apart', () => {
  const varied = { ...exhausting, variation: 'unknown-parameter' } as const;
  const usedUp = downTo(9, exhausting);
  const noneLeft = downTo(0, exhausting).slice(51);

  test.each<[what: string, answers: Answer[], variation: string | undefined]>([
    ['if many more are left after it', [{ ...varied, remaining: 30 }], 'unknown-parameter'],
    [
      'if many more are left after the next one',
      [
        { ...varied, remaining: 8 },
        { ...exhausting, remaining: 30 },
      ],
      'unknown-parameter',
    ],
    [
      'not if one more is left than is due',
      [...falling([8, 8], varied), ...falling([30, 29], exhausting)],
      undefined,
    ],
    ['not if it is refused', [refused({ ...varied, remaining: 30 })], undefined],
    [
      'not if it is refused when none is left',
      [...noneLeft, refused({ ...varied, remaining: 30 })],
      undefined,
    ],
    ['not if it is let through when none is left', [...noneLeft, ...falling([0, 0], varied)], undefined],
    [
      'not if it is let through when none is left, whatever it says',
      [...noneLeft, { ...varied, remaining: 30 }],
      undefined,
    ],
  ])('%s', (_what, last, variation) => {
    const after = falling([7, 6, 5, 4, 3, 2, 1, 0], exhausting);
    const { excluded } = explain(shown([...usedUp, ...last, ...(variation ? after : [])]));
    expect(excluded).toBeDefined();
    expect(excluded?.variation).toBe(variation);
    // It should have been counted with the others, and refused in the end.
    if (variation) expect(excluded).toMatchObject({ kind: 'let-through', shownBy: 'remaining' });
  });

  test.each<[what: string, first: Answer, variation: string | undefined]>([
    ['if the first one says more than the limit', { ...varied, remaining: 61 }, 'unknown-parameter'],
    ['not if the first one is a plain one', { ...exhausting, remaining: 61 }, undefined],
  ])('%s', (_what, first, variation) => {
    const { excluded } = explain(shown([first, ...falling([59, 58], exhausting)]));
    expect(excluded?.observation.exchange.id).toBe(1);
    expect(excluded?.variation).toBe(variation);
  });
});
