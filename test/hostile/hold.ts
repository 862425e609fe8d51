import { expect } from 'vitest';
import { type Report, run } from '../../src/index.ts';
import { EXIT_STATUS } from '../../src/model/report/report.ts';
import { reveals } from '../secrets/spellings.ts';
import type { Behavior } from './behavior.ts';
import { addressesOf } from './command.ts';
import { KEY, type RawService, startRawService } from './raw-service.ts';

/** ms for one request, where a behavior is to exceed it; where not, a busy machine must not. */
const SHORT = 3_000;
const LONG = 30_000;

/** Requests under way at a time, as by default. */
const CONCURRENCY = 4;

/** ms that no run may take, however slow the machine. */
const BUDGET = 80_000;

/** Runs petspec against a service that behaves so, and expects what the behavior states. */
export async function expectHeld(behavior: Behavior): Promise<void> {
  const { isLate } = behavior.expected;
  const service = await startRawService(behavior);
  try {
    const begun = performance.now();
    const report = await run({
      ...addressesOf(behavior, service),
      apiKey: KEY,
      exhaust: 'none',
      timeout: isLate ? SHORT : LONG,
    });
    expect(performance.now() - begun).toBeLessThan(BUDGET);
    expectStated(behavior, report, EXIT_STATUS[report.verdict]);
    expectSentOnce(report, service);
    if (isLate && behavior.operation)
      expect(asked(service, behavior.operation)).toBeLessThanOrEqual(2 + CONCURRENCY);
  } finally {
    await service.close();
  }
}

const STATUSES = { conformant: 0, 'non-conformant': 1, incomplete: 3 } as const;

/** The verdict, the one requirement that is reported, its words, and why anything else was not tested. */
export function expectStated({ expected }: Behavior, report: Report, status: number | null): void {
  const { verdict, violates, says = '' } = expected;
  const violated = report.requirements.filter((each) => ['violated', 'advisory'].includes(each.status));
  expect(violated.map(({ id }) => id)).toEqual(violates === undefined ? [] : [violates]);
  expect(report.verdict).toBe(verdict);
  expect(status).toBe(STATUSES[verdict]);
  const untested = untestedMusts(report);
  const words = violates
    ? violated.map(({ reason, received }) => `${reason}: ${received}`)
    : reasonsOf(report);
  if (verdict !== 'conformant') expect(words.join('\n')).toContain(says);
  if (violates) expect(untested.filter(({ cause }) => cause !== violates).map(({ id }) => id)).toEqual([]);
  expect(untested.length > 0 || verdict !== 'incomplete').toBe(true);
  expect(reveals(JSON.stringify(report), KEY)).toBe(false);
  const values = report.exchanges.map(({ response }) => response?.headers.map(([, value]) => value) ?? []);
  expect(values.filter(isInHalves)).toEqual([]);
}

/** Whether two headers are the key, one behind the other. */
function isInHalves(values: readonly string[]): boolean {
  const halves = values.filter((value) => value !== '' && KEY.includes(value));
  return halves.some((first) => halves.some((second) => first + second === KEY));
}

/** Why an incomplete run is that. */
function reasonsOf(report: Report): string[] {
  return [report.because, ...untestedMusts(report).map(({ reason }) => reason)];
}

function untestedMusts({ requirements, narrowed }: Report) {
  const leftOut = new Set(narrowed.flatMap((each) => each.requirements));
  return requirements.filter(
    ({ id, level, status }) => level === 'must' && status === 'not-tested' && !leftOut.has(id),
  );
}

/** Nothing is asked that the report does not count, or beyond what was announced; nothing goes elsewhere. */
function expectSentOnce(report: Report, service: RawService): void {
  const { requests, announced, durationMs } = report;
  const posts = report.exchanges.filter((each) => each.method === 'POST').length;
  expect(service.asked.filter((each) => each.method === 'POST').length).toBeLessThanOrEqual(posts);
  expect(service.asked.length).toBeLessThanOrEqual(requests.total);
  const messages = asked(service, 'sendMessage');
  if (!announced) throw new Error('the report does not say what was announced');
  expect(messages).toBeLessThanOrEqual(announced.messages);
  expect(service.asked.length - messages).toBeLessThanOrEqual(announced.withKey + announced.wrongKeys);
  expect(durationMs / 1000).toBeLessThanOrEqual(announced.seconds);
  expect(service.strays()).toBe(0);
}

function asked(service: RawService, operation: string): number {
  return service.asked.filter((each) => each.operation === operation).length;
}
