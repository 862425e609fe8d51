import { describe, expect, test } from 'vitest';
import {
  type Answer,
  again,
  downTo,
  exhausting,
  falling,
  NOON,
  type Run,
  refused,
  shown,
  tooManyOrders,
} from '../../../../test/limiters/limited-runs.ts';
import { explain } from './explain.ts';

/** The limiters that explain a run, and the first exchange that they do not explain. */
function explained(answers: readonly Answer[], run?: Run): { models: string[]; until: number | undefined } {
  const { accounts, excluded } = explain(shown(answers, run));
  return {
    models: accounts.map(({ attempt }) => attempt.model.name),
    until: excluded?.observation.exchange.id,
  };
}

describe('a bucket that is refilled in lots', () => {
  const LIMIT = 60;

  /** Its answers until it refuses one, and after the wait. A lot comes every so many seconds, and the first a bit earlier. */
  function answersOf(periodS: number, gapS: number): Answer[] {
    const answers: Answer[] = [];
    let left = LIMIT;
    let nextAt = 0.6 * periodS;
    const send = (stage: 'exhaust' | 'recover', at: number): void => {
      for (; nextAt <= at; nextAt += periodS) left = Math.min(LIMIT, left + periodS);
      const isRefused = left === 0;
      if (!isRefused) left -= 1;
      const refusal: Answer = { status: 429, retryAfter: String(Math.ceil(nextAt - at)) };
      const reset = NOON + Math.ceil(nextAt);
      answers.push({ stage, at, remaining: left, reset, ...(isRefused ? refusal : {}) });
    };
    for (let sent = 0; answers.at(-1)?.status !== 429; sent += 1) send('exhaust', sent * gapS);
    const { at = 0, retryAfter } = answers.at(-1) ?? {};
    send('recover', at + Number(retryAfter) + 1);
    return answers;
  }

  test.each<[when: string, periodS: number, gapS: number, blamed: string | undefined]>([
    // A shorter window explains that more come back after the wait.
    ['after the wait', 10, 0.01, undefined],
    ['after the wait', 30, 0.05, undefined],
    ['and before it', 10, 0.2, 'remaining'],
    ['many times', 2, 0.2, 'remaining'],
    ['while the limit is used up', 5, 0.05, 'let-through'],
  ])('gets one %s, every %i s', (_when, periodS, gapS, blamed) => {
    const answers = answersOf(periodS, gapS);
    const name = `token bucket, refilled in ${60 / periodS} lots`;
    expect(explained(answers)).toEqual({ models: [name], until: undefined });
    // No lot is more than half of the limit.
    const tooMany = [...answers.slice(0, -1), { ...answers.at(-1), remaining: 45 }];
    expect(explain(shown(tooMany)).excluded?.kind).toBe(blamed);
  });

  test('lets one more through than its limit in less than a second, if a lot comes then', () => {
    const answers = answersOf(1, 0.01);
    expect(answers.filter(({ stage, status }) => stage === 'exhaust' && status !== 429)).toHaveLength(61);
    expect(explained(answers)).toEqual({ models: ['sliding counter of whole requests'], until: undefined });
  });

  test('is that of one operation, if each is counted apart', () => {
    const change = { at: 0, reset: NOON + 30 };
    const others = [{ operation: 'getPet' }, { operation: 'createPet', status: 201 }];
    const answers = others.flatMap((each) => falling([59, 58], { ...each, ...change }));
    expect(explained([...answers, ...answersOf(10, 0.01)])).toEqual({
      models: ['fixed window', 'fixed window', 'token bucket, refilled in 6 lots'],
      until: undefined,
    });
  });

  test('takes none off for a request that is rejected', () => {
    const rejected: Answer = {
      operation: 'createPet',
      status: 400,
      at: -0.1,
      remaining: 60,
      reset: NOON + 6,
    };
    expect(explained([rejected, ...answersOf(10, 0.01)])).toEqual({
      models: ['token bucket, refilled in 6 lots'],
      until: undefined,
    });
  });

  test.each([['more than the limit', downTo(20)]])(
    'is no reason for a Remaining that begins anew long before Reset, and lets %s through',
    (_what, later) => {
      const reset = NOON + 30;
      const answers = [...downTo(30), ...later].map((each) => ({ ...exhausting, ...each, reset }));
      expect(explained(answers).until).toBeGreaterThan(30);
    },
  );

  test('is no reason for a Remaining that is too low once', () => {
    const answers = [
      ...downTo(40),
      { remaining: 15 },
      { remaining: 38 },
      { remaining: 37 },
      { remaining: 36 },
    ];
    expect(explained(answers).until).toBe(22);
  });
});

describe('some requests are counted apart', () => {
  /** Twice many lists, and the other operations once. What has the same name counts together, and Remaining says so. */
  const rounds = (nameOf: (operation: string) => string, wrongAt = -1): Answer[] => {
    const left = new Map<string, number>();
    const round = [...Array.from({ length: 26 }, () => 'listPets'), 'createPet', 'getPet', 'getStoreOrders'];
    return [...round, ...round].map((operation, index) => {
      const name = nameOf(operation);
      const remaining = (left.get(name) ?? 60) - 1;
      left.set(name, remaining);
      const status = operation === 'createPet' ? 201 : 200;
      return {
        operation,
        status,
        remaining: index === wrongAt ? remaining + 3 : remaining,
        reset: NOON + 60,
      };
    });
  };

  test.each<[what: string, nameOf: (operation: string) => string]>([
    ['reads and writes', (operation) => (operation === 'createPet' ? 'writes' : 'reads')],
    ['lists', (operation) => (operation === 'listPets' ? 'lists' : 'others')],
    ['animals that are fetched', (operation) => (operation === 'getPet' ? 'fetched' : 'others')],
  ])('%s', (_what, nameOf) => {
    expect(explained(rounds(nameOf))).toEqual({ models: ['fixed window', 'fixed window'], until: undefined });
    expect(explained(rounds(nameOf, 40)).until).toBeDefined();
  });

  test('each path', () => {
    const pathOf = (operation: string) => (operation === 'createPet' ? 'listPets' : operation);
    expect(explained(rounds(pathOf))).toEqual({
      models: ['fixed window', 'fixed window', 'fixed window'],
      until: undefined,
    });
    expect(explained(rounds(pathOf, 40)).until).toBeDefined();
  });

  test('but not in pairs of operations without anything in common', () => {
    const inPairs = rounds((operation) => String(['listPets', 'getPet'].includes(operation)));
    expect(explained(inPairs).until).toBeDefined();
  });
});

describe('both addresses are counted together, and one request is refused although some are left', () => {
  /** Three lists, then two messages, and so on: each address alone is counted wrongly from request 6 on, right after a message. */
  const together = (refusedAt: number): Answer[] =>
    Array.from({ length: 40 }, (_, index) => {
      const kind = index % 5 < 3 ? {} : { operation: 'sendMessage', status: 201 };
      const told = { ...kind, remaining: 59 - index, reset: NOON + 60 };
      return index === refusedAt - 1 ? { ...told, status: 429, retryAfter: '60' } : told;
    });

  test.each([[30], [17], [13], [7]])('request %i is: nothing explains it', (refusedAt) => {
    expect(explained(together(refusedAt)).until).toBe(refusedAt);
  });

  test('none is: a fixed window explains all', () => {
    expect(explained(together(0))).toEqual({ models: ['fixed window'], until: undefined });
  });
});

describe('of several ways to count, the one that explains the most for what it asks to believe', () => {
  const message = { operation: 'sendMessage', status: 202 } as const;
  const listAndMessages = (count: number, isMessage: (index: number) => boolean): Answer[] =>
    Array.from({ length: count }, (_, index) => ({
      ...(isMessage(index) ? message : {}),
      remaining: 59 - index,
      reset: NOON + 60,
    }));
  const refusedAt = (answers: Answer[], id: number) =>
    answers.map((each, index) => (index === id - 1 ? { ...each, status: 429, retryAfter: '60' } : each));

  test('two nodes for each address ask to believe less than one count for both', () => {
    const answers = listAndMessages(40, (index) => index % 5 > 2);
    const nodes = 'fixed window, counted by two nodes';
    expect(explained(refusedAt(answers, 30))).toEqual({ models: [nodes, nodes], until: 30 });
  });

  test('one count for both addresses, if two nodes explain far less', () => {
    // Of what a node says, half is left at least: 25 after the first message. After three more, that is more than it says.
    const answers = listAndMessages(55, (index) => [9, 17, 29, 39, 49].includes(index));
    expect(explained(refusedAt(answers, 51))).toEqual({ models: ['fixed window'], until: 51 });
  });

  test('the likeliest, if two nodes explain no more than six requests more', () => {
    const reset = NOON + 60;
    // Only two nodes say 59 after 55, which is request 6. Nothing says 56 after 20, which is request 12.
    const lists = falling([59, 58, 57, 56, 55, 59, 54, 58, 53, 57], { reset });
    const messages = falling([59, 58, 57, 20, 56, 55], { ...message, reset });
    const answers = [...lists.slice(0, 7), ...messages, ...lists.slice(7)];
    expect(explained(answers).until).toBe(6);
  });

  test('the likeliest, if it explains all but Reset', () => {
    // By operation, each request takes two, and only the last Reset is wrong.
    const answers = Array.from({ length: 40 }, (_, index): Answer => {
      const isList = index % 2 === 0;
      const reset = NOON + (isList || index === 39 ? 58 : 300_000);
      return { ...(isList ? {} : { operation: 'createPet', status: 201 }), remaining: 50 - index, reset };
    });
    const { excluded } = explain(shown(answers));
    expect(excluded).toMatchObject({ kind: 'reset', isAlone: true, observation: { exchange: { id: 2 } } });
  });

  test('and of two counts that nothing explains, the first request', () => {
    const reset = NOON + 60;
    // No lot is more than half of the limit.
    const lists = [...downTo(15), { remaining: 50 }].map((each) => ({ ...each, reset }));
    const messages = [...downTo(25), { remaining: 58 }].map((each) => ({ ...message, ...each, reset }));
    expect(explained([...lists, ...messages]).until).toBe(46);
    expect(explained([...messages, ...lists]).until).toBe(36);
    expect(explained([...lists.slice(0, 5), ...messages, ...lists.slice(5)]).until).toBe(41);
  });
});

test('more than the limit is let through, though Remaining stays as if later ones did not count', () => {
  const answers = Array.from({ length: 70 }, () => ({ ...exhausting, remaining: 59, reset: NOON + 60 }));
  const { excluded } = explain(shown(answers));
  expect(excluded).toMatchObject({ kind: 'let-through', isCounted: true });
});

test('the last of a window may come together with the first of the next one', () => {
  // None has a Reset. In less than half a minute, no segment ends.
  const together = falling([59, 58, 57, 56, 3, 2]).map((each, index) => ({
    ...each,
    at: 25,
    inFlight: index + 1,
  }));
  const answers = [...downTo(4), ...together].map((each) => ({ ...each, reset: '' }));
  expect(explained(answers)).toEqual({ models: ['fixed window'], until: undefined });
});

describe('what no search decides is presumed to be explained', () => {
  const presumed = (answers: readonly Answer[]) => {
    const { accounts, excluded } = explain(shown(answers));
    expect(excluded).toBeUndefined();
    return accounts.map(({ attempt: { isPresumed = false } }) => isPresumed);
  };

  test('if many come at a time', () => {
    expect(presumed(tooManyOrders)).toEqual([true]);
  });

  test('at one of two addresses', () => {
    const message = { operation: 'sendMessage', status: 202, remaining: 59, reset: NOON + 60 };
    // The likeliest is that both addresses are counted apart.
    expect(presumed([message, ...tooManyOrders])).toEqual([false, true]);
  });
});

test('what no search decides is not presumed if another way to count explains it', () => {
  const operations = [{}, {}, {}, { operation: 'getPet' }, { operation: 'createPet', status: 201 }];
  const answers = operations.map((each, index) => ({ ...tooManyOrders[index], ...each }));
  const message = { operation: 'sendMessage', status: 202, remaining: 59, reset: NOON + 60 };
  // Each operation is counted apart.
  expect(explained([message, ...answers])).toEqual({
    models: Array(4).fill('fixed window'),
    until: undefined,
  });
});

test('nothing is explained if Limit changes', () => {
  const messages: Answer[] = [59, 58].map((remaining) => ({
    operation: 'sendMessage',
    status: 202,
    remaining,
  }));
  expect(explain(shown(messages)).accounts).toHaveLength(1);
  expect(explain(shown([...messages, ...falling([57]), { limit: 61, remaining: 56 }])).accounts).toEqual([]);
});

describe('Reset of a 429 that is later than the end of the window', () => {
  const usedUp = downTo(0, { ...exhausting, reset: NOON + 60 });
  const blocked = (reset: number, retryAfter: string): Answer[] => [
    ...usedUp,
    refused({ at: 1, reset: NOON + reset, retryAfter }),
    again({ at: 78, reset: NOON + 120 }),
  ];

  test('may be the end of a block, as Retry-After says', () => {
    expect(explained(blocked(76, '75')).until).toBeUndefined();
  });

  test('is wrong if Retry-After says otherwise', () => {
    expect(explain(shown(blocked(76, '60'))).excluded).toMatchObject({ kind: 'reset' });
  });
});

describe('Date is 300 s ahead of our clock', () => {
  const ahead = { dateAhead: 300 };
  const withReset = (after: number): Answer[] => [
    ...downTo(0, { ...exhausting, ...ahead, reset: NOON + after }),
    refused({ ...ahead, at: 1, reset: NOON + after, retryAfter: '60' }),
    again({ ...ahead, at: 62, reset: NOON + after + 60 }),
  ];

  test.each([
    ['Date', 360],
    ['ours, as a proxy may have written Date', 60],
  ])('Reset may be by the clock of %s', (_clock, after) => {
    expect(explained(withReset(after))).toEqual({ models: ['fixed window'], until: undefined });
  });

  test('Reset may not be by a third one', () => {
    expect(explain(shown(withReset(200))).excluded).toMatchObject({ kind: 'reset' });
  });
});
