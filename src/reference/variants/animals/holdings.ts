import type { Change } from '../../changes/change.ts';
import { combined, onList, onRead } from '../../changes/changes.ts';
import type { Call } from '../../http/call.ts';
import type { Animal, PetStatus } from '../../store.ts';
import { PET_STATUSES } from '../../store.ts';
import { LAG, MAXIMUM } from '../freedoms.ts';
import { allowedBy, type Variant, variantOf } from '../variant.ts';
import { type AnimalSelection, FIRST, filteringLate, from, holding, LAST_SEEDED } from './listing.ts';

const HOLDINGS = 'What the service does: "The service keeps a catalogue of animals", without a stated size';
const OPTIONAL = 'Resources and their fields, NewPet: status is not required';
const OTHERS = 'What the service does: other clients also add and remove animals';

const sizes = [0, 1, 19, 20, 21, 99, 100, 10_000].map((animals) =>
  variantOf(`animals-${animals}`, `the store starts with ${animals} animals`, HOLDINGS, {
    settings: { animals },
  }),
);

function ofStatus(kept: PetStatus | undefined) {
  return ({ status: _, ...animal }: Animal): Animal =>
    kept === undefined ? animal : { ...animal, status: kept };
}

/** The first animals change their status with every request. */
const traded: AnimalSelection = (animals, { number }) =>
  animals.map((animal) => {
    if (animal.id > 1003n) return animal;
    const status = PET_STATUSES[(Number(animal.id) + number) % PET_STATUSES.length];
    return status === undefined ? animal : { ...animal, status };
  });

/** A lagging list omits animals that were added within the last five seconds, or so many ms. */
function lagging(isLate: (query: { status?: PetStatus | undefined }) => boolean, ms = 5_000): Change {
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
          call.store.all().filter(({ id }) => !isLate(query) || call.now - (addedAt(call).get(id) ?? 0) > ms),
        ),
    },
  };
}

/** Another client deletes the first animal as soon as it has been listed. */
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

/** Another client renames the first animal as soon as it has been listed. */
const renamed = holding((animal, { number }) =>
  animal.id === FIRST && number > 1 ? { ...animal, name: 'Luna II', categoryId: 4711n } : animal,
);

/** Every fourth request another client deletes the last animal of the beginning that is left. */
const shrinking: Change = {
  store: {
    list: (query, next, call) =>
      next(
        query,
        call.store.all().filter(({ id }) => !isDeleted(id, call)),
      ),
    read: (animal, id, call) => (isDeleted(id, call) ? undefined : animal),
  },
};
const isDeleted = (id: bigint, { number }: Call) =>
  id <= LAST_SEEDED && id > LAST_SEEDED - BigInt(Math.floor(number / 4));

/** An added animal goes from available to pending to sold by itself; lists show its present status. */
const advancing: AnimalSelection = (animals, { number }) =>
  animals.map((animal) => {
    if (animal.id <= LAST_SEEDED || !animal.status) return animal;
    const left = PET_STATUSES.slice(PET_STATUSES.indexOf(animal.status));
    const status = left[Math.min(left.length - 1, Math.floor(number / 12))];
    return status === undefined ? animal : { ...animal, status };
  });

/** The statuses that animals of the beginning had yesterday. */
const yesterday: AnimalSelection = (animals) =>
  animals.map((animal) => {
    if (animal.id > LAST_SEEDED || !animal.status) return animal;
    const before = PET_STATUSES.at(PET_STATUSES.indexOf(animal.status) - 1);
    return before === undefined ? animal : { ...animal, status: before };
  });

/** A list with a filter shows one in four animals of the beginning with the status of yesterday. */
const filteredYesterday: Change = onList((query, next, call) => {
  const today = call.store.all();
  const before = yesterday(today, call);
  const copied = today.map((animal, index) => (animal.id % 4n === 0n ? (before[index] ?? animal) : animal));
  return next(query, query.status === undefined ? today : copied);
});

/** An added animal is sold once the store has had fifty requests. */
const soldLater = (animal: Animal, { number }: Call): Animal =>
  animal.id > LAST_SEEDED && animal.status && number > 50 ? { ...animal, status: 'sold' } : animal;

/** Every fourth animal has the next status after each eight requests, also one that was just added. */
const movedOn = (animal: Animal, { number }: Call): Animal => {
  if (animal.id % 4n !== 0n || !animal.status) return animal;
  const place = PET_STATUSES.indexOf(animal.status) + Math.floor(number / 8);
  const status = PET_STATUSES[place % PET_STATUSES.length];
  return status === undefined ? animal : { ...animal, status };
};

/** Both lists and fetches show what becomes of an animal. */
const becoming = (change: (animal: Animal, call: Call) => Animal): Change => ({
  store: {
    list: (query, next, call) =>
      next(
        query,
        call.store.all().map((animal) => change(animal, call)),
      ),
    read: (animal, _, call) => animal && change(animal, call),
  },
});

/** Other clients add an animal with each request. */
const FIRST_OF_OTHERS = 500_000n;
const ofOthers = (id: bigint): Animal => ({ id, name: 'Rex', categoryId: 2n });

/** Other clients delete the first fifty animals, an animal with each request. */
const isGone = (id: bigint, { number }: Call) => id < FIRST + BigInt(Math.min(number, 50));

/** With each request, one of the first animals disappears, and another client adds one. */
const coming: AnimalSelection = (animals, call) => [
  ...animals.filter(({ id }) => !isGone(id, call)),
  ...Array.from({ length: call.number }, (_, index) => ofOthers(FIRST_OF_OTHERS + BigInt(index))),
];
const busy: Change = combined(
  from(coming),
  onRead((animal, id, call) => {
    const isOfOthers = id >= FIRST_OF_OTHERS && id < FIRST_OF_OTHERS + BigInt(call.number);
    if (isOfOthers) return ofOthers(id);
    return isGone(id, call) ? undefined : animal;
  }),
);

const holdings = [
  variantOf(
    'animals-all-sold',
    'the store starts with sold animals only',
    HOLDINGS,
    holding(ofStatus('sold')),
  ),
  variantOf(
    'animals-without-status',
    'the store starts with animals without a status',
    OPTIONAL,
    holding(ofStatus(undefined)),
  ),
  variantOf(
    'animals-all-sold-filter-within-page',
    'the store starts with sold animals only, and the filter searches only the first page',
    MAXIMUM,
    holding(ofStatus('sold')),
    filteringLate,
  ),
  ...allowedBy('States and transitions: "Transitions: not shown."', {
    'animals-traded': [
      'the three animals of the store keep changing their status',
      { settings: { animals: 3 } },
      from(traded),
    ],
    'animals-advance': [
      'added animals go from one status to the next by themselves',
      { settings: { animals: 50 } },
      from(advancing),
    ],
    'animals-sold-later': [
      'added animals are sold by themselves after a while; lists and fetches show it',
      becoming(soldLater),
    ],
    'statuses-move-on': [
      'every fourth animal keeps changing its status, also one that was just added',
      becoming(movedOn),
    ],
  }),
  ...allowedBy(OTHERS, {
    'animal-deleted': ['another client deletes the first animal after it was listed', deleted],
    'animals-deleted-steadily': [
      'another client deletes one animal after the other, the last ones first',
      shrinking,
    ],
    'animal-changed': ['another client renames the first animal after it was listed', renamed],
    'animals-come-and-go-few': [
      'other clients keep adding and removing animals in a small store',
      { settings: { animals: 60 } },
      busy,
    ],
  }),
  ...allowedBy(LAG, {
    'filter-lags': [
      'the filter finds an animal only five seconds after its addition',
      { settings: { animals: 50 } },
      lagging(({ status }) => status !== undefined),
    ],
    'filter-lags-empty': [
      'the store is empty, and the filter finds an animal only five seconds after its addition',
      { settings: { animals: 0 } },
      lagging(({ status }) => status !== undefined),
    ],
    'lists-never-add': [
      'lists come from a nightly copy, without the animals added today',
      from((animals) => animals.filter(({ id }) => id <= LAST_SEEDED)),
    ],
  }),
  ...allowedBy('States and transitions: "Transitions: not shown."', {
    'lists-yesterday': [
      'lists come from a nightly copy: they filter by the statuses of yesterday, and show them',
      from(yesterday),
    ],
    'filters-yesterday': [
      'lists with a filter come from a nightly copy, and one in four animals has changed its status since',
      filteredYesterday,
    ],
  }),
  variantOf('animals-come-and-go', 'other clients keep adding and removing animals', OTHERS, busy),
  ...allowedBy(LAG, {
    'list-lags': [
      'an animal is listed only five seconds after its addition',
      { settings: { animals: 50 } },
      lagging(() => true),
    ],
    'list-lags-second': [
      'an animal is listed only a second after its addition',
      { settings: { animals: 50 } },
      lagging(() => true, 1_000),
    ],
    'list-lags-empty': [
      'the store is empty, and an animal is listed only five seconds after its addition',
      { settings: { animals: 0 } },
      lagging(() => true),
    ],
  }),
];

/** Stores with other animals than the reference's that conform. */
export const holdingsVariants: readonly Variant[] = [...sizes, ...holdings];
