import type { Where } from '../../changes/change.ts';
import { onRead, withField, withoutField } from '../../changes/changes.ts';
import type { Call } from '../../http/call.ts';
import type { Fault } from '../fault.ts';
import { crashes } from './reader.ts';

const fetched = (pattern: RegExp) => (call: Call) => pattern.test(call.params.petId ?? '');

const idFaults: readonly Fault[] = crashes('pro', 'getPet', 'responses', {
  'id-zero-crash': ['id 0 is an uncaught error', fetched(/^0$/)],
  'id-beyond-crash': ['an id beyond int64 is an uncaught error', fetched(/^9223372036854775808$/)],
  'id-negative-crash': ['a negative id is an uncaught error', fetched(/^-1$/)],
  'id-quote-crash': ['a quote in an id is an uncaught error', fetched(/'/)],
  'id-percent-crash': ['a percent sign as an id is an uncaught error', fetched(/^%$/)],
  'id-huge-crash': ['an id of a hundred digits is an uncaught error', fetched(/^9{100}$/)],
  'id-exponent-crash': ['an id with an exponent is an uncaught error', fetched(/^\de\d$/)],
  'id-zeros-crash': ['an id with leading zeros is an uncaught error', fetched(/^000/)],
});

/** Animals of the first page but the first: ids 1002 to 1019. */
const isEarly = ({ params }: Call) => /^10(?:0[2-9]|1\d)$/.test(params.petId ?? '');

/** Fetches of such an animal, by the end of its id. */
const early = (end: RegExp): Where => ({
  operation: 'getPet',
  status: 200,
  when: (call) => isEarly(call) && end.test(call.params.petId ?? ''),
});

const fetchFaults: readonly Fault[] = [
  {
    id: 'fetch-listed-12th-404',
    summary: 'the twelfth animal of the first page is not found by its id',
    plan: 'pro',
    violates: ['getPet.200'],
    ...onRead((animal, id, call) => (id === call.store.all()[11]?.id ? undefined : animal)),
  },
  {
    id: 'fetch-listed-without-category',
    summary: 'of animals with an even id below 1020 the category is missing',
    plan: 'pro',
    violates: ['Pet.categoryId'],
    ...withoutField(early(/[02468]$/), 'categoryId'),
  },
  {
    id: 'fetch-listed-other-name',
    summary: 'older names are fetched in capitals if their id ends with 5',
    plan: 'pro',
    violates: ['getPet.stored'],
    ...withField(early(/5$/), 'name', (name) => `${String(name).toUpperCase()}!`),
  },
  {
    id: 'fetch-listed-id-text',
    summary: 'the id of an older animal is a text if it ends with 7',
    plan: 'pro',
    violates: ['Pet.id'],
    ...withField(early(/7$/), 'id', String),
  },
];

/** Animals that only long lists show: ids from 1061 to 1090. */
const isFar = ({ params }: Call) => /^10(?:6[1-9]|[78]\d|90)$/.test(params.petId ?? '');

const farFaults: readonly Fault[] = [
  {
    id: 'fetch-far-404',
    summary: 'animals at the end of a long list are not found by their ids',
    plan: 'pro',
    violates: ['getPet.200'],
    ...onRead((animal, _id, call) => (isFar(call) ? undefined : animal)),
  },
  {
    id: 'fetch-far-other-category',
    summary: 'animals at the end of a long list are fetched with the category of another one',
    plan: 'pro',
    violates: ['getPet.stored'],
    ...withField({ operation: 'getPet', status: 200, when: isFar }, 'categoryId', (id) =>
      typeof id === 'bigint' ? id + 1n : (id ?? null),
    ),
  },
  {
    id: 'fetch-far-one-id-text',
    summary: 'the ids of three animals are texts when they are fetched',
    plan: 'business',
    violates: ['Pet.id'],
    ...withField({ operation: 'getPet', status: 200, when: fetched(/^10(?:57|58|59)$/) }, 'id', String),
  },
];

/** An id that is taken for a place in a list; requests after the recovery show it. */
const placeFaults: readonly Fault[] = [
  {
    id: 'id-negative-from-end',
    summary: 'id -1 is the last animal: it is taken for a place in a list that is counted from the end',
    violates: ['getPet.stored'],
    isAfterRecovery: true,
    ...onRead((animal, id, { store }) => animal ?? (id < 0n ? store.all().at(Number(id)) : undefined)),
  },
];

/** Single animals with ids that nothing before fetches. */
export const laxFetchFaults: readonly Fault[] = [...idFaults, ...fetchFaults, ...farFaults, ...placeFaults];
