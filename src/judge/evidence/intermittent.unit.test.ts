import { expect, test } from 'vitest';
import { type Answer, exchangeOf, probeOf, shown } from '../../../test/limiters/limited-runs.ts';
import type { Exchange } from '../../model/exchange.ts';
import { plainestRead, repetitionOfIntermittent } from './intermittent.ts';
import type { Judged } from './judged.ts';

/** Judged exchanges; those whose status is 500 are the wrong ones. */
function judged(answers: readonly Answer[]): { all: readonly Judged[]; wrong: Judged[] } {
  const all = shown(answers).judged;
  return { all, wrong: all.filter(({ exchange }) => exchange.response?.status === 500) };
}

const broken: Answer = { status: 500 };

test('the same read that was right and wrong is sent again, twice as often as it took', () => {
  const { all, wrong } = judged([{}, broken, {}, {}]);
  expect(repetitionOfIntermittent('status', wrong, all)).toEqual({
    kind: 'again',
    exchange: 2,
    times: 8,
    shows: 'answers',
  });
});

test.each([
  [1, 4, 10],
  [2, 3, 6],
  [1, 14, 30],
  [1, 60, 30],
])('%i wrong and %i right reads: it is sent %i times', (wrongOnes, rightOnes, times) => {
  const answers = [...Array<Answer>(wrongOnes).fill(broken), ...Array<Answer>(rightOnes).fill({})];
  const { all, wrong } = judged(answers);
  expect(repetitionOfIntermittent('status', wrong, all)).toMatchObject({ times });
});

test.each<[what: string, right: Partial<Exchange>, wrong?: Partial<Exchange>]>([
  ['another address', { url: 'http://127.0.0.1/v1/pets?limit=1' }],
  ['another method', { method: 'HEAD' }],
  ['another key', { key: 'unknown' }],
  ['no read', { method: 'POST' }, { method: 'POST' }],
  ['a read without the right key', { key: 'absent' }, { key: 'absent' }],
  ['a refusal by the limit', {}, { response: { status: 429, headers: [], body: '' } }],
])('what got the right response is %s', (_what, right, wrong = {}) => {
  const [first, second] = judged([{}, broken]).all;
  if (!first || !second) throw new Error('there are no exchanges');
  const all = [
    { ...first, exchange: { ...first.exchange, ...right } },
    { ...second, exchange: { ...second.exchange, ...wrong } },
  ];
  expect(repetitionOfIntermittent('status', all.slice(1), all)).toBeUndefined();
});

test.each<[what: string, between: Partial<Exchange>, isIntermittent: boolean]>([
  ['a removal of it', { method: 'DELETE' }, false],
  ['a change of it', { method: 'PATCH' }, false],
  ['a replacement of what it is a part of', { method: 'PUT', url: 'http://127.0.0.1/v1/shelves' }, false],
  ['a change of a part of it', { method: 'PUT', url: 'http://127.0.0.1/v1/shelves/1/books/2' }, true],
  ['a change of another one', { method: 'PATCH', url: 'http://127.0.0.1/v1/shelves/11' }, true],
  ['an addition', { method: 'POST', url: 'http://127.0.0.1/v1/shelves' }, true],
  [
    'a removal that was refused',
    { method: 'DELETE', response: { status: 409, headers: [], body: '' } },
    true,
  ],
])('between the right and the wrong response is %s', (_what, between, isIntermittent) => {
  const url = 'http://127.0.0.1/v1/shelves/1';
  const [first, second, last] = judged([{}, {}, broken]).all;
  if (!first || !second || !last) throw new Error('there are no exchanges');
  const withFields = (each: Judged, fields: Partial<Exchange>) => ({
    ...each,
    exchange: { ...each.exchange, url, ...fields },
  });
  const all = [withFields(first, {}), withFields(second, between), withFields(last, {})];
  const found = repetitionOfIntermittent('status', all.slice(2), all);
  expect(found !== undefined).toBe(isIntermittent);
});

test.each([
  ['what is read', '/shelves', { id: 1, toString: { id: 1 } }, false],
  ['something else', '/shelves', { id: 11, name: { toString: 1 } }, true],
  ['something that its response does not show', '/shelves', undefined, true],
  ['something elsewhere, with an empty text', '/books', { id: 1, note: '' }, true],
])(
  'of two reads with an addition between them, the addition is of %s',
  (_what, path, value, isIntermittent) => {
    const url = 'http://127.0.0.1/v1';
    const [first, added, last] = judged([{}, {}, broken]).all;
    if (!first || !added || !last) throw new Error('there are no exchanges');
    const results: Judged[] = [
      { ...first, exchange: { ...first.exchange, url: `${url}/shelves/1` } },
      { ...added, exchange: { ...added.exchange, method: 'POST', url: `${url}${path}` }, value },
      { ...last, exchange: { ...last.exchange, url: `${url}/shelves/1` } },
    ];
    expect(repetitionOfIntermittent('status', results.slice(2), results) !== undefined).toBe(isIntermittent);
  },
);

test.each([
  ['before both', ['DELETE', 'GET', 'GET'], true],
  ['between them', ['GET', 'DELETE', 'GET'], false],
  ['after both', ['GET', 'GET', 'DELETE'], true],
])('of two reads, whichever was wrong, something was removed %s', (_what, methods, isIntermittent) => {
  const all = judged([{}, {}, {}]).all.map(
    (each, index): Judged => ({
      ...each,
      exchange: { ...each.exchange, method: methods[index] ?? '', url: 'http://127.0.0.1/v1/shelves/1' },
    }),
  );
  for (const wrong of all.filter(({ exchange }) => exchange.method === 'GET'))
    expect(repetitionOfIntermittent('status', [wrong], all) !== undefined).toBe(isIntermittent);
});

test('what was always wrong does not come and go', () => {
  const { all, wrong } = judged([broken, broken, { operation: 'getPet', stage: 'read' }]);
  expect(repetitionOfIntermittent('status', wrong, all)).toBeUndefined();
});

test.each<[string, Answer]>([
  ['where the limit was used up', { ...broken, remaining: 0 }],
  ['after the limit was over', { ...broken, stage: 'recover' }],
])('what is wrong %s has its reason there', (_, answer) => {
  const { all, wrong } = judged([{}, {}, answer]);
  expect(repetitionOfIntermittent('json', wrong, all)).toBeUndefined();
});

test('of headers it is not said', () => {
  const { all, wrong } = judged([{}, broken]);
  expect(repetitionOfIntermittent('header', wrong, all)).toBeUndefined();
});

test('a failure that strikes few requests of many operations belongs to none of them', () => {
  const of = (operation: string): Answer[] => [
    { operation },
    { operation, status: operation === 'createPet' ? 201 : 200 },
    { operation, status: 500, key: 'unknown' },
  ];
  const { all, wrong } = judged(['listPets', 'getPet', 'getStoreOrders'].flatMap(of));
  expect(repetitionOfIntermittent('transport', wrong, all)).toMatchObject({ kind: 'again', times: 6 });
  expect(repetitionOfIntermittent('shape', wrong, all)).toBeUndefined();
  expect(repetitionOfIntermittent('transport', wrong.slice(0, 2), all)).toBeUndefined();
  expect(repetitionOfIntermittent('transport', wrong, [...wrong, ...wrong])).toBeUndefined();
});

test.each(['transport', 'json'] as const)(
  'of %s failures the smallest read of what they strike is sent again',
  (kind) => {
    const of = (operation: string, stage: NonNullable<Answer['stage']>): Answer[] => [
      { operation, stage },
      { operation, stage },
      { operation, status: 500, stage: 'recover' },
    ];
    const { all, wrong } = judged([
      { stage: 'list' },
      ...of('createPet', 'create'),
      ...of('getPet', 'read'),
      ...of('getStoreOrders', 'other'),
    ]);
    // The first list and the first failure are the smallest: the one did not fail, and the other is no right response.
    const sizes = [0, 4, 4, 0, 4, 1];
    const sized = all.map((each, index) => ({
      ...each,
      isSound: each.outcome === 'answered',
      exchange: {
        ...each.exchange,
        response: { status: 200, headers: [], body: 'x'.repeat(sizes[index] ?? 9) },
      },
    })) as Judged[];
    const struck = wrong.map((each) => sized[all.indexOf(each)] ?? each);
    expect(repetitionOfIntermittent(kind, struck, sized)).toMatchObject({ exchange: 6 });
    expect(repetitionOfIntermittent('status', struck, sized)).toBeUndefined();
    const half = sized.filter(({ exchange }) => ![3, 6, 9].includes(exchange.id));
    expect(repetitionOfIntermittent(kind, struck, half)).toBeUndefined();
  },
);

test('the plainest read is the one with the shortest answer; rather one without an id in its path', () => {
  const read = (id: number, body: string, path: object, key: Answer['key'] = 'valid') => {
    const exchange = exchangeOf({ key }, id);
    return {
      exchange: { ...exchange, response: { status: 200, headers: [], body } },
      probe: { ...probeOf({ key }), path },
    } as Pick<Judged, 'probe' | 'exchange'>;
  };
  const reads = [
    read(1, '[1,2]', {}),
    read(2, '[]', { id: '1' }),
    read(3, '[1]', {}),
    read(4, '', {}, 'absent'),
  ];
  expect(plainestRead(reads)?.exchange.id).toBe(3);
  expect(plainestRead(reads.slice(1, 2))?.exchange.id).toBe(2);
  expect(plainestRead([])).toBeUndefined();
});
