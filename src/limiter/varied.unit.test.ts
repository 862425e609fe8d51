import { describe, expect, test } from 'vitest';
import {
  type Answer,
  downTo,
  exhausting,
  falling,
  refused,
  shown,
} from '../../test/limiters/limited-runs.ts';
import { judgeFalls } from '../judge/limiter/explanation/remaining-falls.ts';
import { judgeEnforced } from '../judge/limiter/refusals.ts';
import { judgeConstant } from '../judge/limiter/seen/headers.ts';

/** A run in which the ninth request before the limit is varied and gets this answer; the later ones go on as given. */
function runWith(answer: Answer, goesOnAt: number) {
  const later = Array.from({ length: goesOnAt + 1 }, (_, index) => goesOnAt - index);
  const answers = [
    ...downTo(9, exhausting),
    { ...exhausting, ...answer },
    ...falling(later, exhausting),
    refused(),
  ];
  // With half a minute, it could be a bucket that refills twice as fast.
  return shown(answers.map((each) => ({ ...each, resetIn: 60 })));
}

const forwarded = { variation: 'forwarded-for' } as const;
const spelled = { variation: 'spelling' } as const;

describe('a varied request that counts like a plain one, or is rejected, shows nothing of the limiter', () => {
  test.each<[what: string, answer: Answer, goesOnAt: number, wrong?: readonly string[]]>([
    ['counted', { ...forwarded, remaining: 8 }, 7],
    ['counted, spelled otherwise', { ...spelled, remaining: 8 }, 7],
    ['rejected, and not counted', { ...spelled, status: 400, remaining: 9 }, 8],
    ['rejected, and counted', { ...spelled, status: 404, remaining: 8 }, 7],
    ['rejected by something without a limit', { ...forwarded, status: 403, limit: undefined }, 8],
    [
      'rejected by something with a limit of its own',
      { ...forwarded, status: 403, limit: 7, remaining: 9 },
      8,
    ],
    [
      'failed',
      { ...forwarded, status: 502, limit: undefined },
      8,
      ['listPets.responses', 'X-RateLimit-Limit', 'X-RateLimit-Remaining'],
    ],
  ])('%s', (_what, answer, goesOnAt, wrong = []) => {
    const run = runWith(answer, goesOnAt);
    expect(judgeEnforced(run)).toMatchObject({ status: 'met' });
    expect(judgeFalls(run)).toMatchObject({ status: 'met' });
    expect(judgeConstant(run)).toMatchObject({ status: 'met' });
    const shown = run.judged.flatMap(({ deviations, hidden }) => [...deviations, ...hidden]);
    expect(shown.map(({ requirement }) => requirement)).toEqual(wrong);
  });
});

describe('a varied request that gets around the limit', () => {
  test.each<[what: string, answer: Answer, reason: string]>([
    ['by its header', { ...forwarded, remaining: 59 }, 'a request with X-Forwarded-For is counted apart'],
    [
      'by its spelling',
      { ...spelled, remaining: 59 },
      'another spelling of the same request is counted apart',
    ],
  ])('Remaining jumps back: it is counted apart, %s', (_what, answer, reason) => {
    expect(judgeEnforced(runWith(answer, 8))).toMatchObject({
      status: 'violated',
      reason,
      received: 'X-RateLimit-Remaining: 59',
      evidence: [52, 51],
      repetition: { kind: 'in-turn', exchanges: [51, 52] },
    });
  });

  test.each<[what: string, answer: Answer]>([
    ['on its response', { ...spelled, remaining: 9 }],
    ['on the next response', { ...forwarded, remaining: 8 }],
  ])('Remaining stays %s: one request too many is let through', (_what, answer) => {
    expect(judgeEnforced(runWith(answer, 8))).toMatchObject({ status: 'violated' });
  });
});
