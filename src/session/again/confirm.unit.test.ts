import { expect, test, vi } from 'vitest';
import { allChecks } from '../../../suites/index.ts';
import { loadContract } from '../../contract/load.ts';
import type { Exchange } from '../../model/exchange.ts';
import type { Change } from '../../reference/changes/change.ts';
import { answering, onAnswer, onCall, withoutHeader } from '../../reference/changes/changes.ts';
import { crash } from '../../reference/faults/mistakes.ts';
import { errorAnswer } from '../../reference/http/answer.ts';
import { conductBundled } from '../../run/bundled.ts';
import { DEFAULT_OPTIONS, ofBundled, type RunOptions } from '../../run/options.ts';
import { makePlan } from '../../run/plan.ts';

// Whole runs take their time on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const contract = loadContract();
const checks = allChecks(contract);

/** A run against the reference with a change, in memory and in virtual time. */
async function run(changes: Change[], stated: Partial<RunOptions> = {}) {
  const options = ofBundled(contract.ratePlans, { ...DEFAULT_OPTIONS, ...stated });
  const plan = makePlan(contract, checks, options);
  const conducted = await conductBundled(contract, plan, options, {
    changes,
    connections: 'memory',
    start: Date.parse('2026-11-21T12:00:20Z'),
  });
  const again = conducted.exchanges.filter(({ confirms }) => confirms !== undefined);
  return { ...conducted, plan, again };
}

const statusOf = ({ response }: Exchange) => response?.status;

test('a run without findings sends nothing again', async () => {
  const { again, findings } = await run([]);
  expect(Object.values(findings).filter(({ status }) => status === 'violated')).toEqual([]);
  expect(again).toEqual([]);
});

test('what one request shows is seen again by one request, after all others, in its plain form', async () => {
  const { again, findings, exchanges } = await run([answering({ operation: 'getStoreOrders' }, crash)]);
  const found = Object.entries(findings).filter(([, { status }]) => status === 'violated');
  expect(found.map(([id]) => id)).toEqual(['getStoreOrders.responses']);
  expect(again.map((each) => [each.method, each.url, statusOf(each), each.variations])).toEqual([
    ['GET', exchanges.find(({ id }) => id === found[0]?.[1].evidence[0])?.url, 500, undefined],
  ]);
  expect(exchanges.at(-1)).toBe(again[0]);
  expect(found[0]?.[1].confirmation).toEqual({ outcome: 'again', exchanges: [again[0]?.id] });
});

test('a finding that takes the request before it is seen after that, and says so', async () => {
  let last: number | undefined;
  const bareAfterRefusal = onAnswer({}, (answer) => {
    const isBare = last === 400 && answer.status === 201;
    last = answer.status;
    if (!isBare) return answer;
    return { ...answer, headers: answer.headers.filter(([name]) => !name.startsWith('X-RateLimit')) };
  });
  const { findings, exchanges } = await run([bareAfterRefusal], { exhaust: 'none' });
  const { status, confirmation, variation } = findings['X-RateLimit-Limit'] ?? {};
  expect(status).toBe('violated');
  // No variation is to blame.
  expect(variation).toBeUndefined();
  const byId = new Map(exchanges.map((each) => [each.id, each]));
  const sent = confirmation && 'exchanges' in confirmation ? confirmation.exchanges : [];
  expect(sent.slice(-2).map((id) => statusOf(byId.get(id) as Exchange))).toEqual([400, 201]);
});

test('what happened once is not seen again, and says so', async () => {
  let count = 0;
  const once = answering(
    { operation: 'listPets', when: ({ query }) => query.get('status') === 'pending' && ++count === 1 },
    crash,
  );
  const { findings, again } = await run([once]);
  const [found] = Object.values(findings).filter(({ status }) => status === 'violated');
  expect(found?.confirmation).toEqual({ outcome: 'not-again', exchanges: again.map(({ id }) => id) });
  expect(again.length).toBeGreaterThan(0);
});

test('what uses up the limit is not sent again, and says so', async () => {
  const never = answering({ operation: 'listPets', when: () => false }, crash);
  const noRetryAfter = withoutHeader({ status: 429 }, 'Retry-After');
  const { findings, again } = await run([never, noRetryAfter]);
  expect(findings['Retry-After']?.confirmation).toEqual({ outcome: 'not-sent', because: 'limit' });
  expect(again).toEqual([]);
});

/** Everything fails, each request in a way of its own. */
const everything = onAnswer({}, (answer, { path }) => ({
  ...answer,
  headers: [...answer.headers.filter(([name]) => !/^content-type$/i.test(name)), ['X-Path', path]],
}));

test.each([
  ['everything is wrong', everything],
  ['everything fails', answering({}, crash)],
  ['every creation fails', answering({ operation: 'createPet' }, crash)],
  [
    'every message is refused',
    answering({ operation: 'sendMessage' }, () => errorAnswer(418, 'teapot', 'no')),
  ],
  ['wrong keys are accepted', onCall({}, (call) => ({ ...call, key: 'valid' }))],
])('%s: no more is sent again than petspec says', async (_, change) => {
  const { again, exchanges, plan, findings } = await run([change]);
  const most = plan.cost.most;
  const withKey = exchanges.filter(({ address, key }) => address === 'baseUrl' && key === 'valid');
  expect(withKey.length).toBeLessThanOrEqual(most.withKey);
  expect(again.length).toBeLessThanOrEqual(15);
  expect(
    again.filter(({ method, url }) => method === 'POST' && url.endsWith('/pets')).length,
  ).toBeLessThanOrEqual(4);
  expect(again.filter(({ address }) => address === 'apiUrl').length).toBeLessThanOrEqual(1);
  const isWrong = ({ address, key }: Exchange) => address === 'baseUrl' && key !== 'valid';
  expect(again.filter(isWrong).length).toBeLessThanOrEqual(3);
  // Every finding says what came of it.
  const found = Object.values(findings).filter(({ status }) => status === 'violated');
  expect(found.filter(({ confirmation }) => confirmation === undefined)).toEqual([]);
});

test('nothing is sent again once the limit leaves one request', async () => {
  const { again, exchanges } = await run([everything]);
  const before = again.map(({ id }) => exchanges.findLast((each) => each.id < id && each.key === 'valid'));
  expect(before.every((each) => (each?.rate.remaining ?? 2) > 1)).toBe(true);
  expect(again.map(statusOf)).not.toContain(429);
});
