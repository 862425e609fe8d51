import { describe, expect, test } from 'vitest';
import { mineConditions, packConditions } from '../../../test/recorded/mine.ts';
import type { Exchange } from '../../model/exchange.ts';
import { countConditions, sensitivityOf } from './sensitivity.ts';

const exchange = (id: number, query: string, fields: Partial<Exchange> = {}): Exchange => ({
  id,
  probe: `list:${query}`,
  operation: 'list',
  address: 'baseUrl',
  stage: 'read',
  key: 'valid',
  method: 'GET',
  url: `https://books.example/books${query}`,
  requestHeaders: [],
  sentAt: id * 10,
  receivedAt: id * 10 + 5,
  inFlight: 1,
  rate: {},
  response: { status: 200, headers: [], body: '[]' },
  ...fields,
});

const all = [exchange(1, ''), exchange(2, '?limit=5'), exchange(3, '?limit=0'), exchange(4, '?page=2')];
const recorded = (violates: string, evidence: number[], exchanges = all) => ({
  fault: `wrong ${violates}`,
  violates: [violates],
  exchanges,
  evidence: { [violates]: evidence },
  isOnlyInRuns: false,
});

const requirement = (id: string, status: 'met' | 'not-tested' = 'met', exercised = true) => ({
  id,
  level: 'must' as const,
  section: 'Lists',
  statement: id,
  status,
  exercised,
});

/** The faults that exchanges would have shown, by requirements that were put to the test. */
function shown(
  conditions: ReturnType<typeof mineConditions>,
  exchanges: Exchange[],
  requirements = [requirement('list.limit')],
) {
  const counting = countConditions(conditions);
  for (const each of exchanges) counting.add(each);
  return sensitivityOf(counting.met(), requirements, conditions)?.shown;
}

describe('when a fault shows is mined from the run that found it', () => {
  test('a value that only what shows it has', () => {
    const conditions = mineConditions([recorded('list.limit', [3])]);
    expect(shown(conditions, [exchange(9, '?limit=0')])).toBe(1);
    expect(shown(conditions, [exchange(9, '?limit=5')])).toBe(0);
    expect(shown(conditions, [exchange(9, '')])).toBe(0);
  });

  test('the operation alone, if all of its exchanges show it', () => {
    const conditions = mineConditions([recorded('list.limit', [1, 2, 3, 4])]);
    expect(conditions[0]?.anyOf).toEqual([['op:list']]);
  });

  test('each of several values', () => {
    const conditions = mineConditions([recorded('list.limit', [3, 4])]);
    for (const query of ['?limit=0', '?page=2'])
      expect(shown(conditions, [exchange(8, ''), exchange(9, query)])).toBe(1);
    expect(shown(conditions, [exchange(9, '?limit=5')])).toBe(0);
  });

  test('a refusal by the limit, for a fault of the limiter that a 429 shows', () => {
    const refused = exchange(5, '', { stage: 'exhaust', response: { status: 429, headers: [], body: '{}' } });
    const conditions = mineConditions([recorded('rate-limit.retry-after', [5], [...all, refused])]);
    const requirements = [requirement('rate-limit.retry-after')];
    expect(shown(conditions, all, requirements)).toBe(0);
    expect(shown(conditions, [...all, refused], requirements)).toBe(1);
  });
});

test('a fault does not show if its requirement was not put to the test', () => {
  const conditions = mineConditions([recorded('list.limit', [3])]);
  expect(shown(conditions, all, [requirement('list.limit', 'not-tested')])).toBe(0);
  expect(shown(conditions, all, [requirement('list.limit', 'met', false)])).toBe(0);
});

test('what was missing is named by the probe that would show it, and nothing is said without a catalogue', () => {
  const conditions = mineConditions([recorded('list.limit', [3]), recorded('list.page', [4])]);
  const requirements = [requirement('list.limit'), requirement('list.page')];
  const met = { faults: ['wrong list.page'], isTraffic: false };
  expect(sensitivityOf(met, requirements, conditions)).toEqual({
    faults: 2,
    shown: 1,
    sections: [{ section: 'Lists', faults: 2, shown: 1 }],
    missing: [{ probe: 'list:?limit=0', faults: 1 }],
  });
  expect(sensitivityOf(met, [requirement('another')], conditions)).toBeUndefined();
});

test('what only a run shows is not claimed of the same requests of others, and is no missing probe', () => {
  const conditions = mineConditions([
    { ...recorded('list.limit', [3]), isOnlyInRuns: true },
    recorded('list.page', [4]),
  ]);
  const requirements = [requirement('list.limit'), requirement('list.page')];
  const sensitivity = (exchanges: readonly Exchange[]) => {
    const counting = countConditions(conditions);
    for (const each of exchanges) counting.add(each);
    return sensitivityOf(counting.met(), requirements, conditions);
  };
  expect(sensitivity(all)).toMatchObject({ faults: 2, shown: 2 });
  expect(sensitivity(all)).not.toHaveProperty('onlyInRuns');
  const traffic = all.map((each): Exchange => ({ ...each, recorded: 'traffic' }));
  expect(sensitivity(traffic)).toMatchObject({ faults: 2, shown: 1, onlyInRuns: 1, missing: [] });
  expect(sensitivity(traffic.slice(0, 1))?.missing).toEqual([{ probe: 'list:?page=2', faults: 1 }]);
});

test('the same conditions give the same text', () => {
  const conditions = mineConditions([recorded('list.limit', [3])]);
  expect(packConditions(conditions)).toBe(packConditions(structuredClone(conditions)));
});
