import type { Animal } from '../../animal.ts';
import { answering, withBody } from '../../changes/changes.ts';
import type { CallWhere } from '../../changes/where.ts';
import { errorAnswer } from '../../http/answer.ts';
import type { Call } from '../../http/call.ts';
import { isObject } from '../../http/json.ts';
import { crash } from '../building-blocks.ts';
import type { Fault } from '../fault.ts';
import { following, ofService } from './following.ts';

const MESSAGE = { operation: 'sendMessage', status: 202 } as const;
const LISTED = { operation: 'listPets', status: 200 } as const;
const FETCHED = { operation: 'getPet', status: 200 } as const;

const shownIn = (call: Call) => call.recall('shown with a filter', () => new Set<bigint>());
/** Whether an animal was fetched before. From now on it was. */
const isFetchedAgain = (call: Call, { id }: Animal) => {
  const known = call.recall('fetched before', () => new Set<bigint>());
  return known.size === known.add(id).size;
};

/** The list without parameters, when it is requested again. */
const PLAIN_AGAIN: CallWhere = {
  operation: 'listPets',
  key: 'valid',
  when: ({ query, log, number, path }) =>
    query.size === 0 &&
    log.some(
      (each) => each.number < number && each.path === path && each.status === 200 && each.method === 'GET',
    ),
};

/** An accepted message between two reads. */
const messages: readonly Fault[] = [
  {
    id: 'message-then-fetch-404',
    summary: 'a fetch directly after an accepted message looks for the animal in the queue: 404',
    violates: ['getPet.200'],
    ...following(ofService, MESSAGE, FETCHED, (answer) => ({
      ...answer,
      status: 404,
      body: errorAnswer(404, 'not_found', 'no animal has this id').body,
    })),
  },
  {
    id: 'message-then-list-body',
    summary: 'a list directly after an accepted message has the message as its body',
    violates: ['listPets.200.body'],
    ...following(ofService, MESSAGE, LISTED, (answer, { body }) => ({ ...answer, body })),
  },
  {
    id: 'message-then-list-names',
    summary: 'in a list directly after an accepted message, the first animal has no name',
    violates: ['Pet.name'],
    ...following(ofService, MESSAGE, LISTED, (answer) => {
      const [first, ...rest] = Array.isArray(answer.body) ? answer.body : [];
      return isObject(first) ? { ...answer, body: [{ ...first, name: null }, ...rest] } : answer;
    }),
  },
];

/** An animal that is fetched again. */
const fetches: readonly Fault[] = [
  {
    id: 'again-fetch-lower-case',
    summary: 'an animal that is fetched again comes from a cache, with its name in lower case',
    violates: ['getPet.stored'],
    store: {
      read: (animal, _, call) =>
        animal && isFetchedAgain(call, animal) ? { ...animal, name: animal.name.toLowerCase() } : animal,
    },
  },
  {
    id: 'again-fetch-404',
    summary: 'an animal expires 20 requests after its first fetch: 404',
    violates: ['getPet.200'],
    store: {
      read: (animal, _, call) => {
        const firstFetch = call.recall('first fetches', () => new Map<bigint, number>());
        if (!animal) return undefined;
        const first = firstFetch.get(animal.id) ?? call.number;
        firstFetch.set(animal.id, first);
        return call.number > first + 20 ? undefined : animal;
      },
    },
  },
  {
    id: 'again-fetch-status',
    summary:
      'an animal that a filtered list showed is fetched from the cache of that list, without its status',
    violates: ['getPet.stored'],
    store: {
      list: (query, next, call) => {
        const page = next(query);
        if (query.status) for (const { id } of page) shownIn(call).add(id);
        return page;
      },
      read: (animal, _, call) => {
        if (!animal || !shownIn(call).has(animal.id)) return animal;
        const { status: _status, ...rest } = animal;
        return rest;
      },
    },
  },
];

/** The first list of all, requested again. */
const lists: readonly Fault[] = [
  {
    id: 'again-list-500',
    summary: 'the list without parameters is answered once: the next time a closed cursor fails with 500',
    violates: ['listPets.200'],
    ...answering(PLAIN_AGAIN, crash),
  },
  {
    id: 'again-list-empty',
    summary:
      'the list without parameters continues after the last animal when it is requested again: it is empty',
    violates: ['listPets.limit.default'],
    ...withBody({ ...PLAIN_AGAIN, status: 200 }, () => []),
  },
  {
    id: 'again-list-names',
    summary: 'the list without parameters comes from a cache the next time, with all names in upper case',
    violates: ['listPets.stored'],
    ...withBody({ ...PLAIN_AGAIN, status: 200 }, (body) =>
      Array.isArray(body)
        ? body.map((each) => (isObject(each) ? { ...each, name: String(each.name).toUpperCase() } : each))
        : body,
    ),
  },
];

/** What reads differently when it is requested again, or after a message. */
export const againFaults: readonly Fault[] = [...messages, ...fetches, ...lists];
