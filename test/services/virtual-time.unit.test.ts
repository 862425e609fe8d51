import { expect, onTestFinished, test } from 'vitest';
import { type Clock, realClock, run, startReference, VirtualClock } from '../../src/index.ts';

const KEY = 'a-key-of-a-test';

async function judged(clock: Clock) {
  const reference = await startReference({ clock, apiKey: KEY });
  onTestFinished(() => reference.close());
  const { baseUrl } = reference;
  return run({ clock, baseUrl, apiKey: KEY, only: ['listPets.200'], readOnly: true, exhaust: 'none' });
}

test('a report says whether its times are those of a virtual clock', async () => {
  expect(await judged(new VirtualClock(Date.parse('2026-11-21T12:00:20Z')))).toMatchObject({
    virtualTime: true,
  });
  expect((await judged(realClock)).virtualTime).toBeUndefined();
  expect(await run({ only: ['listPets.200'], exhaust: 'none' })).toMatchObject({ virtualTime: true });
});
