import { onAnswer } from '../../changes/changes.ts';
import type { Where } from '../../changes/where.ts';
import type { Call } from '../../http/call.ts';
import { type BigIntJson, isObject } from '../../http/json.ts';
import { checkNewPet } from '../../validation.ts';
import type { Fault } from '../fault.ts';

/** A store so small that a page shows what a refused request left in it. */
const SMALL = { animals: 50 };

/** Stores the animal of a body, if the body has one. */
function store({ store: animals }: Call, body: BigIntJson | undefined): void {
  const pet = checkNewPet(body);
  if ('value' in pet) animals.put({ id: animals.nextId(), ...pet.value });
}

/** Refuses an addition as usual, and stores the animal of its body all the same. */
const storing = (
  where: Where,
  change: (body: BigIntJson | undefined) => BigIntJson | undefined = (body) => body,
) =>
  onAnswer({ operation: 'createPet', ...where }, (answer, call) => {
    store(call, change(call.body));
    return answer;
  });

const hasScheme = ({ headers }: Call) => /^basic /i.test(headers.authorization ?? '');

/** POST /pets: what is refused is stored, or what is added once is stored twice. */
export const refusedFaults: readonly Fault[] = [
  {
    id: 'refused-key-stored',
    summary: 'the key is checked after the addition: without the right one it gets 401 and is stored',
    violates: ['authentication.key'],
    settings: SMALL,
    ...storing({ status: 401 }),
  },
  {
    id: 'refused-key-stored-beyond-page',
    summary: 'without the right key an addition gets 401 and is stored: only lists with a filter reach it',
    violates: ['authentication.key'],
    ...storing({ status: 401 }),
  },
  {
    id: 'refused-scheme-stored',
    summary: 'an addition with the scheme Basic gets 401 and is stored',
    violates: ['authentication.key'],
    settings: SMALL,
    seeds: [0, 3, 6],
    ...storing({ status: 401, when: hasScheme }),
  },
  {
    id: 'refused-status-stored',
    summary: 'a wrong status gets 400, and the animal is stored without a status',
    violates: ['createPet.400'],
    settings: SMALL,
    ...storing({ status: 400 }, (body) => {
      if (!isObject(body)) return body;
      const { status: _, ...others } = body;
      return others;
    }),
  },
  {
    id: 'refused-category-stored',
    summary: 'a body without categoryId gets 400 after its animal was stored with category 1',
    violates: ['createPet.400'],
    settings: SMALL,
    ...storing({ status: 400 }, (body) =>
      isObject(body) && body.categoryId === undefined ? { categoryId: 1n, ...body } : undefined,
    ),
  },
  {
    id: 'added-twice',
    summary: 'each addition is stored twice, with two ids',
    violates: ['createPet.id'],
    settings: SMALL,
    store: {
      keep: (animal, call) => {
        call.store.put({ ...animal, id: call.store.nextId() });
        return animal;
      },
    },
  },
  {
    id: 'added-twice-sold',
    summary: 'the addition of a sold animal is stored twice, with two ids',
    violates: ['createPet.id'],
    settings: SMALL,
    store: {
      keep: (animal, call) => {
        if (animal.status === 'sold') call.store.put({ ...animal, id: call.store.nextId() });
        return animal;
      },
    },
  },
];
