import { expect, test } from 'vitest';
import { allChecks } from '../../suites/index.ts';
import { loadContract } from '../contract/load.ts';
import { DEFAULT_OPTIONS, type RunOptions } from '../harness/options.ts';
import { makePlan } from '../harness/plan.ts';
import { renderStart } from './before.ts';

const contract = loadContract();

/** The line before the first request. */
function start(options: Partial<RunOptions>): string {
  const all = { ...DEFAULT_OPTIONS, baseUrl: 'https://staging.example.com/v1', ...options };
  return renderStart(makePlan(contract, allChecks(contract), all), all);
}

test('what a run costs: how far it goes, with the figure where the plan is known', () => {
  expect(start({})).toMatch(/: \d+ requests with the key, then on to the limit and two beyond it; \d+ with /);
  expect(start({ plan: 'pro' })).toContain('then on to the limit of 300 and two beyond it');
  expect(start({})).toMatch(/; no messages; at most 16 animals added; longest wait 90 s\n$/);
  expect(start({ apiUrl: 'https://messages.example.com' })).toMatch(/; [2-9] messages requested; /);
});

test('nothing used up: no wait is planned, and nothing is said of the limit', () => {
  const line = start({ exhaust: 'none', readOnly: true, maxWait: 120 });
  expect(line).toMatch(/ requests with the key; .*no animals added; no wait planned, the longest 120 s\n$/);
  expect(line).not.toContain('limit');
});

test('a day: all that is left of it, and why the run ends incomplete', () => {
  const line = start({ exhaust: 'day', plan: 'free' });
  expect(line).toContain('ALL that is left of the day (1000 requests): ');
  expect(line).toContain('ends incomplete unless that is within --max-wait 90 s');
});
