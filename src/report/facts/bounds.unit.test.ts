import { expect, test } from 'vitest';
import { sampleRun } from '../../../test/reports/sample-runs.ts';
import { boundedLimiters } from './bounds.ts';

test('a report has the limiters of its run, for the exchanges that it keeps', async () => {
  const { report } = await sampleRun({ faults: ['late-by-one'] });
  expect(report.limiters?.map(({ address, explained }) => [address, explained])).toEqual([
    ['baseUrl', false],
    ['apiUrl', true],
  ]);
  const ids = new Set(report.exchanges.map(({ id }) => id));
  const expected = (report.limiters ?? []).flatMap((each) => each.expected);
  expect(expected.length).toBeGreaterThan(60);
  expect(expected.every(({ exchange }) => ids.has(exchange))).toBe(true);
  const excluded = report.exchanges.find(({ id }) => id === report.limiters?.[0]?.excludedBy?.exchange);
  expect(excluded?.response?.status).toBe(200);
  expect(excluded?.rate.remaining).toBe(0);

  const kept = report.exchanges.slice(0, 5);
  const bounded = boundedLimiters(Array(100).fill(report.limiters?.[0]), kept);
  expect(bounded).toHaveLength(10);
  expect(bounded[0]?.expected.map(({ exchange }) => exchange)).toEqual(
    kept.map(({ id }) => id).filter((id) => expected.some(({ exchange }) => exchange === id)),
  );
});

test('a report has no limiters if no response states Remaining as a number', async () => {
  const { report } = await sampleRun({ faults: ['remaining-float'] });
  expect(report.limiters).toBeUndefined();
});
