import type { Animal, PetStatus } from '../../animal.ts';
import { PET_STATUSES } from '../../animal.ts';
import type { Change } from '../../changes/change.ts';
import type { Call } from '../../http/call.ts';
import { type Variant, variantOf } from '../variant.ts';
import { FIRST, filteringLate, from, holding, LAST_SEEDED, type Selection } from './listing.ts';

const HOLDINGS = 'What the service does: "The service keeps a catalogue of animals", of no stated size';
const OPTIONAL = 'Resources and their fields, NewPet: status is not required';
const MAXIMUM = 'GET /pets (listPets): limit is the "Maximum number of animals to return", not the exact one';
const LAG = 'GET /pets (listPets): when an animal that was added is listed is not said';
const OTHERS = 'What the service does: others add and remove animals, too';

const sizes = [0, 1, 19, 20, 21, 99, 100, 10_000].map((animals) =>
  variantOf(`animals-${animals}`, `the store holds ${animals} animals at first`, HOLDINGS, {
    settings: { animals },
  }),
);

function ofStatus(kept: PetStatus | undefined) {
  return ({ status: _, ...animal }: Animal): Animal =>
    kept === undefined ? animal : { ...animal, status: kept };
}

/** Statuses of the animals that were there at first go round with every request. */
const traded: Selection = (animals, { number }) =>
  animals.map((animal) => {
    if (animal.id > 1003n) return animal;
    const status = PET_STATUSES[(Number(animal.id) + number) % PET_STATUSES.length];
    return status === undefined ? animal : { ...animal, status };
  });

/** What was added within the last five seconds is in no list yet that lags. */
function lagging(isLate: (query: { status?: PetStatus | undefined }) => boolean): Change {
  const addedAt = (call: Call) => call.recall('lagging', () => new Map<bigint, number>());
  return {
    store: {
      keep: (animal, call) => {
        addedAt(call).set(animal.id, call.now);
        return animal;
      },
      list: (query, next, call) =>
        next(
          query,
          call.store
            .all()
            .filter(({ id }) => !isLate(query) || call.now - (addedAt(call).get(id) ?? 0) > 5_000),
        ),
    },
  };
}

/** The first animal is deleted by another client as soon as it was listed. */
const deleted: Change = {
  store: {
    list: (query, next, call) =>
      next(
        query,
        call.store.all().filter(({ id }) => id !== FIRST || call.number === 1),
      ),
    read: (animal) => (animal?.id === FIRST ? undefined : animal),
  },
};

/** The first animal gets another name, from another client, as soon as it was listed. */
const renamed = holding((animal, { number }) =>
  animal.id === FIRST && number > 1 ? { ...animal, name: 'Luna II', categoryId: 4711n } : animal,
);

/** An animal that was added as available is reserved, and sold, before long: lists show how far it is. */
const advancing: Selection = (animals, { number }) =>
  animals.map((animal) => {
    if (animal.id <= LAST_SEEDED || !animal.status) return animal;
    const left = PET_STATUSES.slice(PET_STATUSES.indexOf(animal.status));
    const status = left[Math.min(left.length - 1, Math.floor(number / 12))];
    return status === undefined ? animal : { ...animal, status };
  });

/** With each request an animal that was there at first goes, and another client adds one. */
const busy: Selection = (animals, { number }) => [
  ...animals.filter(({ id }) => id > LAST_SEEDED || id >= 1001n + BigInt(number)),
  ...Array.from({ length: number }, (_, index) => ({
    id: 500_000n + BigInt(index),
    name: 'Rex',
    categoryId: 2n,
  })),
];

const holdings = [
  variantOf('animals-all-sold', 'every animal was sold before', HOLDINGS, holding(ofStatus('sold'))),
  variantOf(
    'animals-without-status',
    'no animal had a status before',
    OPTIONAL,
    holding(ofStatus(undefined)),
  ),
  variantOf(
    'animals-all-sold-filter-within-page',
    'every animal was sold before, and the filter keeps what it finds among the first animals',
    MAXIMUM,
    holding(ofStatus('sold')),
    filteringLate,
  ),
  variantOf(
    'animals-traded',
    'the three animals of the store change their status all the time',
    'States and transitions: "Transitions: not shown."',
    { settings: { animals: 3 } },
    from(traded),
  ),
  variantOf(
    'animals-advance',
    'what was added goes on from one status to the next by itself',
    'States and transitions: "Transitions: not shown."',
    { settings: { animals: 50 } },
    from(advancing),
  ),
  variantOf('animal-deleted', 'somebody deletes the first animal once it was listed', OTHERS, deleted),
  variantOf('animal-changed', 'somebody renames the first animal once it was listed', OTHERS, renamed),
  variantOf(
    'animals-come-and-go-few',
    'others add and remove animals of a small store all the time',
    OTHERS,
    { settings: { animals: 60 } },
    from(busy),
  ),
  variantOf(
    'filter-lags',
    'the filter finds an animal five seconds after it was added',
    LAG,
    { settings: { animals: 50 } },
    lagging(({ status }) => status !== undefined),
  ),
  variantOf(
    'filter-lags-empty',
    'the store is empty, and the filter finds an animal five seconds after it was added',
    LAG,
    { settings: { animals: 0 } },
    lagging(({ status }) => status !== undefined),
  ),
  variantOf(
    'lists-never-add',
    'lists come from a copy that is made at night: what was added today is not in them',
    LAG,
    from((animals) => animals.filter(({ id }) => id <= LAST_SEEDED)),
  ),
  variantOf('animals-come-and-go', 'others add and remove animals all the time', OTHERS, from(busy)),
  variantOf(
    'list-lags',
    'an animal is listed five seconds after it was added',
    LAG,
    { settings: { animals: 50 } },
    lagging(() => true),
  ),
  variantOf(
    'list-lags-empty',
    'the store is empty, and an animal is listed five seconds after it was added',
    LAG,
    { settings: { animals: 0 } },
    lagging(() => true),
  ),
];

/** Stores that hold other animals than the reference's own and conform. */
export const holdingsVariants: readonly Variant[] = [...sizes, ...holdings];
