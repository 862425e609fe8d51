import { expect, test } from 'vitest';
import { type Report, run } from '../../src/index.ts';
import { type NaiveService, naiveServices, startNaive } from './naive-services.ts';

/** What a run finds of a naive service, and the requests that this got. */
async function judged(id: string): Promise<{ report: Report; base: number; messages: number }> {
  const service = naiveServices.find((each) => each.id === id) as NaiveService;
  const { baseUrl, apiUrl, requests, close } = await startNaive(service);
  try {
    const report = await run({ baseUrl, apiUrl, apiKey: 'a-naive-key', plan: service.plan, maxWait: 5 });
    return { report, ...requests() };
  } finally {
    await close();
  }
}

const findingOf = ({ requirements }: Report, wanted: string) => requirements.find(({ id }) => id === wanted);

test.each(['all-503', 'web-site', 'login-page'])(
  '%s: what is not the service gets three reads',
  async (id) => {
    const { report, base, messages } = await judged(id);
    expect([report.verdict, base, messages]).toEqual(['incomplete', 3, 0]);
  },
);

test('what is the service, and never succeeds, is not used up', async () => {
  const { report, base, messages } = await judged('all-503-limited');
  expect(report.verdict).toBe('non-conformant');
  expect(base).toBeLessThanOrEqual(49 + 12 + 15);
  expect(messages).toBeLessThanOrEqual(6 + 1);
  const limit = findingOf(report, 'TooManyRequests');
  expect(limit).toMatchObject({ status: 'not-tested' });
  expect(findingOf(report, limit?.cause ?? '')).toMatchObject({ status: 'violated' });
});

test('a Remaining that is 0 with every success is waited for no further, and is judged', async () => {
  const { report, base } = await judged('mock');
  expect(base).toBeLessThanOrEqual(131 + 22 + 15);
  expect(findingOf(report, 'rate-limit.falls')).toMatchObject({
    status: 'violated',
    received: expect.stringContaining('X-RateLimit-Remaining: 0 over'),
  });
});

test('a limit larger than any listed plan is used up only where its user states it', async () => {
  const { report, base } = await judged('million');
  expect(base).toBeLessThanOrEqual(49 + 12 + 15);
  expect(findingOf(report, 'TooManyRequests')).toMatchObject({
    status: 'not-tested',
    reason: expect.stringContaining('--limit 1000000'),
  });
});

test('a Remaining of a billion allows no more requests than the plan', async () => {
  const { report, base } = await judged('billion-left');
  expect(base).toBeLessThanOrEqual(131 + 22 + 15);
  expect(findingOf(report, 'rate-limit.remaining')).toMatchObject({ status: 'violated' });
});
