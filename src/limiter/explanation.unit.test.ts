import { describe, expect, test } from 'vitest';
import { type Answer, contract, exchangeOf, NOON } from '../../test/limiters/limited-runs.ts';
import { explanationOf } from './explanation.ts';

/** Eight operations are as many as are tried as the one that is counted apart. A message goes to another address. */
const OPERATIONS = ['stores', 'toys', 'shelves', 'orders', 'offers', 'sendMessage', 'listPets', 'createPet'];
const LIMIT = 300;

/**
 * One request every tenth of a second to a fixed window: of each operation, some in the last half second of a window, as no other limiter
 * gives all back then, and some from the beginning of the next one. Each begins a window of its own, so that many ways to count explain the
 * figures. Two additions fail and are free, as no two nodes would have it. Before the last additions, Remaining stays the same once.
 * @param each how many of each operation come in the second window
 */
function stayingOnce(each: number): Answer[] {
  return OPERATIONS.flatMap((operation, index) => {
    const isLast = operation === 'createPet';
    const [before, begins] = [2 * index, 60 * (2 * index + 1)];
    // Some were used before the run.
    const left = LIMIT - (index === 0 ? 20 : 0);
    const ending = Array.from({ length: 5 }, (_, sent): Answer => {
      const at = begins + (sent - 5) / 10;
      return { operation, at, remaining: left - 1 - sent, reset: NOON + 60 * (before + 1) };
    });
    const beginning = Array.from({ length: each }, (_, sent): Answer => {
      const isFree = isLast && (sent === 3 || sent === 4);
      const free = isLast ? Math.min(2, Math.max(0, sent - 2)) : 0;
      const stays = isLast && sent >= each - 3 ? 1 : 0;
      return {
        operation: isLast && sent === each - 4 ? 'listPets' : operation,
        status: isFree ? 503 : 200,
        at: begins + sent / 10,
        remaining: LIMIT - 1 - sent + free + stays,
        reset: NOON + 60 * (before + 2),
      };
    });
    return [...ending, ...beginning];
  });
}

const explained = (answers: readonly Answer[]) =>
  explanationOf({
    judged: answers.map((each, index) => ({
      exchange: exchangeOf({ limit: LIMIT, ...each }, index + 1),
      probe: {},
    })),
    contract,
    limits: { minute: LIMIT, day: 100_000 },
    sharedKey: false,
  });

describe('a Remaining that stays the same once, near the end', () => {
  test('is explained by no limiter, if all are tried', () => {
    const answers = stayingOnce(80);
    expect(explained(answers).excluded).toMatchObject({
      kind: 'remaining',
      observation: { exchange: { id: answers.length - 2 } },
    });
  });

  test('proves nothing if the search runs out of steps before: each count is presumed to be explained', () => {
    const { accounts, excluded } = explained(stayingOnce(260));
    expect(excluded).toBeUndefined();
    const told = accounts.map(({ track, attempt }) => [
      track.limit,
      attempt.model.name,
      attempt.isPresumed,
      attempt.misfit,
    ]);
    const presumed = [LIMIT, 'fixed window', true, undefined];
    expect(told).toEqual([presumed, presumed]);
  });
});
