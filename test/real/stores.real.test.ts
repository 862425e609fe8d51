import pLimit from 'p-limit';
import { describe, expect, test } from 'vitest';
import { foundIn, keyOf, outcomeOf, readFound } from './stores/found.ts';
import { faultsOf, judged, STORES } from './stores/stores.ts';

// Two animal stores that were written from the interface alone, in Ruby and in PHP, in real minutes: npm run nightly. They need the
// Debian packages that STORES names, and what is built.

/** Each run mostly waits. */
const atOnce = pLimit(3);
const before = readFound();

describe.each(STORES)('$name', (store) => {
  test('is conformant as it is: nothing is reported, and everything is judged', async () => {
    const report = await atOnce(() => judged(store));
    expect(foundIn(store, undefined, report)).toMatchObject({ verdict: 'conformant', violated: [] });
    const untested = report.requirements.filter(
      ({ level, status }) => level === 'must' && status === 'not-tested',
    );
    expect(untested).toEqual([]);
  }, 600_000);

  const found = faultsOf(store).flatMap((fault) => {
    const result = before.get(keyOf(store.name, fault.id));
    const outcome = result ? outcomeOf(fault, result) : 'missed';
    return outcome === 'missed' ? [] : [{ ...fault, outcome }];
  });
  test.concurrent.each(found)(
    '$id is found, as before: $what',
    async ({ outcome, ...fault }) => {
      const result = foundIn(store, fault, await atOnce(() => judged(store, fault)));
      expect([outcomeOf(fault, result), result.verdict], result.violated.join()).toEqual([
        outcome,
        'non-conformant',
      ]);
    },
    3_600_000,
  );
});
