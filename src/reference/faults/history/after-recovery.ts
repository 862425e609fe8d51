import { answering, onRead, withHeader, withObject, withoutHeader } from '../../changes/changes.ts';
import type { Call } from '../../http/call.ts';
import { isObject } from '../../http/json.ts';
import type { Animal } from '../../store.ts';
import { checkNewPet } from '../../validation.ts';
import { type Fault, violating } from '../fault.ts';
import { crashing, page, rejecting, throughDouble } from '../mistakes.ts';
import { ANIMALS, creating, naming } from '../requests.ts';

/** Requests after the first 429, and after the request that shows the recovery. */
const isLater = ({ log }: Call) => {
  const refused = log.findIndex(({ status }) => status === 429);
  return refused >= 0 && log.length - refused > 4;
};

/** ms since an animal was added; 0 for an animal from before the run. */
function ageOf(id: bigint, { now, recall }: Call): number {
  return now - (recall('times of additions', () => new Map<bigint, number>()).get(id) ?? now);
}

const isRepeated = (name: string, index: number, all: readonly string[]) => all.indexOf(name) < index;

const HALF_A_MINUTE = 30_000;

/** The ids of the first thirty animals are those that a double can hold. */
const FIRST_ID = 2n ** 53n - 30n;

/** What changes about an animal half a minute after it was added, by the read of its id. */
const later = (change: (animal: Animal) => Animal | undefined): Pick<Fault, 'store'> => ({
  store: {
    keep: (animal, { now, recall }) => {
      recall('times of additions', () => new Map<bigint, number>()).set(animal.id, now);
      return animal;
    },
    read: (animal, id, call) => (animal && ageOf(id, call) > HALF_A_MINUTE ? change(animal) : animal),
  },
});

/** Faults that only requests after the recovery show: there is no room for them before. */
const afterRecovery: readonly Omit<Fault, 'isAfterRecovery'>[] = [
  ...violating('listPets.responses', {
    'cursor-crashes': [
      'GET /pets fails if the query has a cursor',
      crashing({ operation: 'listPets', when: ({ query }) => query.has('cursor') }),
    ],
    'brackets-in-name-crash': [
      'GET /pets fails if the name of a parameter has brackets',
      crashing({
        operation: 'listPets',
        when: ({ query }) => [...query.keys()].some((name) => name.includes('[')),
      }),
    ],
  }),
  {
    id: 'browser-gets-page',
    summary: 'GET /pets returns a page if Accept begins with text/html',
    violates: ['service.content-type'],
    ...answering(
      { operation: 'listPets', when: ({ headers }) => /^text\/html/.test(headers.accept ?? '') },
      () => page(200),
    ),
  },
  {
    id: 'none-match-crashes',
    summary: 'GET /pets fails if the request has If-None-Match',
    violates: ['listPets.responses'],
    ...crashing({ operation: 'listPets', when: ({ headers }) => headers['if-none-match'] !== undefined }),
  },
  {
    id: 'orders-cookie-crashes',
    summary: 'GET /store/orders fails if the request has a cookie with an open quote',
    violates: ['getStoreOrders.responses'],
    ...crashing({
      operation: 'getStoreOrders',
      when: ({ headers }) => /="[^"]*$/.test(headers.cookie ?? ''),
    }),
  },
  ...violating('createPet.responses', {
    'prototype-field-crashes': [
      'POST /pets fails if the body has a field __proto__',
      crashing({
        operation: 'createPet',
        when: ({ bodyText }) => bodyText?.includes('"__proto__"') === true,
      }),
    ],
    'nested-field-crashes': [
      'POST /pets fails if an unknown field is an object',
      crashing({ operation: 'createPet', when: ({ body }) => isObject(body) && isObject(body.owner) }),
    ],
  }),
  ...violating('listPets.responses', {
    'broken-percent-crashes': [
      'GET /pets fails if a percent sign in the query escapes nothing',
      crashing({ operation: 'listPets', when: ({ target }) => /%(?![\da-f]{2})/i.test(target) }),
    ],
    'broken-accept-crashes': [
      'GET /pets fails if Accept has a part that is no media type',
      crashing({
        operation: 'listPets',
        when: ({ headers: { accept } }) =>
          accept !== undefined && /(?:^|,)\s*[^,/]*\/?\s*(?:,|$)/.test(accept),
      }),
    ],
  }),
  {
    id: 'foreign-referer-page',
    summary: 'GET /pets returns a page to a Referer of another site',
    violates: ['service.content-type'],
    ...answering({ operation: 'listPets', when: ({ headers }) => headers.referer !== undefined }, () =>
      page(200),
    ),
  },
  {
    id: 'name-zero-refused',
    summary: 'the name "0" is refused, as in a language in which it is false',
    violates: ['createPet.201'],
    ...rejecting(
      naming((name) => name === '0'),
      'name is required',
    ),
  },
  {
    id: 'status-true-crashes',
    summary: 'POST /pets fails if the status is true, as where true equals any text',
    violates: ['createPet.400'],
    ...crashing(creating(({ status }) => status === true)),
  },
  {
    id: 'fetch-older-through-double',
    summary:
      'GET /pets/{petId} takes the id for a double, and so finds every other animal beyond 2^53; a cache has the new ones',
    violates: ['getPet.200'],
    settings: { firstId: FIRST_ID },
    ...onRead((animal, id) => (id < FIRST_ID + 120n && throughDouble(id) !== id ? undefined : animal)),
  },
  ...violating('createPet.400', {
    'duplicate-name-crashes': [
      'POST /pets fails if the body has a field twice',
      crashing({ operation: 'createPet', when: ({ bodyText = '' }) => /^\{("\w+":)[^,]*,\1/.test(bodyText) }),
      { plan: 'pro' },
    ],
    'other-case-crashes': [
      'POST /pets fails if the names of two fields differ in case alone',
      crashing({
        operation: 'createPet',
        when: ({ body }) =>
          isObject(body) &&
          Object.keys(body)
            .map((name) => name.toLowerCase())
            .some(isRepeated),
      }),
      { plan: 'pro' },
    ],
    'byte-order-mark-crashes': [
      'POST /pets fails if the body begins with a byte order mark',
      crashing({ operation: 'createPet', when: ({ bodyText }) => bodyText?.startsWith('\ufeff') === true }),
      { plan: 'pro' },
    ],
  }),
  {
    id: 'not-compressed-crashes',
    summary: 'POST /pets fails if the body is not compressed as Content-Encoding says',
    plan: 'pro',
    violates: ['createPet.responses'],
    ...crashing({ operation: 'createPet', when: ({ headers }) => headers['content-encoding'] !== undefined }),
  },
  {
    id: 'forgets-after-half-a-minute',
    summary: 'GET /pets/{petId} no longer finds an animal that was added half a minute ago',
    violates: ['getPet.200'],
    ...later(() => undefined),
  },
  {
    id: 'status-lost-after-half-a-minute',
    summary: 'GET /pets/{petId} returns an animal that was added half a minute ago without its status',
    violates: ['getPet.stored'],
    ...later(({ status: _, ...animal }) => animal),
  },
  {
    id: 'limit-header-lost-after-recovery',
    summary: 'X-RateLimit-Limit is missing soon after the recovery',
    violates: ['X-RateLimit-Limit'],
    ...withoutHeader({ when: isLater }, 'X-RateLimit-Limit'),
  },
  {
    id: 'type-lost-after-recovery',
    summary: 'Content-Type is text/plain soon after the recovery',
    violates: ['service.content-type'],
    ...withHeader({ when: isLater }, 'Content-Type', 'text/plain'),
  },
];

export const afterRecoveryFaults: readonly Fault[] = afterRecovery.map((fault) => ({
  ...fault,
  isAfterRecovery: true,
}));

/** The ids that were asked for before an animal had them. */
const missed = ({ recall }: Call) => recall('ids not found', () => new Set<bigint>());

/** What passes for absent: an id that nothing had before, a refused animal, an empty text, a zero. */
const absent: readonly Omit<Fault, 'isAfterRecovery'>[] = [
  {
    id: 'missing-id-kept',
    summary: 'a cache keeps that an id was not found: the animal that gets the id later is not found either',
    violates: ['getPet.200'],
    ...onRead((animal, id, call) => {
      if (!animal) missed(call).add(id);
      return missed(call).has(id) ? undefined : animal;
    }),
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
  ...violating('Pet.categoryId', {
    'category-zero-left-out': [
      'a categoryId of 0 is left out of responses, as a serializer omits empty values',
      withObject(ANIMALS, ({ categoryId, ...others }) =>
        categoryId === 0n || categoryId === undefined ? others : { ...others, categoryId },
      ),
    ],
    'category-minus-one-left-out': [
      'a categoryId of -1 stands for none, and is left out of responses',
      withObject(ANIMALS, ({ categoryId, ...others }) =>
        categoryId === -1n || categoryId === undefined ? others : { ...others, categoryId },
      ),
      { seeds: [0, 2, 8] },
    ],
  }),
];

export const absentFaults: readonly Fault[] = absent.map((fault) => ({ ...fault, isAfterRecovery: true }));
