import type { Change } from '../../changes/change.ts';
import type { Call } from '../../http/call.ts';
import type { Json, JsonObject } from '../../http/json.ts';
import { isObject } from '../../http/json.ts';
import type { Fault } from '../fault.ts';

/** Lists come from a cache, and an addition changes all that it has. */
const caching = (
  name: string,
  isCached: (call: Call) => boolean,
  changed: (list: Json[], added: JsonObject) => Json[],
): Change => ({
  handle: async (call, next) => {
    const cache = call.recall(`lists cached for ${name}`, () => new Map<string, Json[]>());
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

/** An addition that changes the lists after it. */
export const additionFaults: readonly Fault[] = [
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
