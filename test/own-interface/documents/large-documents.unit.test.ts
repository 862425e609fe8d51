import { expect, test, vi } from 'vitest';
import type { Check } from '../../../src/judge/evidence/check.ts';
import { realClock } from '../../../src/model/clock.ts';
import { atOnce, type Steps } from '../../../src/model/large/steps.ts';
import type { Probe } from '../../../src/model/probe.ts';
import { assembling } from '../../../src/report/assemble/assemble.ts';
import { conduct } from '../../../src/run/conduct.ts';
import { interfaceOf } from '../../../src/run/contract-of.ts';
import { recordOf } from '../../../src/run/job.ts';
import { judging } from '../../../src/run/judging/judge-outcome.ts';
import { DEFAULT_OPTIONS } from '../../../src/run/options.ts';
import { makePlan, planning } from '../../../src/run/plan.ts';
import { matchOperation } from '../../../src/traffic/match-operation.ts';
import { documentWith, judged, startSmall } from '../small-service.ts';

const responses = {
  200: { description: 'A list.', content: { 'application/json': { schema: { type: 'array' } } } },
};
const OPTIONS = { ...DEFAULT_OPTIONS, baseUrl: 'http://a.test' };

/** A document with one read of so many bounded parameters. */
const parametersOf = (count: number) => {
  const parameters = Array.from({ length: count }, (_, index) => ({
    name: `p${index}`,
    in: 'query',
    schema: { type: 'integer', minimum: 1, maximum: 1_000 },
  }));
  return documentWith({ '/search': { get: { parameters, responses } } });
};

/** A document with so many reads. */
const readsOf = (count: number) =>
  documentWith(
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`/r${index}`, { get: { responses } }])),
  );

/** The result of some work, and its steps. */
function counted<Result>(steps: Steps<Result>): { result: Result; count: number } {
  let count = 0;
  for (;;) {
    const { done, value } = steps.next();
    if (done) return { result: value, count };
    count += 1;
  }
}

// Their values have more combinations than memory has room for.
test('seven bounded parameters: the run ends, and its report counts what it sent', async () => {
  const { report, asked } = await judged(parametersOf(7), () => [200, []]);
  expect(report).toMatchObject({ verdict: 'conformant', requests: { total: asked.length } });
  // Plain, all together, and for each parameter: ordinary, at both bounds, beyond both, and of another type.
  expect(asked).toHaveLength(2 + 6 * 7);
});

test('the requests of a document grow with what it lists', async () => {
  const { contract, checks } = await interfaceOf({ interface: parametersOf(500) });
  expect(makePlan(contract, checks, OPTIONS).probes).toHaveLength(2 + 6 * 500);
});

test('2,000 operations are planned, judged and reported in steps, and no check looks at what is not its own', async () => {
  const count = 2_000;
  const { contract, checks: all } = await interfaceOf({ interface: readsOf(count) });
  let looks = 0;
  const checks = all.map(
    (check): Check => ({
      ...check,
      probes(probe: Probe) {
        looks += 1;
        return check.probes(probe);
      },
    }),
  );
  const planned = counted(planning(contract, checks, OPTIONS));
  const plan = planned.result;
  expect(plan.probes).toHaveLength(count);
  expect(planned.count).toBeGreaterThan(count);
  const exchanges = plan.probes.map(({ id, operation, stage }, index) => ({
    id: index + 1,
    probe: id,
    operation,
    address: 'baseUrl',
    stage,
    key: 'valid' as const,
    method: 'GET',
    url: `http://a.test${contract.operations[index]?.path}`,
    requestHeaders: [],
    sentAt: index,
    receivedAt: index,
    rate: {},
    response: { status: 200, headers: [['content-type', 'application/json']] as const, body: '[]' },
  }));
  const outcome = {
    exchanges,
    unsent: [],
    referencesKnown: true,
    target: { baseUrl: 'http://a.test' },
    startedAt: 0,
    finishedAt: count,
  };
  const found = counted(judging(contract, plan, OPTIONS, outcome as never));
  expect(found.count).toBeGreaterThan(count);
  const record = recordOf(contract, checks, plan, { options: OPTIONS }, found.result);
  const report = counted(assembling({ contract, checks }, record, exchanges as never, plan));
  expect(report.count).toBeGreaterThan(count);
  expect(report.result).toMatchObject({ verdict: 'conformant', requests: { total: count } });
  // Each exchange times each check would be twelve million.
  expect(looks).toBeLessThan(40 * count);
});

test('the time that planning takes is part of what --max-time allows: then nothing is sent, and a report says so', async () => {
  const times = [0];
  // The clock says that an hour has passed since the run was asked for.
  const clock = { ...realClock, now: () => times.shift() ?? 3_600_000 };
  const { report, asked } = await judged(readsOf(30), () => [200, []], { clock, maxTime: 60 });
  expect(asked).toEqual([]);
  expect(report).toMatchObject({ verdict: 'incomplete', stopped: { kind: 'out-of-time' } });
});

/** Conducts a run of thirty reads that is interrupted when it is asked to. */
async function interrupted(when: 'planning' | 'judging') {
  const { baseUrl, asked } = await startSmall(() => [200, []]);
  const { contract, checks } = await interfaceOf({ interface: readsOf(30) });
  const interruption = new AbortController();
  if (when === 'planning') interruption.abort();
  const plan = makePlan(contract, checks, OPTIONS);
  const conducted = await conduct(
    contract,
    plan,
    OPTIONS,
    { baseUrl, apiKey: '' },
    {
      clock: realClock,
      signal: interruption.signal,
      beforeJudging: async () => interruption.abort(),
    },
  );
  const record = recordOf(contract, checks, plan, { options: OPTIONS }, conducted);
  return { report: atOnce(assembling({ contract, checks }, record, conducted.exchanges, plan)), asked };
}

test('an interruption while a run is planned: nothing is sent, and the report is incomplete', async () => {
  const { report, asked } = await interrupted('planning');
  expect(asked).toEqual([]);
  expect(report).toMatchObject({ verdict: 'incomplete', stopped: { kind: 'interrupted' } });
});

test('an interruption while a run is judged: everything was sent, and the verdict is that of all', async () => {
  const { report, asked } = await interrupted('judging');
  expect(asked).toHaveLength(30);
  expect(report.verdict).toBe('conformant');
  expect(report.stopped).toBeUndefined();
});

test('of thousands of paths, a request is compared with those that it may be for', async () => {
  const { contract } = await interfaceOf({ interface: readsOf(2_000) });
  const servers = { baseUrl: 'http://a.test' };
  const split = vi.spyOn(String.prototype, 'split');
  const found = matchOperation(contract, servers, 'GET', new URL('http://a.test/r1999'));
  split.mockClear();
  for (let index = 0; index < 100; index += 1)
    matchOperation(contract, servers, 'GET', new URL(`http://a.test/r${index}`));
  const calls = split.mock.calls.length;
  split.mockRestore();
  expect(found?.operation.path).toBe('/r1999');
  expect(calls).toBeLessThan(100 * 20);
});
