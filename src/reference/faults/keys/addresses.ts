import type { Change } from '../../changes/change.ts';
import { jsonAnswer } from '../../http/answer.ts';
import type { Call } from '../../http/call.ts';
import { select } from '../../store.ts';
import type { Fault } from '../fault.ts';

const PAGE = 20;

/** Lists animals without a key at an address that a gateway in front does not protect, but the service routes. */
const unprotected = (isMeant: (path: string) => boolean): Change => ({
  around: async (call, next) => {
    const answer = await next(call);
    if (call.method !== 'GET' || call.listener !== 'animals' || call.key === 'valid' || !isMeant(call.path))
      return answer;
    return { ...answer, ...withAnimals(call, answer.headers) };
  },
});

const withAnimals = (call: Call, headers: ReturnType<typeof jsonAnswer>['headers']) => ({
  ...jsonAnswer(200, select(call.store.all(), { limit: PAGE })),
  headers: headers.filter(([name]) => name !== 'WWW-Authenticate'),
});

/** Other spellings of an address that need no key. */
export const addressFaults: readonly Fault[] = [
  {
    id: 'address-slash-public',
    summary: 'GET /pets/, with a slash at the end, lists animals without a key',
    violates: ['Unauthorized'],
    ...unprotected((path) => /[^/]\/pets\/$/.test(path)),
  },
  {
    id: 'address-doubled-public',
    summary: 'GET //pets, with two slashes, lists animals without a key',
    violates: ['Unauthorized'],
    ...unprotected((path) => /\/\/+pets$/.test(path)),
  },
  {
    id: 'address-encoded-public',
    summary: 'GET /pets with a percent-encoded letter lists animals without a key',
    violates: ['Unauthorized'],
    ...unprotected((path) => path.includes('%') && /\/(?:p|%70)(?:e|%65)(?:t|%74)(?:s|%73)$/.test(path)),
  },
];
