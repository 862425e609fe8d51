import { expect, test } from 'vitest';
import { allChecks } from '../../../suites/index.ts';
import { loadContract } from '../../contract/load.ts';
import { DEFAULT_OPTIONS, type RunOptions } from '../../run/options.ts';
import { makePlan } from '../../run/plan.ts';
import { renderStart } from './announcement.ts';

const contract = loadContract();

/** The line before the first request. */
function start(options: Partial<RunOptions>): string {
  const all = { ...DEFAULT_OPTIONS, baseUrl: 'https://staging.example.com/v1', ...options };
  return renderStart(contract, makePlan(contract, allChecks(contract), all), all);
}

test('the cost of a run: what is expected, then the most of it', () => {
  const [first, most, ...others] = start({ plan: 'free', apiUrl: 'https://messages.example.com' }).split(
    '\n',
  );
  expect(first).toMatch(
    /^judging \S+: 62 requests with the key, then up to 48 more in the next window; 15 with wrong keys, then up to 25 more if they cost nothing; 6 messages; waits up to 1 min for the limit$/,
  );
  // 74 requests, 5 s each, and twice --max-wait.
  expect(most).toBe(
    '  at most 179 with the key, 53 with wrong keys, 17 messages, 16 animals added, 9 min 10 s in all',
  );
  expect(others).toEqual(['']);
  expect(start({ plan: 'pro', frugal: true })).toMatch(
    /: 302 requests with the key; [\s\S]*at most 467 with the key/,
  );
  expect(start({ plan: 'business', frugal: true })).toMatch(
    /: 1002 requests with the key; [\s\S]*at most 1517 with the key/,
  );
});

test('an unknown plan is at most the largest listed one', () => {
  const line = start({ frugal: true });
  expect(line).toContain(
    ': 53 requests with the key, then as many as reach the limit and 2 more; 15 with wrong keys; no messages',
  );
  expect(line).toContain('at most 1517 with the key, ');
  expect(start({ limits: { minute: 1_000_000 }, frugal: true })).toMatch(
    /1000002 requests with the key; [\s\S]*at most 1500017 with the key, /,
  );
});

test('without exhaustion, only repeated requests are added', () => {
  const line = start({ exhaust: 'none', readOnly: true, maxWait: 120 });
  expect(line).toMatch(
    /: \d+ requests with the key; .*; no animals added; no wait planned\n {2}at most \d+ with the key, /,
  );
  expect(line).not.toContain('limit');
});

test('a limit smaller than the run plan: its waits are announced', () => {
  expect(start({ limits: { minute: 10 } })).toMatch(/; waits up to 6 min for the limit\n/);
  const without = start({ limits: { minute: 10 }, exhaust: 'none' });
  expect(without).toContain('; waits up to 5 min for the limit\n');
});

test('--max-time is the announced time', () => {
  expect(start({ maxTime: 45 })).toMatch(/, 45 s in all\n$/);
  expect(start({ maxTime: 120 })).toMatch(/, 2 min in all\n$/);
});

test('a day: its whole limit, and why the run is incomplete', () => {
  const line = start({ exhaust: 'day', plan: 'free' });
  expect(line).toContain(': 1002 requests with the key, the WHOLE limit of the day: ');
  expect(line).toContain('is incomplete unless that is within --max-wait 90 s');
  // 60 a minute.
  expect(line).toContain('; waits up to 16 min for the limit\n');
});

test('a budget: how many requests test more, in how many windows, and what share of the day', () => {
  const line = start({ plan: 'free', budget: 600 });
  expect(line).toContain(
    ': 600 requests with the key (538 of them test more, in 10 windows, 60% of the 1000 requests of a day); ',
  );
  expect(line).toContain('; waits up to 10 min for the limit\n  at most 684 with the key, ');
  expect(start({ plan: 'pro', budget: 601 })).toContain(
    '(299 of them test more, in 3 windows, 7% of the 10000 requests of a day)',
  );
  expect(start({ plan: 'free', budget: 62 })).toMatch(
    /: 62 requests with the key; .*\n {2}at most 146 with the key, /,
  );
});

test('a budget says only what is known of the limits', () => {
  expect(start({ limits: { minute: 100 }, budget: 1_000 })).toContain(
    '1000 requests with the key (898 of them test more, in 10 windows); ',
  );
  const line = start({ budget: 153, exhaust: 'none' });
  expect(line).toContain(': 153 requests with the key (100 of them test more); ');
  expect(line).toContain('; no wait planned\n  at most 178 with the key, ');
});

test('the bundled reference: what the run would cost a target', () => {
  const options = { ...DEFAULT_OPTIONS, plan: 'free' };
  expect(renderStart(contract, makePlan(contract, allChecks(contract), options), options)).toMatch(
    /^judging the bundled reference in virtual time: 62 requests with the key, then up to 48 more in the next window; /,
  );
});

test('an address that does not end as the interface says gets a note, one of another interface gets none', () => {
  const note = /^note: https:\/\/staging\.example\.com does not end with \/v1; .*\njudging /;
  expect(start({ plan: 'free', baseUrl: 'https://staging.example.com' })).toMatch(note);
  expect(start({ plan: 'free' })).toMatch(/^judging /);
  expect(start({ plan: 'free', baseUrl: 'https://staging.example.com', interface: 'x' })).toMatch(
    /^judging /,
  );
});
