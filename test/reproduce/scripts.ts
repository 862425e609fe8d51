import { loadContract } from '../../src/contract/load.ts';
import type { Exchange } from '../../src/model/exchange.ts';
import type { Repetition } from '../../src/model/finding.ts';
import { deriveProbes } from '../../src/probes/derive.ts';
import { print } from '../../src/report/reproduce/index.ts';
import { reproductionOf, type ShownFinding } from '../../src/reproduction/reproduction.ts';
import { collectRequests } from '../../src/reproduction/requests.ts';
import { allChecks } from '../../suites/index.ts';
import { exchange } from '../exchanges/exchange.ts';

export const contract = loadContract();
const added = allChecks(contract).flatMap(({ add }) => add?.(contract) ?? []);
export const probes = new Map([...deriveProbes(contract), ...added].map((each) => [each.id, each]));

export const BASE = 'https://staging.example.com/v1';
export const list: Exchange = exchange({
  url: `${BASE}/pets`,
  requestHeaders: [['authorization', 'Bearer $PETSPEC_API_KEY']],
  receivedAt: 5,
  response: { status: 200, headers: [], body: '[{"id":7,"name":"Rex","categoryId":1}]' },
  rate: { limit: 60 },
});
export const creation: Exchange = {
  ...list,
  id: 2,
  probe: 'createPet:minimal',
  operation: 'createPet',
  stage: 'create',
  method: 'POST',
  requestBody: '{"name":"Rex-bcdfghjk","categoryId":1}',
  response: {
    status: 201,
    headers: [],
    body: '{"id":9007199254740993,"name":"Rex-bcdfghjk","categoryId":1}',
  },
};
export const read: Exchange = {
  ...list,
  id: 3,
  probe: 'getPet:createPet:minimal',
  operation: 'getPet',
  stage: 'read',
  url: `${BASE}/pets/9007199254740993`,
  response: { status: 500, headers: [], body: '' },
};
export const refusal: Exchange = {
  ...list,
  id: 4,
  probe: 'listPets:exhaust',
  stage: 'exhaust',
  url: `${BASE}/pets?limit=1`,
  response: { status: 429, headers: [['Retry-After', '30']], body: '{}' },
};

export interface How {
  repetition?: Repetition;
  variation?: readonly string[];
  settings?: { isInsecure?: boolean; keyVariable?: string };
  /** The rate plan of the run. */
  plan?: string | null;
}

/** What sends the last of these exchanges again. */
export function reproductionIn(
  exchanges: readonly Exchange[],
  { repetition, variation, plan = 'free' }: How = {},
) {
  const requests = collectRequests(contract, new Set(exchanges.map(({ id }) => id)));
  for (const each of exchanges) requests.add(each);
  const shown: ShownFinding = {
    evidence: exchanges.slice(-1).map(({ id }) => id),
    ...(repetition ? { repetition } : {}),
    ...(variation ? { variation } : {}),
  };
  const target = { baseUrl: BASE, apiUrl: 'https://api.example.com' };
  return reproductionOf(shown, { contract, probes, requests, target, plan });
}

/** The script that sends the last of these exchanges again. */
export function scriptOf(exchanges: readonly Exchange[], how: How = {}) {
  const found = reproductionIn(exchanges, how);
  if (!found || typeof found === 'string') throw new Error(`there is no script: ${found}`);
  return print(found, how, { contract, settings: { isInsecure: false, ...how.settings } });
}

/** An exchange with some fields changed. */
export const changed = (exchange: Exchange, change: Partial<Exchange>): Exchange => ({
  ...exchange,
  ...change,
});
