import { expect, test } from 'vitest';
import { run, startReference, VirtualClock } from '../index.ts';
import { faults } from '../reference/faults/index.ts';

const KEY = 'a-key-of-a-test';

/** What a reference with a fault received as traceparent, and the report. */
async function traced(traceparent: boolean) {
  const received: (string | undefined)[] = [];
  const clock = new VirtualClock(Date.UTC(2026, 10, 22));
  const reference = await startReference({
    clock,
    apiKey: KEY,
    changes: [
      ...faults.filter(({ id }) => id === 'list-default-25'),
      {
        around: (call, next) => {
          received.push(call.headers.traceparent as string | undefined);
          return next(call);
        },
      },
    ],
  });
  const { baseUrl } = reference;
  const report = await run({ clock, baseUrl, apiKey: KEY, exhaust: 'none', traceparent });
  await reference.close();
  return { received, report };
}

test('each request has a trace of its own, and a finding names that of its evidence', async () => {
  const { received, report } = await traced(true);
  const ids = received.map((each) => /^00-([\da-f]{32})-[\da-f]{16}-01$/.exec(each ?? '')?.[1]);
  expect(ids).not.toContain(undefined);
  expect(new Set(ids).size).toBe(received.length);
  const [violated] = report.requirements.filter(({ status }) => status === 'violated');
  const shown = report.exchanges.find(({ id }) => id === violated?.evidence[0]);
  expect(shown?.requestHeaders).toContainEqual([
    'traceparent',
    expect.stringContaining(violated?.traceId ?? '?'),
  ]);
  // The command sends a request of its own.
  expect(violated?.reproduce?.script).not.toContain('traceparent');
});

test('without the option no request has one', async () => {
  const { received, report } = await traced(false);
  expect(new Set(received)).toEqual(new Set([undefined]));
  expect(report.requirements.some(({ traceId }) => traceId !== undefined)).toBe(false);
});
