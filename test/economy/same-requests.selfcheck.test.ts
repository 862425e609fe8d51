import { expect, test } from 'vitest';
import { isNightly } from '../nightly/sampled.ts';
import { type LoggedRun, loggedRun } from './logged-run.ts';

const PLANS = { free: { minute: 60, day: 1_000 }, pro: { minute: 300, day: 10_000 } } as const;

const runOn = (plan: keyof typeof PLANS) => loggedRun({ plan: PLANS[plan], options: { plan } });

/** What a run sent, in order, without the letters and the ids that are new each time. */
function sentBy({ exchanges }: LoggedRun) {
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

test.each(['free', 'pro'] as const)(
  'on %s, two runs with one seed send the same in the same order',
  async (plan) => {
    const run = await runOn(plan);
    const one = sentBy(run);
    expect(sentBy(await runOn(plan))).toEqual(one);
    expect(one.length).toBeGreaterThan(PLANS[plan].minute);
    expect(overlapping(run)).toEqual(
      Array.from({ length: 7 }, (_, index) => (overlapping(run)[0] ?? 0) + index),
    );
  },
);

test('a whole run sends the same in the same order, at whatever part of a second it begins', async () => {
  const runAt = (ms: number) =>
    loggedRun({
      plan: PLANS.free,
      options: { plan: 'free', frugal: false },
      start: Date.UTC(2026, 10, 21, 12, 0, 15) + ms,
    });
  const one = sentBy(await runAt(0));
  for (const ms of isNightly ? [1, 390, 650, 999] : [390])
    expect(sentBy(await runAt(ms)), `${ms} ms`).toEqual(one);
  // The window after the recovery is part of it.
  expect(one.length).toBeGreaterThan(PLANS.free.minute + 60);
});

/** The requests that were not sent one at a time: those of the one burst that shows races. */
function overlapping({ exchanges }: LoggedRun): number[] {
  const beside = exchanges.filter((each, index) => {
    const [before, after] = [exchanges[index - 1], exchanges[index + 1]];
    return (before && each.sentAt < before.receivedAt) || (after && after.sentAt < each.receivedAt);
  });
  return beside.map(({ id }) => id);
}
