import { withObject } from '../../changes/changes.ts';
import type { Call } from '../../http/call.ts';
import type { Fault } from '../fault.ts';

const ANIMALS = { operation: ['listPets', 'createPet', 'getPet'], status: [200, 201] } as const;

/** The ids that were asked for before an animal had them. */
const missed = ({ recall }: Call) => recall('ids not found', () => new Set<bigint>());

/** What passes for absent: an id that nothing had before, an empty text, a zero. */
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
    ...withObject(ANIMALS, ({ categoryId, ...others }) =>
      categoryId === 0n || categoryId === undefined ? others : { ...others, categoryId },
    ),
  },
];

export const absentFaults: readonly Fault[] = faults.map((each) => ({ ...each, isAfterRecovery: true }));
