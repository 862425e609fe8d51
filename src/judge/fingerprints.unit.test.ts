import { expect, test } from 'vitest';
import { type Deviation, met, violated } from '../model/finding.ts';
import { fingerprintsOf, withOccurrences } from './fingerprints.ts';
import type { Judged } from './judged.ts';

/** What a probe got: a status, the kind of its failure, or nothing at all. */
function judgedOf(id: string, came: number | string | undefined): Judged {
  const exchange =
    typeof came === 'number'
      ? { response: { status: came } }
      : came === undefined
        ? {}
        : { failure: { kind: came } };
  return { probe: { id, title: `the ${id}` }, exchange } as unknown as Judged;
}

test('there is one fingerprint for each kind and pointer, with its places sorted and its numbers masked', () => {
  const wrong = (id: string, came: number | string | undefined, more: Partial<Deviation>) => ({
    judged: judgedOf(id, came),
    deviation: { kind: 'shape', reason: 'wrong 3 times', expected: '', received: '', ...more } as const,
  });
  const found = fingerprintsOf([
    wrong('list', 500, { kind: 'status' }),
    wrong('read', 200, { pointer: '/0/id' }),
    wrong('add', 201, { kind: 'status', reason: 'in other words' }),
    wrong('list', 500, { kind: 'status' }),
    wrong('list', 200, { pointer: '/17/id' }),
    wrong('add', 201, {}),
    wrong('list', 200, { pointer: '/17/name' }),
    wrong('exhaust', 429, { kind: 'header' }),
    wrong('read', 'reset', { kind: 'transport' }),
    wrong('other', undefined, { kind: 'transport' }),
  ]);
  expect(found.map(({ kind, pointer, at }) => [kind, pointer, at])).toEqual([
    ['header', undefined, ['a refusal 429']],
    ['shape', undefined, ['add 201']],
    ['shape', '/#/id', ['list 200', 'read 200']],
    ['shape', '/#/name', ['list 200']],
    ['status', undefined, ['add 201', 'list 500']],
    ['transport', undefined, ['other no answer', 'read reset']],
  ]);
  expect(found[1]?.what).toMatch(/^wrong \D+ times$/);
});

test('a violation says of each operation and status how many of how many exchanges show it', () => {
  const list = { id: 'listPets', method: 'GET', path: '/pets' };
  const add = { id: 'createPet', method: 'POST', path: '/pets' };
  const sent = (id: number, operation: typeof list, came: number | 'reset') => ({
    exchange: (came === 'reset'
      ? { id, failure: { kind: came } }
      : { id, response: { status: came } }) as unknown as Judged['exchange'],
    operation,
  });
  const all = [
    ...Array.from({ length: 12 }, (_, index) => sent(index + 1, list, 200)),
    sent(13, list, 404),
    ...[14, 15, 16].map((id) => sent(id, add, 201)),
    sent(17, add, 'reset'),
  ];
  const wrong = { kind: 'shape', reason: 'wrong', expected: '', received: '' } as const;
  const shownBy = [14, ...Array.from({ length: 11 }, (_, index) => index + 1), 17];
  expect(withOccurrences('Pet.name', violated(wrong, shownBy), all)).toMatchObject({
    evidence: shownBy.slice(0, 10),
    occurrences: [
      { operation: 'createPet', request: 'POST /pets', status: 201, deviating: 1, of: 3 },
      { operation: 'listPets', request: 'GET /pets', status: 200, deviating: 11, of: 12 },
      { operation: 'createPet', request: 'POST /pets', failure: 'reset', deviating: 1, of: 1 },
    ],
  });
  // Of a pair, the first is there for comparison.
  expect(
    withOccurrences('Pet.name', violated({ ...wrong, deviating: [2] }, [1, 2]), all).occurrences,
  ).toEqual([{ operation: 'listPets', request: 'GET /pets', status: 200, deviating: 1, of: 12 }]);
  const likewise = all.map((each) =>
    each.exchange.id < 16 ? { ...each, hidden: [{ requirement: 'Pet.name' }] } : each,
  );
  expect(withOccurrences('Pet.name', violated(wrong, [16]), likewise).occurrences?.[0]).toMatchObject({
    deviating: 3,
    of: 3,
  });
  expect(withOccurrences('Pet.name', met([1, 2]), all)).toEqual(met([1, 2]));
});
