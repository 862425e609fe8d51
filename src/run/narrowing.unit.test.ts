import { expect, test } from 'vitest';
import { run, startReference, VirtualClock } from '../index.ts';

/** Of which requirements the user's options are said to be the cause, by option. */
function leftOut({ narrowed }: Awaited<ReturnType<typeof run>>): Record<string, string[]> {
  return Object.fromEntries(narrowed.map(({ option, requirements }) => [option, requirements]));
}

test('of a service that is not there options left out what they alone exclude; the rest could not be reached', async () => {
  const report = await run({ baseUrl: 'http://127.0.0.1:9/v1', apiKey: 'a-key', exhaust: 'none' });
  expect(report.stopped?.kind).toBe('unreachable');
  const { '--no-exhaust': unexhausted, 'no --api-url': unsent } = leftOut(report);
  expect(unexhausted).toEqual(expect.arrayContaining(['TooManyRequests', 'Retry-After']));
  expect(unsent).toEqual(expect.arrayContaining(['sendMessage.2XX', 'Message.id']));
  const reasonOf = (id: string) => report.requirements.find((each) => each.id === id)?.reason;
  for (const id of ['listPets.200', 'X-RateLimit-Limit', 'createPet.201']) {
    expect([...(unexhausted ?? []), ...(unsent ?? [])]).not.toContain(id);
    expect(reasonOf(id)).toMatch(/cannot be reached|refused/);
  }
  expect(reasonOf('Retry-After')).toBe('left out by --no-exhaust');
  expect(reasonOf('Message.id')).toBe('left out by no --api-url');
});

test('a wait that is too long narrows nothing, whatever else was left out', async () => {
  const report = await run({ readOnly: true, maxWait: 1 });
  expect(report.verdict).toBe('incomplete');
  expect(report.because).toMatch(
    /^1 requirement could not be tested: .* longer than --max-wait 1 s; --read-only left out 19 requirements$/,
  );
  expect(leftOut(report)['--read-only']).toContain('createPet.echo');
  expect(leftOut(report)['--read-only']).not.toContain('rate-limit.recovery');
});

test('what a store without animals cannot show is left out by the option that adds none', async () => {
  const clock = new VirtualClock(Date.now());
  const store = await startReference({ clock, apiKey: 'a-key', settings: { animals: 0 } });
  const { baseUrl, apiUrl } = store;
  const report = await run({ baseUrl, apiUrl, apiKey: 'a-key', clock, readOnly: true });
  await store.close();
  expect(report.verdict).toBe('conformant');
  expect(leftOut(report)['--read-only']).toEqual(expect.arrayContaining(['createPet.201', 'getPet.200']));
});
