import { expect, test } from 'vitest';
import { sightingsOf } from './fingerprints.ts';
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

test('ways and places are sorted, numbers are masked, and a way is told once', () => {
  const wrong = [
    { judged: judgedOf('list', 500), reason: 'the list: was wrong 3 times' },
    { judged: judgedOf('read', 'reset'), reason: 'came late' },
    { judged: judgedOf('add', 201), reason: 'the add: was wrong 17 times' },
    { judged: judgedOf('list', 500), reason: 'was wrong 4 times' },
    { judged: judgedOf('exhaust', 429), reason: 'came late' },
    { judged: judgedOf('other', undefined), reason: 'arrived never' },
  ];
  const told = sightingsOf(wrong);
  expect(told.map(({ at }) => at)).toEqual([
    ['other no answer'],
    ['a refusal 429', 'read reset'],
    ['add 201', 'list 500'],
  ]);
  expect(told.map(({ what }) => what)).toEqual([
    'arrived never',
    'came late',
    expect.stringMatching(/^was wrong \D+ times$/),
  ]);
});
