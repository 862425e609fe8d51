import pLimit from 'p-limit';
import { describe, expect, test } from 'vitest';
import { foundIn, outcomeOf } from './stores/found.ts';
import { faultsOf, judged, STORES } from './stores/stores.ts';

// Two animal stores that were written from the interface alone, in Ruby and in PHP, in real time: npm run nightly. They need the
// Debian packages that STORES names.

/** Each run mostly waits. */
const atOnce = pLimit(3);

describe.each(STORES)('$name', (store) => {
  test('is conformant as it is: nothing is reported, and everything is judged', async () => {
    const report = await atOnce(() => judged(store));
    expect(foundIn(store, undefined, report)).toMatchObject({ verdict: 'conformant', violated: [] });
    const untested = report.requirements.filter(
      ({ level, status }) => level === 'must' && status === 'not-tested',
    );
    expect(untested).toEqual([]);
  }, 600_000);

  const known = faultsOf(store).filter(({ missed }) => missed === undefined);
  test.concurrent.each(known)(
    '$id is found by a requirement that it violates: $what',
    async (fault) => {
      const result = foundIn(store, fault, await atOnce(() => judged(store, fault)));
      expect([outcomeOf(fault, result), ...result.violated].join(' ')).toMatch(/^found /);
      expect(result.verdict).toBe('non-conformant');
    },
    3_600_000,
  );
});
