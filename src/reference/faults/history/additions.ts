import type { Change, Where } from '../../changes/change.ts';
import { concerns } from '../../changes/change.ts';
import { onCreate, onKeep } from '../../changes/changes.ts';
import type { Answer } from '../../http/answer.ts';
import { errorAnswer } from '../../http/answer.ts';
import type { Call } from '../../http/call.ts';
import type { BigIntJson, BigIntJsonObject } from '../../http/json.ts';
import { isInt64, isObject } from '../../http/json.ts';
import type { Animal } from '../../store.ts';
import type { Fault } from '../fault.ts';
import { CREATED, INVALID } from '../requests.ts';
import { following, ofOperation } from './following.ts';

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
    ...onCreate((animal, { recall }) => {
      const reserved = recall('ids of a block', () => ({ used: 0 }));
      reserved.used += 1;
      return reserved.used === 4 ? { ...animal, id: animal.id - 1n } : animal;
    }),
  },
  {
    id: 'added-seventh-lost',
    summary: 'a buffer holds six added animals: the seventh is not stored',
    violates: ['getPet.200'],
    ...onKeep((animal, { recall }) => {
      const buffer = recall('animals buffered', () => ({ count: 0 }));
      buffer.count += 1;
      return buffer.count === 7 ? undefined : animal;
    }),
  },
];

/** The body of the latest addition if it was refused. */
const refusedBody = (call: Call) => call.recall<{ body?: BigIntJson | undefined }>('refused', () => ({}));
const remembering: NonNullable<Change['handle']> = async (call, next) => {
  const answer = await next(call);
  if (call.operation === 'createPet') refusedBody(call).body = answer.status === 400 ? call.body : undefined;
  return answer;
};

/** A cache of lists. An addition changes every one of them. */
const caching = (
  name: string,
  isCached: (call: Call) => boolean,
  changed: (list: BigIntJson[], added: BigIntJsonObject) => BigIntJson[],
): Change => ({
  handle: async (call, next) => {
    const cache = call.recall(`lists cached for ${name}`, () => new Map<string, BigIntJson[]>());
    const query = String(call.query);
    const isList = call.operation === 'listPets' && isCached(call);
    const cached = isList ? cache.get(query) : undefined;
    const answer = await next(call);
    const { body } = answer;
    if (isList && Array.isArray(body) && !cached) cache.set(query, body);
    if (call.operation === 'createPet' && isObject(body) && answer.status === 201)
      for (const [key, list] of cache) cache.set(key, changed(list, body));
    return cached && answer.status === 200 ? { ...answer, body: cached } : answer;
  },
});

const isPlain = ({ query }: Call) => query.size === 0;
const any = () => true;

/** Additions that change what follows them, and additions that follow a refused addition. */
export const additionFaults: readonly Fault[] = [
  {
    id: 'refused-then-mixed',
    summary: 'an addition directly after a refused one gets the name and category of the refused one',
    violates: ['createPet.echo'],
    handle: remembering,
    ...onCreate((animal, call) => {
      const { body } = refusedBody(call);
      if (!isObject(body)) return animal;
      const name = typeof body.name === 'string' ? body.name : animal.name;
      const categoryId = isInt64(body.categoryId) ? body.categoryId : animal.categoryId;
      return { ...animal, name, categoryId };
    }),
  },
  {
    id: 'refused-then-400',
    summary: 'the problems of a refused addition are not cleared: the next one is also refused',
    violates: ['createPet.201'],
    ...following(ofOperation, INVALID, CREATED, (answer) => ({
      ...answer,
      status: 400,
      body: errorAnswer(400, 'invalid_request', 'the body is not valid').body,
    })),
  },
  {
    id: 'refused-then-id-again',
    summary: 'a refused addition turns back the sequence of ids: the next one gets the id of the last animal',
    violates: ['createPet.id'],
    ...onCreate((animal, call): Animal => {
      const last = call.log.findLast(
        ({ operation, number }) => operation === 'createPet' && number < call.number,
      );
      const [newest] = call.store.all().slice(-1);
      return last?.status === 400 && newest ? { ...animal, id: newest.id } : animal;
    }),
  },
  {
    id: 'added-appended',
    summary:
      'the cached list without parameters grows with each addition: it has more animals than the default',
    violates: ['listPets.limit.default'],
    ...caching('appended', isPlain, (list, added) => [...list, added]),
  },
  {
    id: 'added-without-id',
    summary: 'an addition is put into cached lists as it was sent, without its id',
    violates: ['Pet.id'],
    ...caching('without id', any, (list, { id: _, ...sent }) => [...list.slice(0, -1), sent]),
  },
];
