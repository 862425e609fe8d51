import type { Change } from '../../changes/change.ts';
import type { Where } from '../../changes/where.ts';
import { concerns } from '../../changes/where.ts';
import type { Answer } from '../../http/answer.ts';
import { errorAnswer } from '../../http/answer.ts';
import type { Fault } from '../fault.ts';
import { creatingOther } from '../mistakes.ts';

/** Changes an answer once so many of its kind came before it. */
const beginningWith = (count: number, where: Where, change: (answer: Answer) => Answer): Change => ({
  around: async (call, next) => {
    const answer = await next(call);
    if (!concerns(where, answer, call)) return answer;
    const seen = call.recall('answers counted', () => ({ count: 0 }));
    seen.count += 1;
    return seen.count < count ? answer : change(answer);
  },
});

/** What fails after a number of answers: pools, buffers and sequences that are used up. */
export const countFaults: readonly Fault[] = [
  {
    id: 'fetch-fifth-404',
    summary: 'a cache of four animals is full: from the fifth fetch on, an animal is not found',
    violates: ['getPet.200'],
    ...beginningWith(5, { operation: 'getPet', status: 200 }, () =>
      errorAnswer(404, 'not_found', 'no animal has this id'),
    ),
  },
  {
    id: 'refused-tenth-bare',
    summary: 'the messages for refused additions are used up: from the tenth on, a 400 has none',
    violates: ['Error.message'],
    ...beginningWith(10, { operation: 'createPet', status: 400 }, (answer) => ({
      ...answer,
      body: { code: 'invalid_request', status: 400n },
    })),
  },
  {
    id: 'added-fourth-id-again',
    summary: 'ids are reserved in blocks of three, and the fourth animal gets the last id again',
    violates: ['createPet.id'],
    ...creatingOther((animal, { recall }) => {
      const reserved = recall('ids of a block', () => ({ used: 0 }));
      reserved.used += 1;
      return reserved.used === 4 ? { ...animal, id: animal.id - 1n } : animal;
    }),
  },
  {
    id: 'added-seventh-lost',
    summary: 'a buffer holds six added animals: the seventh is not stored',
    violates: ['getPet.200'],
    store: {
      keep: (animal, { recall }) => {
        const buffer = recall('animals buffered', () => ({ count: 0 }));
        buffer.count += 1;
        return buffer.count === 7 ? undefined : animal;
      },
    },
  },
];
