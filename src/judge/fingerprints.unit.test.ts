import { expect, test } from 'vitest';
import type { Deviation } from '../model/finding.ts';
import { fingerprintsOf } from './fingerprints.ts';
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
