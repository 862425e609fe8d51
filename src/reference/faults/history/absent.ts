import { withObject } from '../../changes/changes.ts';
import type { Call } from '../../http/call.ts';
import { isObject } from '../../http/json.ts';
import { checkNewPet } from '../../validation.ts';
import type { Fault } from '../fault.ts';

const ANIMALS = { operation: ['listPets', 'createPet', 'getPet'], status: [200, 201] } as const;

/** The ids that were asked for before an animal had them. */
const missed = ({ recall }: Call) => recall('ids not found', () => new Set<bigint>());

/** What passes for absent: an id that nothing had before, a refused animal, an empty text, a zero. */
const faults: readonly Omit<Fault, 'isAfterRecovery'>[] = [
  {
    id: 'missing-id-kept',
    summary: 'a cache keeps that an id was not found: the animal that gets the id later is not found either',
    violates: ['getPet.200'],
    store: {
      read: (animal, id, call) => {
        if (!animal) missed(call).add(id);
        return missed(call).has(id) ? undefined : animal;
      },
    },
  },
  {
    id: 'refused-for-status-added',
    summary:
      'an animal is added before its status is checked, and stays although it is refused: lists show the oldest first',
    violates: ['createPet.400'],
    around: async (call, next) => {
      const answer = await next(call);
      if (call.operation !== 'createPet' || answer.status !== 400 || !isObject(call.body)) return answer;
      const { status, ...others } = call.body;
      const animal = checkNewPet(others);
      if (status !== undefined && 'value' in animal)
        call.store.put({ id: call.store.nextId(), ...animal.value });
      return answer;
    },
  },
  {
    id: 'empty-name-left-out',
    summary: 'an empty name is left out of responses, as a serializer omits empty values',
    violates: ['Pet.name'],
    ...withObject(ANIMALS, ({ name, ...others }) =>
      name === '' || name === undefined ? others : { ...others, name },
    ),
  },
  {
    id: 'category-zero-left-out',
    summary: 'a categoryId of 0 is left out of responses, as a serializer omits empty values',
    violates: ['Pet.categoryId'],
    seeds: [0, 2, 8],
    ...withObject(ANIMALS, ({ categoryId, ...others }) =>
      categoryId === 0n || categoryId === undefined ? others : { ...others, categoryId },
    ),
  },
  {
    id: 'category-minus-one-left-out',
    summary: 'a categoryId of -1 stands for none, and is left out of responses',
    violates: ['Pet.categoryId'],
    ...withObject(ANIMALS, ({ categoryId, ...others }) =>
      categoryId === -1n || categoryId === undefined ? others : { ...others, categoryId },
    ),
  },
];

export const absentFaults: readonly Fault[] = faults.map((each) => ({ ...each, isAfterRecovery: true }));
