import { describe, expect, test } from 'vitest';
import { isNightly } from '../../../test/nightly/sampled.ts';
import type { ProfileStatement } from '../../judge/limiter/profile/statement.ts';
import { VirtualClock } from '../../model/clock.ts';
import { type LimiterSettings, startInProcess } from '../../reference/index.ts';
import { variants } from '../../reference/variants/index.ts';
import { interfaceOf } from '../contract-of.ts';
import { DEFAULT_OPTIONS } from '../options.ts';
import { PROFILE_BUDGET, type Profiled, profileLimiter } from './profile-limiter.ts';

const KEY = 'petspec-reference-key';
const bundled = interfaceOf({});

interface Circumstances {
  limiter?: Partial<LimiterSettings>;
  /** Requests per minute. */
  minute?: number;
  budget?: number;
  maxWait?: number;
}

const profiles = new Map<string, ReturnType<typeof newProfileOf>>();

/** The profile of the bundled reference with a variant, in virtual time, and what the reference received: each made once. */
function profileOf(id: string, circumstances: Circumstances = {}) {
  const name = JSON.stringify([id, circumstances]);
  const known = profiles.get(name) ?? newProfileOf(id, circumstances);
  profiles.set(name, known);
  return known;
}

async function newProfileOf(
  id: string,
  { limiter = {}, minute = 60, budget = PROFILE_BUDGET, maxWait = 90 }: Circumstances,
) {
  const clock = new VirtualClock(Date.UTC(2026, 10, 21, 12, 0, 3));
  const change = variants.find((each) => each.id === id);
  if (!change) throw new Error(`no such variant: ${id}`);
  const reference = await startInProcess({
    clock,
    apiKey: KEY,
    plan: { minute, day: 1_000 },
    settings: { limiter: { windows: 'minute', ...limiter } },
    changes: [change],
  });
  const options = { ...DEFAULT_OPTIONS, maxWait, apiKey: KEY, baseUrl: reference.baseUrl };
  try {
    const profiled = await profileLimiter(await bundled, options, reference, budget, { clock });
    return { ...profiled, log: reference.log };
  } finally {
    await reference.close();
  }
}

const about = ({ profile }: Profiled, name: string): ProfileStatement => {
  const found = profile.statements.find((each) => each.about === name);
  if (!found) throw new Error(`nothing is said about ${name}`);
  return found;
};

describe('the kind of the limiter, and its window', () => {
  test.each([
    ['fixed-window-minute', 'fixed window'],
    ['first-request-window-minute', 'fixed window'],
    ['sliding-log-minute', 'sliding log'],
    ['sliding-counter-minute', 'sliding counter'],
    ['token-bucket-minute', 'token bucket'],
    ['sliding-log-reset-next', 'sliding log'],
    ...(isNightly
      ? [
          ['offset-window-minute', 'fixed window'],
          ['gcra-minute', 'token bucket'],
        ]
      : []),
  ])('%s is a %s', async (id, kind) => {
    const profiled = await profileOf(id);
    const told = about(profiled, 'kind');
    expect(told.value).toBe(kind);
    // The other three are ruled out, each by an exchange of this profile.
    const ids = profiled.exchanges.map((each) => each.id);
    expect(told.ruledOut).toHaveLength(3);
    for (const { exchange } of told.ruledOut ?? []) expect(ids).toContain(exchange);
    expect(about(profiled, 'limit').value).toBe(60);
    const seconds = Number(about(profiled, 'window').value);
    expect(seconds).toBeGreaterThanOrEqual(58);
    expect(seconds).toBeLessThanOrEqual(62);
  });

  test('of another length', async () => {
    const profiled = await profileOf('fixed-window-minute', { limiter: { minute: 20_000 } });
    expect(about(profiled, 'kind').value).toBe('fixed window');
    // The Resets of two windows are 20 s apart; that a window begins later than the one before ends is not ruled out.
    expect(about(profiled, 'window').text).toContain('16 to 21 s');
  });

  test('cannot be told if two kinds explain everything: the others are ruled out all the same', async () => {
    const told = about(await profileOf('token-bucket-reset-next'), 'kind');
    expect(told).not.toHaveProperty('value');
    expect(told.text).toContain('token bucket');
    expect(told.ruledOut?.map(({ model }) => model)).toEqual(['fixed window', 'sliding log']);
  });

  test('cannot be told if the limit is beyond the budget, and the headers are told all the same', async () => {
    const profiled = await profileOf('fixed-window-minute', { budget: 30 });
    expect(about(profiled, 'kind')).not.toHaveProperty('value');
    expect(about(profiled, 'limit').value).toBe(60);
    expect(about(profiled, 'cost read').value).toBe(1);
    expect(profiled.profile.isReached).toBe(false);
  });
});

describe('what counts', () => {
  test.each([
    [
      'fixed-window-minute',
      { 'cost read': 1, 'cost wrong-key': 0, 'cost head': 1, 'cost rejected': 1, 'cost getPet': 1 },
    ],
    ['counts-401', { 'cost wrong-key': 1, scope: 'address' }],
    ['4xx-free', { 'cost wrong-key': 0, 'cost rejected': 0 }],
    ['list-costs-two', { 'cost read': 2, 'cost head': 2, 'cost getPet': 1 }],
    ['per-operation', { 'cost read': 1, 'cost getPet': 'apart' }],
    ['cached-lists-free', { 'cost read': 1, 'cost listPets': 0 }],
    ['token-bucket-minute', { 'cost read': 1, 'cost wrong-key': 0, 'cost getPet': 1 }],
  ])('%s', async (id, costs) => {
    const profiled = await profileOf(id);
    for (const [name, cost] of Object.entries(costs)) expect(about(profiled, name).value).toBe(cost);
  });

  test('one key does not show whether the key or the address is counted', async () => {
    expect(about(await profileOf('per-address'), 'scope')).not.toHaveProperty('value');
  });
});

describe('what the headers mean', () => {
  test('Reset is the end of the window, in seconds since 1970, and Retry-After holds', async () => {
    const profiled = await profileOf('fixed-window-minute');
    expect(about(profiled, 'reset form').value).toBe('seconds since 1970');
    expect(about(profiled, 'reset meaning').value).toBe('next request');
    expect(about(profiled, 'retry-after').value).toBe('seconds');
    expect(about(profiled, 'retry-after holds').value).toBe(true);
  });

  test('Reset of a sliding log is later than its Retry-After, unless it means the next request', async () => {
    expect(about(await profileOf('sliding-log-minute'), 'reset meaning').value).toBe('later');
    expect(about(await profileOf('sliding-log-reset-next'), 'reset meaning').value).toBe('next request');
  });

  test('Retry-After may be a date', async () => {
    const profiled = await profileOf('fixed-window-minute', { limiter: { retryAfter: 'http-date' } });
    expect(about(profiled, 'retry-after').value).toBe('an HTTP date');
  });
});

describe('what is sent', () => {
  test('reads alone, no more than the budget, and nothing while the window is closed', async () => {
    const { log, exchanges } = await profileOf('sliding-log-minute', { budget: 100 });
    expect(log.length).toBeLessThanOrEqual(100);
    expect(log.length).toBe(exchanges.length);
    expect(new Set(exchanges.map(({ method }) => method))).toEqual(new Set(['GET', 'HEAD']));
    for (const [index, { response, receivedAt, rate }] of exchanges.entries()) {
      const next = exchanges[index + 1];
      if (response?.status !== 429 || !next) continue;
      expect(next.sentAt).toBeGreaterThanOrEqual(receivedAt + 1_000 * (rate.retryAfter ?? 0));
    }
  });

  test('no wait is longer than allowed', async () => {
    const profiled = await profileOf('fixed-window-minute', { maxWait: 25 });
    expect(profiled.endedBy).toContain('--max-wait');
    expect(about(profiled, 'retry-after holds')).not.toHaveProperty('value');
  });

  test('no exchange holds the key', async () => {
    const { exchanges } = await profileOf('fixed-window-minute');
    expect(JSON.stringify(exchanges)).not.toContain(KEY);
  });
});

test.each(isNightly ? [1, 2, 5] : [1, 5])(
  'a profile finds a limit of %i a minute in the time that it announces',
  async (minute) => {
    const profiled = await profileOf('fixed-window-minute', { minute });
    expect(profiled.endedBy).toBeUndefined();
    expect(about(profiled, 'limit').value).toBe(minute);
    expect(about(profiled, 'retry-after holds').value).toBe(true);
  },
);
