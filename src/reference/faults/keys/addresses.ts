import type { Change } from '../../changes/change.ts';
import { jsonAnswer } from '../../http/answer.ts';
import type { Call } from '../../http/call.ts';
import { select } from '../../store.ts';
import type { Fault } from '../fault.ts';

/** Addresses without a version, or with the version in the wrong place. */
export const versioningFaults: readonly Fault[] = [
  {
    id: 'address-unversioned',
    summary: 'the base address ends without the version',
    violates: ['versioning.address'],
    settings: { basePath: '/api' },
  },
  {
    id: 'address-version-first',
    summary: 'the version comes first in the base address, not last',
    violates: ['versioning.address'],
    settings: { basePath: '/v1/animals' },
  },
];

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
export const addressFaults: readonly Fault[] = [
  {
    id: 'address-slash-public',
    summary: 'GET /pets/, with a slash at the end, lists animals without a key',
    violates: ['Unauthorized'],
    seeds: [0, 2, 4, 6],
    ...unprotected((path) => /[^/]\/pets\/$/.test(path)),
  },
  {
    id: 'address-doubled-public',
    summary: 'GET //pets, with two slashes, lists animals without a key',
    violates: ['Unauthorized'],
    seeds: [1, 3, 5],
    ...unprotected((path) => /\/\/+pets$/.test(path)),
  },
  {
    id: 'address-encoded-public',
    summary: 'GET /pets with a percent-encoded letter lists animals without a key',
    violates: ['Unauthorized'],
    seeds: [0, 2, 4, 6],
    ...unprotected((path) => path.includes('%') && /\/(?:p|%70)(?:e|%65)(?:t|%74)(?:s|%73)$/.test(path)),
  },
  {
    id: 'address-slash-fetch-public',
    summary: 'GET /pets/{petId}/, with a slash at the end, returns an animal without a key',
    violates: ['Unauthorized'],
    seeds: [1, 3, 5],
    ...unprotected((path) => /[^/]\/pets\/\d+\/$/.test(path)),
  },
  {
    id: 'address-doubled-fetch-public',
    summary: 'GET //pets/{petId}, with two slashes, returns an animal without a key',
    violates: ['Unauthorized'],
    seeds: [0, 2, 4, 6],
    ...unprotected((path) => /\/\/+pets\/\d+$/.test(path)),
  },
];
