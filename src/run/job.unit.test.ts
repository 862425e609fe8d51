import { expect, test } from 'vitest';
import { run, startReference, VirtualClock } from '../index.ts';

/** The requirements that each option left out, according to the report. */
function leftOut({ narrowed }: Awaited<ReturnType<typeof run>>): Record<string, string[]> {
  return Object.fromEntries(narrowed.map(({ option, requirements }) => [option, requirements]));
}

test('if the service cannot be reached, options account only for the requirements that they exclude', async () => {
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
  expect(reasonOf('Retry-After')).toBe('left out: --no-exhaust');
  expect(reasonOf('Message.id')).toBe('left out: no --api-url');
});

test('too long a wait does not narrow the run, whatever options left out', async () => {
  const report = await run({ readOnly: true, maxWait: 1 });
  expect(report.verdict).toBe('incomplete');
  expect(report.because).toMatch(
    /^1 requirement could not be tested: .* longer than --max-wait 1 s; 19 requirements left out: --read-only$/,
  );
  expect(leftOut(report)['--read-only']).toContain('createPet.echo');
  expect(leftOut(report)['--read-only']).not.toContain('rate-limit.recovery');
});

test('--read-only accounts for what an empty store cannot show', async () => {
  const clock = new VirtualClock(Date.now());
  const store = await startReference({ clock, apiKey: 'a-key', settings: { animals: 0 } });
  const { baseUrl, apiUrl } = store;
  const report = await run({ baseUrl, apiUrl, apiKey: 'a-key', clock, readOnly: true });
  await store.close();
  expect(report.verdict).toBe('conformant');
  expect(leftOut(report)['--read-only']).toEqual(expect.arrayContaining(['createPet.201', 'getPet.200']));
});
