import { expect, test } from 'vitest';
import { exchange } from '../../../test/exchanges/exchange.ts';
import type { Exchange } from '../../model/exchange.ts';
import { KeptExchanges } from './kept-exchanges.ts';

function exchangeOf(id: number, change: Partial<Exchange> = {}, status = 200, body = ''): Exchange {
  return exchange({
    id,
    probe: 'listPets:exhaust',
    stage: 'exhaust',
    sentAt: id,
    receivedAt: id,
    response: { status, headers: [], body },
    ...change,
  });
}

/** Ids of what stays of some exchanges, in memory and in the ledger. */
function stays(exchanges: readonly Exchange[], isNotable: (exchange: Exchange) => boolean = () => false) {
  const written: number[] = [];
  const kept = new KeptExchanges(isNotable, ({ id }) => written.push(id));
  for (const each of exchanges) kept.add(each);
  kept.close();
  expect(kept.all.map(({ id }) => id)).toEqual(written);
  return written;
}

const range = (count: number, from = 1) => Array.from({ length: count }, (_, index) => from + index);

test('exchanges outside the exhaustion are kept, however large', () => {
  const large = 'x'.repeat(20 * 1024 * 1024);
  const before = range(3_000).map((id) => exchangeOf(id, { stage: 'list' }, 200, id < 4 ? large : ''));
  expect(stays(before).length).toBe(3_000);
});

test('the beginning and the last exchange of an exhaustion are kept', () => {
  const ids = stays(range(4_000).map((id) => exchangeOf(id)));
  expect(ids).toEqual([...range(2_500), 4_000]);
});

test('a notable exchange is kept with the one before it', () => {
  const ids = stays(
    range(4_000).map((id) => exchangeOf(id)),
    ({ id }) => id === 3_000 || id === 3_001,
  );
  expect(ids).toEqual([...range(2_500), 2_999, 3_000, 3_001, 4_000]);
});

test('the first refusal is kept even if everything is notable', () => {
  const ids = stays(
    range(4_000).map((id) => exchangeOf(id, {}, id === 3_900 ? 429 : 200)),
    () => true,
  );
  expect(ids.length).toBeLessThanOrEqual(2_500 + 500 + 3);
  expect(ids).toContain(3_900);
});

test('large responses use up the space sooner', () => {
  const large = 'x'.repeat(60_000);
  const ids = stays(range(2_000).map((id) => exchangeOf(id, {}, 200, large)));
  expect(ids.length).toBeLessThan(300);
  const notable = stays(
    range(2_000).map((id) => exchangeOf(id, {}, 200, large)),
    () => true,
  );
  expect(notable.length).toBeLessThan(600);
});

test('equal parts of exchanges are kept in memory once', () => {
  const kept = new KeptExchanges(() => false);
  const headers = () => [['content-type', 'application/json'] as const, ['date', 'today'] as const];
  for (const id of [1, 2])
    kept.add(exchangeOf(id, { response: { status: 200, headers: headers(), body: '' } }));
  const [one, two] = kept.all;
  expect(two?.response?.headers[0]).toBe(one?.response?.headers[0]);
  expect(two?.requestHeaders).toBe(one?.requestHeaders);
  expect(two).toEqual({ ...one, id: 2, sentAt: 2, receivedAt: 2 });
});
