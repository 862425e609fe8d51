import { describe, expect, test } from 'vitest';
import { type Clock, VirtualClock } from '../../src/model/clock.ts';
import { faults } from '../../src/reference/faults/index.ts';
import { type LogEntry, startInProcess } from '../../src/reference/index.ts';
import { variants } from '../../src/reference/variants/index.ts';
import { conduct } from '../../src/run/conduct.ts';
import { DEFAULT_OPTIONS } from '../../src/run/options.ts';
import { planOfTrial } from '../../src/selfcheck/selfcheck.ts';
import type { Progress } from '../../src/session/terms/types.ts';
import { isNightly } from '../nightly/sampled.ts';
import { contract } from '../reports/sample-runs.ts';

const KEY = 'a-key-of-a-test';
const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

/** When somebody sets the clock of the machine, by what the run does. */
type Moment = (progress: Progress, waits: number) => boolean;

/** The first requests are sent, the exhaustion goes on, a wait begins, and half of a wait is over. */
const MOMENTS = {
  'before the exhaustion': (progress) => progress.kind === 'sent' && progress.done === 12,
  'in the exhaustion': (progress) => progress.kind === 'exhausting' && (progress.remaining ?? 99) <= 8,
  'at the beginning of a wait': (progress) => progress.kind === 'waiting',
  'in the middle of a wait': (_, waits) => waits === 9,
} satisfies Record<string, Moment>;

/** Judges a changed reference while somebody sets the clock of petspec's machine, and no other. */
async function judged(id: string, step = 0, moment: Moment = () => false) {
  const fault = faults.find((each) => each.id === id);
  const variant = variants.find((each) => each.id === id);
  const change = fault ?? variant;
  if (!change) throw new Error(`no change ${id}`);
  const clock = new VirtualClock(Date.parse('2026-11-21T12:00:20Z'));
  let offset = 0;
  const machine: Clock = {
    now: () => clock.now() + offset,
    elapsed: () => clock.elapsed(),
    sleep: (...wait) => clock.sleep(...wait),
    timer: (...timer) => clock.timer(...timer),
    hold: () => clock.hold(),
    pause: (...pause) => clock.pause(...pause),
  };
  const plan = { minute: 60, day: 1_000 };
  const reference = await startInProcess({ clock, apiKey: KEY, plan, changes: [change] });
  let next = 1n << 62n;
  let waits = 0;
  try {
    const { findings, exchanges } = await conduct(
      contract,
      planOfTrial(contract, fault ? { fault } : { variant: variant as NonNullable<typeof variant> }),
      { ...DEFAULT_OPTIONS, frugal: true, plan: 'free', baseUrl: reference.baseUrl },
      reference,
      {
        clock: machine,
        random: () => next++,
        onProgress(progress) {
          if (progress.kind === 'waiting') waits += 1;
          if (offset === 0 && moment(progress, waits)) offset = step;
        },
      },
    );
    return { findings, exchanges, log: [...reference.log], hasStepped: offset !== 0 };
  } finally {
    await reference.close();
  }
}

/** The requests that were refused, and the ms until the next one with the key. */
function waitsAfterRefusals(log: readonly LogEntry[]): number[] {
  const withKey = log.filter(({ key }) => key === 'valid');
  return withKey.flatMap(({ status, at }, index) =>
    status === 429 ? [(withKey[index + 1]?.at ?? Number.POSITIVE_INFINITY) - at] : [],
  );
}

/** What was received. Over which connection depends on when a machine that is busy frees one. */
function receivedIn(log: readonly LogEntry[]): Omit<LogEntry, 'connection'>[] {
  return log.map(({ connection: _, ...entry }) => entry);
}

const unstepped = new Map<string, ReturnType<typeof judged>>();

/** What a run finds while nobody sets the clock. */
function withoutStep(id: string) {
  const known = unstepped.get(id) ?? judged(id);
  unstepped.set(id, known);
  return known;
}

async function expectSame(id: string, step: number, moment: Moment) {
  const [plain, stepped] = [await withoutStep(id), await judged(id, step, moment)];
  expect(stepped.hasStepped).toBe(true);
  expect(stepped.findings).toEqual(plain.findings);
  expect(receivedIn(stepped.log)).toEqual(receivedIn(plain.log));
  expect(stepped.exchanges).toEqual(plain.exchanges);
}

/** By day a short step is one of those below. */
const STEPS = isNightly ? [-HOUR, 8 * SECOND, HOUR] : [-HOUR, HOUR];

describe.each(Object.entries(MOMENTS))('a clock that is set %s', (_, moment) => {
  test.each(STEPS)('by %d ms changes nothing', (step) => expectSame('date-absent', step, moment));
});

test.each([
  ['token-bucket-minute', HOUR, 'at the beginning of a wait'],
  ['sliding-log-minute', -61 * SECOND, 'in the exhaustion'],
  ['retry-after-date', 8 * SECOND, 'at the beginning of a wait'],
  ['retry-after-longer', HOUR, 'in the middle of a wait'],
  ['clock-behind', -2 * SECOND, 'before the exhaustion'],
  ['retry-after-half', 8 * SECOND, 'in the middle of a wait'],
  ['reset-hour-ago', 25 * HOUR, 'before the exhaustion'],
  ['reset-seconds-to-go', -HOUR, 'in the exhaustion'],
] as const)('%s is judged the same with a step of %d ms %s', (id, step, moment) =>
  expectSame(id, step, MOMENTS[moment]),
);

test('without a step, no request with the key is sent before the end of a Retry-After', async () => {
  const { log, exchanges } = await withoutStep('retry-after-longer');
  const stated = exchanges.flatMap(({ response, rate }) =>
    response?.status === 429 ? [rate.retryAfter ?? 0] : [],
  );
  const waits = waitsAfterRefusals(log);
  expect(stated.length).toBeGreaterThan(0);
  expect(waits.map((ms) => ms >= Math.max(...stated) * SECOND)).toEqual(waits.map(() => true));
});
