import { expect, test } from 'vitest';
import { exchange } from '../../../test/exchanges/exchange.ts';
import type { Exchange } from '../../model/exchange.ts';
import { violated } from '../../model/finding.ts';
import type { Judged } from '../judged.ts';
import { cacheHint } from './cache-hint.ts';

const LIST = 'http://127.0.0.1/v1/pets';

/** Exchanges one after another, each a list of animals that leaves so many requests. */
function inTurn(...changes: readonly Partial<Exchange>[]): Judged[] {
  return changes.map((change, index) => {
    const id = index + 1;
    const own = exchange({
      id,
      operation: 'listPets',
      address: 'baseUrl',
      method: 'GET',
      url: LIST,
      key: 'valid',
      sentAt: id * 100,
      receivedAt: id * 100 + 10,
      response: { status: 200, headers: [], body: `[${id}]` },
      rate: { limit: 60, remaining: 60 - id, reset: 90 },
      ...change,
    });
    return { exchange: own } as Judged;
  });
}

/** The hint of a run in which this exchange violates a requirement. */
const hintOf = (judged: readonly Judged[], id = judged.length) =>
  cacheHint(judged, {
    'rate-limit.count': violated({ kind: 'sequence', reason: '', expected: '', received: '' }, [id]),
  })?.text;

/** What the first exchange got. */
const first = {
  response: { status: 200, headers: [], body: '[1]' },
  rate: { limit: 60, remaining: 59, reset: 90 },
} satisfies Partial<Exchange>;

test('a response that comes again with the Remaining of before comes from a cache', () => {
  expect(hintOf(inTurn({}, {}, first))).toBe(
    'the same response came twice, with the X-RateLimit-Remaining of the first time (listPets): a cache in front of the service may keep them',
  );
});

test('if it comes to another key, the cache ignores the key', () => {
  expect(hintOf(inTurn({}, {}, { ...first, key: 'absent' }))).toBe(
    'the same response came twice, with the X-RateLimit-Remaining of the first time, first to a request with the key and then to one with another key or none (listPets): a cache in front of the service may keep responses for any key',
  );
});

test('a refusal that comes again comes from a cache if it says its age', () => {
  const refused = (headers: [string, string][]): Partial<Exchange> => ({
    response: { status: 401, headers, body: '{}' },
    rate: { limit: 60, remaining: 60, reset: 90 },
  });
  expect(hintOf(inTurn({ ...refused([]), key: 'absent' }, {}, refused([['Age', '3']])))).toBe(
    'the same response came twice, with the X-RateLimit-Remaining of the first time, first to a request with another key or none and then to one with the key (listPets): a cache in front of the service may keep responses for any key',
  );
  expect(hintOf(inTurn({ ...refused([]), key: 'absent' }, {}, refused([])))).toBeUndefined();
});

test.each<[what: string, judged: Judged[], id?: number]>([
  ['nothing is violated by it', inTurn({}, {}, first), 2],
  ['Remaining did not change meanwhile', inTurn({}, first)],
  ['it may have been on its way at the same time', inTurn({}, { sentAt: 105 }, { ...first, sentAt: 105 })],
  ['the body is another', inTurn({}, {}, { ...first, response: { status: 200, headers: [], body: '[]' } })],
  ['Remaining is another', inTurn({}, {}, { ...first, rate: { limit: 60, remaining: 57, reset: 90 } })],
  ['it is for another address', inTurn({}, {}, { ...first, url: `${LIST}?limit=1` })],
  ['it is no read', inTurn({ method: 'POST' }, {}, { ...first, method: 'POST' })],
])('says nothing if %s', (_what, judged, id) => {
  expect(hintOf(judged, id)).toBeUndefined();
});
