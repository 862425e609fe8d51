import type { Change } from '../../changes/change.ts';
import { jsonAnswer } from '../../http/answer.ts';
import type { Call } from '../../http/call.ts';
import { select } from '../../store.ts';
import { type Fault, violating } from '../fault.ts';

/** Addresses without a version, or with the version in the wrong place. */
export const versioningFaults: readonly Fault[] = violating('versioning.address', {
  'address-unversioned': ['the base address ends without the version', { settings: { basePath: '/api' } }],
  'address-version-first': [
    'the version comes first in the base address, not last',
    { settings: { basePath: '/v1/animals' } },
  ],
});

const PAGE = 20;

/** Answers without a key at an address that a gateway in front does not protect, but the service routes. */
const unprotected = (isMeant: (path: string) => boolean): Change => ({
  around: async (call, next) => {
    const answer = await next(call);
    if (call.method !== 'GET' || call.listener !== 'animals' || call.key === 'valid' || !isMeant(call.path))
      return answer;
    const shown = shownAt(call);
    const headers = answer.headers.filter(([name]) => name !== 'WWW-Authenticate');
    return shown === undefined ? answer : { ...jsonAnswer(200, shown), headers };
  },
});

/** What the usual spelling of an address shows: a list, or an animal. */
function shownAt({ path, store }: Call) {
  const id = /\/(\d+)\/?$/.exec(path)?.[1];
  return id === undefined ? select(store.all(), { limit: PAGE }) : store.get(BigInt(id));
}

/** Other spellings of an address that need no key. */
export const addressFaults: readonly Fault[] = violating('Unauthorized', {
  'address-slash-public': [
    'GET /pets/, with a slash at the end, lists animals without a key',
    unprotected((path) => /[^/]\/pets\/$/.test(path)),
    { seeds: [0, 2, 4, 6] },
  ],
  'address-doubled-public': [
    'GET //pets, with two slashes, lists animals without a key',
    unprotected((path) => /\/\/+pets$/.test(path)),
    { seeds: [1, 3, 5] },
  ],
  'address-encoded-public': [
    'GET /pets with a percent-encoded letter lists animals without a key',
    unprotected((path) => path.includes('%') && /\/(?:p|%70)(?:e|%65)(?:t|%74)(?:s|%73)$/.test(path)),
    { seeds: [0, 2, 4, 6] },
  ],
  'address-slash-fetch-public': [
    'GET /pets/{petId}/, with a slash at the end, returns an animal without a key',
    unprotected((path) => /[^/]\/pets\/\d+\/$/.test(path)),
    { seeds: [1, 3, 5] },
  ],
  'address-doubled-fetch-public': [
    'GET //pets/{petId}, with two slashes, returns an animal without a key',
    unprotected((path) => /\/\/+pets\/\d+$/.test(path)),
    { seeds: [0, 2, 4, 6] },
  ],
});
