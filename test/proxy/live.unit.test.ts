import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../src/model/exchange.ts';
import { faults } from '../../src/reference/faults/index.ts';
import type { Change } from '../../src/reference/index.ts';
import { variants } from '../../src/reference/variants/index.ts';
import { sampled } from '../nightly/sampled.ts';
import { liveJudge, ordinaryDay, passedAt, throughProxy } from './judged.ts';

/** Enough for a glance at everything. */
const ALL = 1_000;
const servers = { baseUrl: 'http://a.example/v1' };

function faulty(id: string): Change[] {
  const found = faults.filter((each) => each.id === id);
  expect(found).toHaveLength(1);
  return found;
}

describe('a glance', () => {
  test('tells what one exchange shows, and counts it, before all are judged together', async () => {
    await throughProxy(faulty('list-default-25'), async (say, judge) => {
      expect(judge.glance(ALL)).toBeUndefined();
      await say('GET', '/pets');
      const first = judge.glance(ALL);
      expect(first).toMatchObject({
        state: { requests: 1, judged: 1, statuses: { violated: 1 } },
        newFindings: [
          {
            requirement: 'listPets.limit.default',
            status: 'violated',
            request: 'GET /v1/pets -> 200, 1 of 1',
          },
        ],
      });
      expect(first?.state.lookedAt).toBeUndefined();
      expect(judge.glance(ALL)).toBeUndefined();
      expect(judge.isUnlooked).toBe(true);
      const began = Date.now();
      const look = judge.look();
      expect(look).toMatchObject({
        state: { requests: 1, judged: 1, statuses: { violated: 1 } },
        newFindings: [],
      });
      expect(look?.state.lookedAt).toBeGreaterThanOrEqual(began);
      expect(judge.isUnlooked).toBe(false);
    });
  });

  test.each([
    ['error-code-null', 'Error.code'],
    ['header-none-404', 'X-RateLimit-Limit'],
    ['list-status-leaks-unset', 'listPets.status'],
  ])('finds %s: %s', async (id, requirement) => {
    const judge = await throughProxy(faulty(id), ordinaryDay);
    const found = judge.glance(ALL)?.newFindings.map((each) => each.requirement);
    expect(found).toEqual([requirement]);
  });

  test('says nothing of what only several exchanges show: a look does', async () => {
    const judge = await throughProxy(faulty('limit-random'), ordinaryDay);
    const glance = judge.glance(ALL);
    expect(glance?.newFindings).toEqual([]);
    expect(glance?.state).toMatchObject({ requests: 12, judged: 12 });
    expect(judge.look()?.newFindings.map(({ requirement }) => requirement)).toEqual(['rate-limit.constant']);
  });

  // Whether a request meets the end of an idle connection is chance: then the client itself gets what the service sends.
  const isOfIdle = (id: string) => id.startsWith('closes-idle') || id.startsWith('idle-408');
  const served = variants.filter(({ id, start }) => start === undefined && !isOfIdle(id));
  const some = sampled(served, 12, ({ id }) => id, 'live proxy');
  test.each<[string, readonly Change[]]>([
    ['the reference', []],
    ...some.map((each): [string, readonly Change[]] => [each.id, [each]]),
  ])('accuses no variant: %s', async (_, changes) => {
    const judge = await throughProxy(changes, ordinaryDay);
    const told = judge.glance(ALL)?.newFindings ?? [];
    expect(told.filter(({ status }) => status === 'violated')).toEqual([]);
  });

  test('is at no more than stated, goes on with the next one, and leaves the rest of a flood to the look', () => {
    const judge = liveJudge({ servers });
    for (let at = 0; at < 400; at += 1) judge.add(passedAt(at));
    expect(judge.glance(0)?.state).toMatchObject({ requests: 400, judged: 0 });
    expect(judge.glance(40)?.state).toMatchObject({ requests: 400, judged: 40 });
    expect(judge.glance(40)?.state).toMatchObject({ requests: 400, judged: 80 });
    const { judged = 0 } = judge.glance(ALL)?.state ?? {};
    expect(judged).toBeLessThan(400);
    expect(judge.look()?.state).toMatchObject({ requests: 400, judged: 400 });
  });
});

const WRONG = passedAt(5, { responseBody: { bytes: '{}', size: 2 } });

describe('while a look goes on', () => {
  test('what comes is glanced at, stays known when the look ends, and waits for the next one', () => {
    const judge = liveJudge({ servers });
    for (let at = 0; at < 4; at += 1) judge.add(passedAt(at));
    const look = judge.looking();
    expect(look.next().done).toBe(false);
    judge.add(WRONG);
    expect(judge.glance(ALL)).toMatchObject({
      state: { requests: 5, judged: 5, statuses: { violated: 1 } },
      newFindings: [{ requirement: 'listPets.200.body' }],
    });
    let step = look.next();
    while (!step.done) step = look.next();
    expect(step.value).toMatchObject({ state: { statuses: { violated: 1 } }, newFindings: [] });
    expect(judge.isUnlooked).toBe(true);
    expect(judge.look()?.state).toMatchObject({ judged: 5, statuses: { violated: 1 } });
  });

  test('a part may become complete: it is judged once, and the look adds nothing', () => {
    const exchanges: Exchange[] = [];
    const judge = liveJudge({ servers, onExchange: (exchange) => exchanges.push(exchange) });
    for (let at = 0; at < 1_999; at += 1) judge.add(passedAt(at));
    const look = judge.looking();
    look.next();
    judge.add(WRONG);
    expect(exchanges).toHaveLength(2_000);
    let step = look.next();
    while (!step.done) step = look.next();
    expect(exchanges).toHaveLength(2_000);
    expect(judge.state).toMatchObject({ requests: 2_000, judged: 2_000, statuses: { violated: 1 } });
    expect(judge.close().judged.files[0]?.judged).toBe(2_000);
  });
});
