import { expect, test } from 'vitest';
import { gcra, tokenBucket, tokenBucketInLots } from './buckets.ts';
import { firstRequestWindow, fixedWindow, offsetWindow } from './fixed-windows.ts';
import { slidingCounter, slidingLog, slidingSegments, wholeSlidingCounter } from './sliding-windows.ts';
import type { Algorithm } from './verdict.ts';

const ALGORITHMS: Record<string, Algorithm> = {
  fixedWindow,
  offsetWindow,
  firstRequestWindow,
  slidingLog,
  slidingSegments,
  slidingCounter,
  wholeSlidingCounter,
  tokenBucket,
  tokenBucketInLots,
  gcra,
};
/** A full minute. */
const T = 1_800_000_000_000;

/** One request at each second after T, limit 4 a minute: [second, allowed?, remaining after it]. */
const TABLES: Record<string, [at: number, allowed: boolean, remaining: number][]> = {
  fixedWindow: [
    [30, true, 3],
    [40, true, 2],
    [50, true, 1],
    [59, true, 0],
    [59.999, false, 0],
    [60, true, 3],
    [200, true, 3],
  ],
  // Windows end at 17 s and 77 s.
  offsetWindow: [
    [0, true, 3],
    [16.999, true, 2],
    [17, true, 3],
    [40, true, 2],
    [59, true, 1],
    [60, true, 0],
    [76.999, false, 0],
    [77, true, 3],
  ],
  firstRequestWindow: [
    [30, true, 3],
    [40, true, 2],
    [80, true, 1],
    [89, true, 0],
    [89.999, false, 0],
    [90, true, 3],
    [149, true, 2],
    [150, true, 3],
  ],
  // Segments of ten seconds begin at T.
  slidingSegments: [
    [5, true, 3],
    [9.999, true, 2],
    [10, true, 1],
    [11, true, 0],
    [59.999, false, 0],
    [60, true, 1],
    [61, true, 0],
    [69.999, false, 0],
    [70, true, 1],
  ],
  slidingLog: [
    [0, true, 3],
    [10, true, 2],
    [20, true, 1],
    [30, true, 0],
    [59.999, false, 0],
    [60, true, 0],
    [80, true, 1],
    [500, true, 3],
  ],
  // Of the four requests of the last minute, four count at 60 s, three at 75 s, two at 90 s.
  slidingCounter: [
    [0, true, 3],
    [10, true, 2],
    [20, true, 1],
    [30, true, 0],
    [60, false, 0],
    [74.999, false, 0],
    [75, true, 0],
    [89.999, false, 0],
    [90, true, 0],
    // Two requests of the last minute, with a sixth of it still in the window, count as a third of a request.
    [170, true, 2],
    [400, true, 3],
  ],
  // A token every 15 s.
  tokenBucket: [
    [0, true, 3],
    [0, true, 2],
    [0, true, 1],
    [0, true, 0],
    [14.999, false, 0],
    [15, true, 0],
    [52, true, 1],
    [300, true, 3],
  ],
  // Two thirds of a token every 10 s.
  tokenBucketInLots: [
    [0, true, 3],
    [0, true, 2],
    [0, true, 1],
    [0, true, 0],
    [10, false, 0],
    [19.999, false, 0],
    [20, true, 0],
    [60, true, 2],
    [300, true, 3],
  ],
  gcra: [
    [0, true, 3],
    [0, true, 2],
    [0, true, 1],
    [0, true, 0],
    [14.999, false, 0],
    [15, true, 0],
    [52, true, 1],
    [300, true, 3],
  ],
};

test.each(Object.entries(TABLES))('%s', (name, table) => {
  const count = ALGORITHMS[name]?.(4, 60_000);
  const told = table.map(([second]) => {
    const now = T + second * 1000;
    const allowed = (count?.figures(now).remaining ?? 0) >= 1;
    if (allowed) count?.add(now);
    return [second, allowed, count?.figures(now).remaining];
  });
  expect(told).toEqual(table);
});

test.each<[string, Algorithm, [second: number, remaining: number, isPartLeft: boolean][]]>([
  // Four requests at T leave nothing; a token needs 15 s.
  [
    'a token',
    tokenBucket,
    [
      [0, 0, false],
      [1, 0, true],
      [15, 1, false],
      [16, 1, true],
      [60, 4, false],
      [99, 4, false],
    ],
  ],
  // Two thirds of a token come every 10 s.
  [
    'a lot',
    tokenBucketInLots,
    [
      [0, 0, false],
      [9, 0, false],
      [10, 0, true],
      [29, 1, true],
      [30, 2, false],
      [60, 4, false],
    ],
  ],
  [
    'a cell',
    gcra,
    [
      [0, 0, false],
      [1, 0, true],
      [15, 1, false],
      [16, 1, true],
      [60, 4, false],
      [99, 4, false],
    ],
  ],
  // The four requests count in full until 60 s, and no longer at 120 s.
  [
    'the last window',
    slidingCounter,
    [
      [0, 0, false],
      [60, 0, false],
      [61, 0, true],
      [75, 1, false],
      [100, 2, true],
    ],
  ],
])('whether part of one more request is available: %s', (_name, algorithm, table) => {
  const count = algorithm(4, 60_000);
  count.figures(T);
  for (let n = 0; n < 4; n++) count.add(T);
  const told = table.map(([second]) => {
    const { remaining, isPartLeft } = count.figures(T + second * 1000);
    return [second, remaining, isPartLeft];
  });
  expect(told).toEqual(table);
});

/** The same irregular arrivals every time: ms until the next request, some of them long. */
function arrivals(seed: number): number {
  return seed % 11 === 0 ? 40_000 + seed * 37 : (seed * 7919) % 4_001;
}

test.each(Object.entries(ALGORITHMS))('%s: announced times are exact', (_name, algorithm) => {
  for (const limit of [1, 3, 7, 60]) {
    const sent: number[] = [];
    const history = (until: number) => {
      const count = algorithm(limit, 60_000);
      for (const at of sent) if (at <= until) count.add(at);
      return count;
    };
    let now = T;
    for (let n = 1; n < 150; n++) {
      now += arrivals(n);
      const count = history(now);
      const { remaining, nextAt, fullAt } = count.figures(now);
      expect(remaining).toBeGreaterThanOrEqual(0);
      expect(history(now).figures(Math.max(now, fullAt)).remaining).toBe(limit);
      if (remaining < limit) {
        expect(nextAt).toBeGreaterThan(now);
        expect(nextAt).toBeLessThanOrEqual(fullAt);
        expect(history(now).figures(nextAt - 1).remaining).toBe(remaining);
        expect(history(now).figures(nextAt).remaining).toBeGreaterThan(remaining);
        expect(history(now).figures(fullAt - 1).remaining).toBeLessThan(limit);
      }
      if (remaining >= 1) sent.push(now);
    }
  }
});

test.each([slidingLog, fixedWindow, tokenBucket, tokenBucketInLots, gcra])(
  'never more than twice the limit in a window',
  (algorithm) => {
    const count = algorithm(10, 60_000);
    const passed: number[] = [];
    for (let now = T; now < T + 600_000; now += 500) {
      if (count.figures(now).remaining < 1) continue;
      count.add(now);
      passed.push(now);
    }
    const within = passed.map((at) => passed.filter((other) => other >= at && other < at + 60_000).length);
    expect(Math.max(...within)).toBeLessThanOrEqual(algorithm === slidingLog ? 10 : 20);
    expect(passed.length).toBeGreaterThanOrEqual(100);
  },
);

test.each([fixedWindow, firstRequestWindow, slidingLog, slidingCounter, tokenBucket])(
  'what is given back may be sent again, and never more than the limit',
  (algorithm) => {
    const count = algorithm(4, 60_000);
    const remaining = (second: number) => count.figures(T + second * 1000).remaining;
    for (let n = 0; n < 4; n++) count.add(T);
    count.giveBack?.(T);
    expect(remaining(0)).toBe(1);
    for (let n = 0; n < 3; n++) count.giveBack?.(T);
    expect(remaining(0)).toBe(4);
    count.giveBack?.(T);
    expect(remaining(130)).toBe(4);
  },
);

test('a sliding counter gives back what the window before counts', () => {
  const count = slidingCounter(4, 60_000);
  for (let n = 0; n < 4; n++) count.add(T);
  expect(count.figures(T + 60_000).remaining).toBe(0);
  count.giveBack?.(T);
  expect(count.figures(T + 60_000).remaining).toBe(1);
});
