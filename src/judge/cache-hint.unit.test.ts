import { expect, test } from 'vitest';
import { exchange } from '../../test/exchanges/exchange.ts';
import type { Exchange } from '../model/exchange.ts';
import { violated } from '../model/finding.ts';
import type { Judged } from './evidence/judged.ts';
import { cacheHint } from './hints.ts';

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
const hint = (judged: readonly Judged[], id = judged.length) =>
  cacheHint(judged, {
    'rate-limit.count': violated({ kind: 'sequence', reason: '', expected: '', received: '' }, [id]),
  });

/** The words of that hint. */
const hintOf = (...run: Parameters<typeof hint>) => hint(...run)?.text;

/** What the first exchange got. */
const first = {
  response: { status: 200, headers: [], body: '[1]' },
  rate: { limit: 60, remaining: 59, reset: 90 },
} satisfies Partial<Exchange>;

test('a response that comes again with the Remaining of before comes from a cache', () => {
  expect(hint(inTurn({}, {}, first))).toEqual({
    kind: 'cache',
    text: 'the same response came twice, with the X-RateLimit-Remaining of the first time (listPets): a cache in front of the service may keep them',
  });
});

test('what changes Remaining may begin when the first response is there, and end when the request is sent again', () => {
  expect(hint(inTurn({}, { sentAt: 110, receivedAt: 300 }, first))).toMatchObject({ kind: 'cache' });
});

test('requests may follow one another within a millisecond', () => {
  const repeated = { ...first, sentAt: 110, receivedAt: 110 };
  expect(hint(inTurn({}, { sentAt: 110, receivedAt: 110 }, repeated))).toMatchObject({ kind: 'cache' });
});

test('an advisory accuses no cache', () => {
  const deviation = { kind: 'sequence', reason: '', expected: '', received: '' } as const;
  const advisory = { ...violated(deviation, [3]), status: 'advisory' } as const;
  expect(cacheHint(inTurn({}, {}, first), { 'rate-limit.count': advisory })).toBeUndefined();
});

test('if it comes to another key, the cache ignores the key', () => {
  expect(hintOf(inTurn({}, {}, { ...first, key: 'absent' }))).toBe(
    'the same response came twice, with the X-RateLimit-Remaining of the first time, first to a request with the key and then to one with another key or none (listPets): a cache in front of the service may keep responses for any key',
  );
});

/** A refusal with these headers. */
const refused = (headers: [string, string][], status = 401) =>
  ({
    response: { status, headers, body: '{}' },
    rate: { limit: 60, remaining: 60, reset: 90 },
  }) satisfies Partial<Exchange>;

test('a refusal that comes again comes from a cache if it says its age', () => {
  expect(hintOf(inTurn({ ...refused([]), key: 'absent' }, {}, refused([['Age', '3']])))).toBe(
    'the same response came twice, with the X-RateLimit-Remaining of the first time, first to a request with another key or none and then to one with the key (listPets): a cache in front of the service may keep responses for any key',
  );
  expect(hintOf(inTurn({ ...refused([]), key: 'absent' }, {}, refused([])))).toBeUndefined();
});

test('of two wrong keys neither is named', () => {
  const to = (key: Exchange['key']) => ({ ...refused([['Age', '3']]), key });
  expect(hintOf(inTurn(to('absent'), {}, to('longer')))).toBe(
    'the same response came twice, with the X-RateLimit-Remaining of the first time (listPets): a cache in front of the service may keep responses for any key',
  );
});

test.each<[what: string, judged: Judged[], id?: number]>([
  ['nothing is violated by it', inTurn({}, {}, first), 2],
  ['Remaining did not change meanwhile', inTurn({}, first)],
  ['it may have been on its way at the same time', inTurn({}, { sentAt: 105 }, { ...first, sentAt: 105 })],
  ['the body is another', inTurn({}, {}, { ...first, response: { status: 200, headers: [], body: '[]' } })],
  ['Remaining is another', inTurn({}, {}, { ...first, rate: { limit: 60, remaining: 57, reset: 90 } })],
  ['it is for another address', inTurn({}, {}, { ...first, url: `${LIST}?limit=1` })],
  ['it is no read', inTurn({ method: 'POST' }, {}, { ...first, method: 'POST' })],
  ['the first was no read', inTurn({ method: 'HEAD' }, {}, first)],
  ['the status is another', inTurn({}, {}, { ...first, response: { ...first.response, status: 203 } })],
  ['it is a refusal of any kind without an age', inTurn(refused([], 400), {}, refused([], 400))],
  ['Reset is another', inTurn({}, {}, { ...first, rate: { ...first.rate, reset: 91 } })],
  ['neither tells Remaining', inTurn({ rate: {} }, {}, { ...first, rate: {} })],
  ['only a wrong key got another Remaining', inTurn({}, { key: 'absent' }, first)],
  ['only the other address told another Remaining', inTurn({}, { address: 'apiUrl' }, first)],
  ['only a response without Remaining came meanwhile', inTurn({}, { rate: {} }, first)],
  ['Remaining was another one before both', inTurn({ rate: { remaining: 58 } }, first, first)],
  ['Remaining was another one after both', inTurn(first, first, { rate: { remaining: 58 } }), 2],
])('says nothing if %s', (_what, judged, id) => {
  expect(hintOf(judged, id)).toBeUndefined();
});
