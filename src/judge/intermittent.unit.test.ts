import { expect, test } from 'vitest';
import { type Answer, exchangeOf, probeOf, shown } from '../../test/limited-runs.ts';
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
