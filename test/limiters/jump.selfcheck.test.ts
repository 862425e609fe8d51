import { expect, test } from 'vitest';
import { sampleRun } from '../reports/sample-runs.ts';

test('a violation by a jump of Remaining quotes the jump, not a fall after it', async () => {
  const { report, exchanges } = await sampleRun({ faults: ['remaining-jumps'] });
  const finding = report.requirements.find(({ id }) => id === 'rate-limit.count');
  const [after, before] = (finding?.evidence ?? []).map((id) => exchanges.find((each) => each.id === id));
  // The fault adds ten as soon as fewer than half of the requests are left.
  expect([before?.rate.remaining, after?.rate.remaining]).toEqual([30, 39]);
  expect(finding?.reason).toMatch(/^Remaining rose from 30 to 39 with /);
  expect(finding?.received).toBe('X-RateLimit-Remaining: 39');
});
