import { describe, expect, test } from 'vitest';
import { loggedRun } from './logged-run.ts';

const PLANS = { free: { minute: 60, day: 1_000 }, pro: { minute: 300, day: 10_000 } } as const;

/** What a run sent, in order, without the letters and the ids that are new each time. */
async function sentBy(plan: keyof typeof PLANS) {
  const { exchanges } = await loggedRun({ plan: PLANS[plan], options: { plan } });
  return exchanges.map(
    ({ probe, method, url, variation, variations, requestHeaders, requestBody, inFlight }) => ({
      probe,
      method,
      path: new URL(url).pathname.replace(/\d{10,}/, 'a new id'),
      variation,
      variations,
      // Texts and numbers are new each time, and so may their length be where they are escaped.
      headers: requestHeaders?.filter(([name]) => !/^(host|authorization|content-length)$/i.test(name)),
      body: requestBody?.replace(/[A-Za-z0-9]+/g, 'new').slice(0, 20),
      inFlight,
    }),
  );
}

describe.each(['free', 'pro'] as const)('on %s', (plan) => {
  test('two runs with one seed send the same in the same order', async () => {
    const [one, other] = [await sentBy(plan), await sentBy(plan)];
    expect(other).toEqual(one);
    expect(one.length).toBeGreaterThan(PLANS[plan].minute);
  });

  test('one request at a time, but for the one burst that shows races', async () => {
    const { exchanges } = await loggedRun({ plan: PLANS[plan], options: { plan } });
    const overlapping = exchanges.filter((each, index) => {
      const [before, after] = [exchanges[index - 1], exchanges[index + 1]];
      return (before && each.sentAt < before.receivedAt) || (after && after.sentAt < each.receivedAt);
    });
    const ids = overlapping.map(({ id }) => id);
    expect(ids).toEqual(Array.from({ length: 7 }, (_, index) => (ids[0] ?? 0) + index));
  });
});
