import { describe, expect, test } from 'vitest';
import { type Answer, exchangeOf, NOON } from '../../../test/limiters/limited-runs.ts';
import { trackOf } from '../observations.ts';
import { attempt } from '../search/search.ts';
import { fixedWindow, frozenSecond, twoNodes } from './fixed-window.ts';
import { givenBack } from './liberties.ts';
import type { Figures, Model, Observation } from './model.ts';
import { slidingCounters } from './sliding/sliding-counter.ts';
import { slidingLog } from './sliding/sliding-log.ts';
import { tokenBuckets } from './token-bucket.ts';

/** A request to add an animal: `at` and `reset` in s since noon. A refusal has no Remaining of its own. */
type Seen = [at: number, remaining: number, reset: number, status?: number];

const LIMIT = 6;
const FIGURES: Figures = { limit: LIMIT, windowMs: 60_000, burst: 0 };

/** Which of the observations a model does not explain, and why; undefined if it explains all. */
function misfitOf(
  model: Model,
  seen: readonly Seen[],
  burst = 0,
): [exchange: number, kind: string] | undefined {
  const { misfit } = attempt(model, { ...FIGURES, burst }, observationsOf(seen));
  return misfit && [misfit.observation.exchange.id, misfit.kind];
}

function observationsOf(seen: readonly Seen[]): readonly Observation[] {
  const exchanges = seen.map(([at, remaining, reset, status = 201], index) => {
    const retryAfter: Answer = status === 429 ? { retryAfter: String(Math.max(1, reset - at)) } : {};
    const figures = { limit: LIMIT, remaining, reset: NOON + reset };
    return exchangeOf({ operation: 'createPet', status, at, ...figures, ...retryAfter }, index + 1);
  });
  const limits = { minute: LIMIT, day: 1_000 };
  const skew = { lo: 0, hi: 0 };
  return trackOf(exchanges, 'minute', LIMIT, { limits }, skew, () => 0).observations;
}

const down = tokenBuckets[0] as Model;
const up = tokenBuckets[1] as Model;

const fixed: Seen[] = [
  [0, 3, 30],
  [0.1, 2, 30],
  [0.1, 1, 30],
  [0.1, 0, 30],
  [0.2, 0, 30, 429],
  [31, 5, 90],
];
const log: Seen[] = [
  [0, 5, 60],
  [20, 4, 80],
  [61, 4, 121],
  [62, 3, 122],
];
// One request in ten seconds comes back.
const bucket: Seen[] = [
  [0, 5, 10],
  [5, 4, 15],
  [25, 5, 35],
];
const roundedUp: Seen[] = [
  [0, 1, 60],
  [0.5, 1, 60, 429],
];
const frozen: Seen[] = [
  [0, 5, 30],
  [0.3, 5, 30],
  [0.6, 5, 30],
  [1.1, 2, 30],
];
const nodes: Seen[] = [
  [0, 5, 30],
  [0.1, 5, 30],
  [0.2, 3, 30],
  [0.3, 2, 30],
];

const rejected: Seen[] = [
  [0, 5, 30],
  [0.1, 4, 30, 400],
  [0.2, 4, 30],
  [0.3, 3, 30, 400],
  [0.4, 3, 30, 400],
  [31, 5, 90, 400],
  [32, 5, 90],
];

// Nothing was sent for two windows.
const counter: Seen[] = [
  [0, 5, 30],
  [1, 4, 30],
  [121, 5, 150],
];

const replaced = (seen: readonly Seen[], index: number, by: Seen): Seen[] =>
  seen.map((each, at) => (at === index ? by : each));

describe.each<[model: Model, seen: Seen[], changes: [what: string, index: number, by: Seen, kind: string][]]>(
  [
    [
      fixedWindow,
      fixed,
      [
        ['Remaining rises within the window', 3, [0.1, 2, 30], 'remaining'],
        ['a request too many is let through', 4, [0.2, 0, 30, 201], 'let-through'],
        ['the window does not begin full', 5, [31, 2, 90], 'let-through'],
        ['Reset moves', 3, [0.1, 0, 40], 'reset'],
      ],
    ],
    [
      slidingLog,
      log,
      [
        ['it does not come back', 2, [61, 3, 121], 'remaining'],
        ['more come back than were sent', 3, [62, 5, 122], 'remaining'],
        ['it is refused with requests left', 2, [61, 0, 121, 429], 'refused'],
      ],
    ],
    [
      // Of those whose Reset is the end of the window.
      slidingCounters[2] as Model,
      counter,
      [
        ['what was sent two windows ago still counts', 2, [121, 3, 150], 'remaining'],
        ['it is refused with requests left', 2, [121, 0, 150, 429], 'refused'],
      ],
    ],
    [
      down,
      bucket,
      [
        ['nothing comes back', 2, [25, 3, 55], 'remaining'],
        ['it is refused with requests left', 1, [5, 0, 65, 429], 'refused'],
      ],
    ],
    [up, roundedUp, [['it refuses a whole request', 1, [12, 1, 60, 429], 'refused']]],
    [
      frozenSecond,
      frozen,
      [
        ['it is older than a second', 3, [1.5, 5, 30], 'remaining'],
        ['it says more than there is', 3, [1.1, 4, 30], 'remaining'],
      ],
    ],
    [
      twoNodes,
      nodes,
      [
        ['a node that counted says all', 2, [0.2, 6, 30], 'remaining'],
        ['both say the same again', 2, [0.2, 5, 30], 'remaining'],
      ],
    ],
    [
      givenBack[0] as Model,
      rejected,
      [
        ['a 4xx does not show itself', 1, [0.1, 5, 30, 400], 'remaining'],
        ['a 4xx is not given back', 2, [0.2, 3, 30], 'remaining'],
        ['a success is given back', 3, [0.3, 4, 30, 400], 'remaining'],
      ],
    ],
  ],
)('$name', (model, seen, changes) => {
  test('explains what it does', () => {
    expect(misfitOf(model, seen)).toBeUndefined();
  });

  test.each(changes)('%s', (_what, index, by, kind) => {
    expect(misfitOf(model, replaced(seen, index, by))).toEqual([index + 1, kind]);
  });
});

test('a token bucket may have a burst, which is left when Remaining is 0', () => {
  // Reset is when all nine are there, one every ten seconds.
  const burst: Seen[] = [
    [0, 2, 35],
    [0.1, 1, 45],
    [0.2, 0, 55],
    [0.3, 0, 65],
    [0.4, 0, 75],
    [0.5, 0, 85],
  ];
  expect(misfitOf(down, burst, 3)).toBeUndefined();
  // A part of one may have been left besides, but not of two.
  expect(misfitOf(down, [...burst, [0.6, 0, 90], [0.7, 0, 90]], 3)).toEqual([8, 'let-through']);
  // Without it, all six are there within a minute.
  expect(misfitOf(down, burst)).toEqual([4, 'reset']);
});
