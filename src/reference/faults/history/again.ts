import type { CallWhere } from '../../changes/change.ts';
import { onList, onRead, withBody } from '../../changes/changes.ts';
import { errorAnswer } from '../../http/answer.ts';
import type { Call } from '../../http/call.ts';
import { isObject } from '../../http/json.ts';
import { type Fault, violating } from '../fault.ts';
import { crashing } from '../mistakes.ts';
import { FETCHED, LISTED } from '../requests.ts';
import { following, ofService } from './following.ts';

const MESSAGE = { operation: 'sendMessage', status: 202 } as const;

/** How often each animal was fetched, this time included. */
function fetchesOf(call: Call, id: bigint): number {
  const counts = call.recall('fetches by id', () => new Map<bigint, Set<number>>());
  const numbers = counts.get(id) ?? new Set();
  counts.set(id, numbers.add(call.number));
  return numbers.size;
}

const shownIn = (call: Call) => call.recall('shown with a filter', () => new Set<bigint>());

/** The list without parameters, when it is requested again. */
const PLAIN_AGAIN: CallWhere = {
  operation: 'listPets',
  key: 'valid',
  when: ({ query, log, number, path }) =>
    query.size === 0 &&
    log.some(
      (entry) =>
        entry.number < number && entry.path === path && entry.status === 200 && entry.method === 'GET',
    ),
};

/** An accepted message between two reads. Which read follows it depends on whether a seed is even. */
const messages: readonly Fault[] = [
  {
    id: 'message-then-fetch-401',
    summary: 'a message ends the session of its key: a fetch directly after it is refused with 401',
    violates: ['getPet.200'],
    seeds: [1, 3, 5, 7],
    ...following(ofService, MESSAGE, FETCHED, (answer) => ({
      ...answer,
      status: 401,
      body: errorAnswer(401, 'unauthorized', 'the session is over').body,
    })),
  },
  {
    id: 'message-then-fetch-name',
    summary: 'a fetch directly after an accepted message has the text of the message as its name',
    violates: ['getPet.stored'],
    seeds: [1, 3, 5, 7],
    ...following(ofService, MESSAGE, FETCHED, (answer, { body }) =>
      isObject(answer.body) && isObject(body)
        ? { ...answer, body: { ...answer.body, name: body.message ?? null } }
        : answer,
    ),
  },
  {
    id: 'message-then-list-body',
    summary: 'a list directly after an accepted message has the message as its body',
    violates: ['listPets.200.body'],
    seeds: [0, 2, 4, 6],
    ...following(ofService, MESSAGE, LISTED, (answer, { body }) => ({ ...answer, body })),
  },
  {
    id: 'message-then-list-names',
    summary: 'in a list directly after an accepted message, the first animal has no name',
    violates: ['Pet.name'],
    seeds: [0, 2, 4, 6],
    ...following(ofService, MESSAGE, LISTED, (answer) => {
      const [first, ...rest] = Array.isArray(answer.body) ? answer.body : [];
      return isObject(first) ? { ...answer, body: [{ ...first, name: null }, ...rest] } : answer;
    }),
  },
];

/** An animal that is fetched again. */
const fetches: readonly Fault[] = [
  ...violating('getPet.stored', {
    'again-fetch-status': [
      'an animal that a filtered list showed is fetched from the cache of that list, without its status',
      {
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
    ],
    'again-fetch-partly': [
      'an animal that is fetched for the second time comes from a cache that leaves out its status',
      onRead((animal, id, call) => {
        if (!animal || fetchesOf(call, id) < 2) return animal;
        const { status: _, ...rest } = animal;
        return rest;
      }),
      { plan: 'free' },
    ],
  }),
  ...violating('getPet.200', {
    'again-fetch-evicted': [
      'only the seven animals that were added last are kept: an earlier one is found only until then',
      {
        store: {
          keep: (animal, call) => {
            call.recall('animals kept', () => [] as bigint[]).push(animal.id);
            return animal;
          },
          read: (animal, id, call) => {
            const kept = call.recall('animals kept', () => [] as bigint[]);
            return kept.slice(0, -7).includes(id) ? undefined : animal;
          },
        },
      },
      { plan: 'free' },
    ],
    'again-fetch-third-404': [
      'an animal can be fetched twice: the third time it is not found',
      onRead((animal, id, call) => (fetchesOf(call, id) > 2 ? undefined : animal)),
      { plan: 'pro' },
    ],
  }),
];

/** The first list of all, requested again. */
const lists: readonly Fault[] = [
  {
    id: 'again-list-500',
    summary: 'the list without parameters is answered once: the next time a closed cursor fails with 500',
    violates: ['listPets.200'],
    ...crashing(PLAIN_AGAIN),
  },
  ...violating('listPets.limit.default', {
    'again-list-empty': [
      'the list without parameters continues after the last animal when it is requested again: it is empty',
      withBody({ ...PLAIN_AGAIN, status: 200 }, () => []),
    ],
    'again-list-last-limit': [
      'a list without limit has the size of the list before it, in a store of forty animals',
      {
        settings: { animals: 40 },
        ...onList((query, next, call) => {
          const last = call.recall('last limit', () => ({ limit: query.limit }));
          if (call.query.has('limit')) last.limit = query.limit;
          return next({ ...query, limit: last.limit });
        }),
      },
    ],
  }),
  {
    id: 'again-list-names',
    summary: 'the list without parameters comes from a cache the next time, with all names in upper case',
    violates: ['listPets.stored'],
    ...withBody({ ...PLAIN_AGAIN, status: 200 }, (body) =>
      Array.isArray(body)
        ? body.map((animal) =>
            isObject(animal) ? { ...animal, name: String(animal.name).toUpperCase() } : animal,
          )
        : body,
    ),
  },
];

/** What reads differently when it is requested again, or after a message. */
export const againFaults: readonly Fault[] = [...messages, ...fetches, ...lists];
