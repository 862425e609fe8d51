import { expect, test } from 'vitest';
import { type Answer, shown } from '../../../../test/limiters/limited-runs.ts';
import { repetitionOf } from './exclusion.ts';

const created = { operation: 'createPet', status: 201 } as const;
const missing = { operation: 'getPet', status: 404 } as const;
const wrongKey = { key: 'absent', status: 401 } as const;
const message = { operation: 'sendMessage', status: 202 } as const;
const varied = { variation: 'forwarded-for' } as const;
const noAnswer = {
  failure: { kind: 'reset', phase: 'headers', message: 'connection reset' },
} as const satisfies Answer;

/** How to see again what the last of these shows. */
function repetitionOfLast(answers: readonly Answer[], before: number | undefined) {
  const evidence = shown(answers);
  const last = evidence.judged.at(-1)?.exchange;
  if (!last) throw new Error('there is no exchange');
  return repetitionOf(evidence, last, before);
}

test.each<[what: string, answers: Answer[], before: number | undefined, exchanges: number[], times: number]>([
  ['the first request is sent again', [{}], undefined, [1], 1],
  ['one of each kind comes before it', [{}, created, {}, created, missing, {}], 5, [1, 2, 5, 6], 6],
  ['one of a new kind comes last', [{}, {}, missing], 2, [1, 3], 3],
  ['a varied request is a kind', [{}, varied, {}, {}], 3, [1, 2, 4], 4],
  ['wrong keys right before it are sent, too', [{}, wrongKey, wrongKey, {}], 1, [1, 2, 4], 2],
  ['a message right before it is sent, too', [{}, message, {}], 1, [1, 2, 3], 2],
  [
    'a message without the key that is accepted is a kind',
    [{}, { ...message, key: 'absent' }, message, {}],
    1,
    [1, 2, 3, 4],
    2,
  ],
  ['what was refused counts, but is not sent', [{}, { status: 429 }, {}], 2, [1, 3], 3],
  ['what was sent elsewhere before that is not', [{}, wrongKey, message, {}, {}], 4, [1, 5], 3],
  ['what got no response counts, but is not sent', [{}, { ...missing, ...noAnswer }, {}], 1, [1, 3], 3],
  ['what came before a wait is left out', [created, { at: 9 }, { at: 9.1 }, { at: 9.2 }], 3, [2, 4], 3],
])('%s', (_what, answers, before, exchanges, times) => {
  const repetition = { kind: 'in-turn-and-again', exchanges, times };
  expect(repetitionOfLast(answers, before)).toEqual(repetition);
});

test('what came later is left out', () => {
  const evidence = shown([{}, {}, created, {}]);
  const [, second] = evidence.judged.map(({ exchange }) => exchange);
  if (!second) throw new Error('there is no exchange');
  expect(repetitionOf(evidence, second, 1)).toMatchObject({ exchanges: [1, 2], times: 2 });
});

test.each<[what: string, answers: Answer[]]>([
  ['for the next window', [{}, created, { at: 70 }]],
  ['for Retry-After', [{}, { status: 429 }, { stage: 'recover', at: 0.1 }]],
])('what comes after a wait %s needs another wait', (_what, answers) => {
  expect(repetitionOfLast(answers, 2)).toEqual({ kind: 'after-refusal' });
});
