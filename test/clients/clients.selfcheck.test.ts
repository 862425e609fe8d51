import pLimit from 'p-limit';
import { beforeAll, expect, test } from 'vitest';
import { clientRequirements } from '../../src/client/judge-client.ts';
import type { Client } from '../../src/client/run-client.ts';
import { isNightly } from '../nightly/sampled.ts';
import type { TriedClient } from './client.ts';
import { conformantClients, conformantCommands } from './conformant.ts';
import { faultyCommands, faultyKeys } from './faulty-keys.ts';
import { faultyRequests } from './faulty-requests.ts';
import { faultyWaiting } from './faulty-waiting.ts';
import { contract, type Findings, findingsOf, isQuick, violatedIn } from './tried.ts';

const waitingClients = faultyWaiting.filter(({ isSlow }) => isNightly || !isSlow);
const faultyClients = [...faultyRequests, ...faultyKeys, ...waitingClients];

const tried = new Map<string, Promise<Findings>>();

/** Most of the time they wait, so many are tried at once. */
const limit = pLimit(8);

function inProcess({ use }: TriedClient): Client {
  return async (service) => {
    try {
      await use(service);
      return { kind: 'ended', words: 'returned' };
    } catch (error) {
      return { kind: 'failed', words: String(error) };
    }
  };
}

function start(...[id, ...given]: [id: string, ...Parameters<typeof findingsOf>]): void {
  tried.set(
    id,
    limit(() => findingsOf(...given)),
  );
}

beforeAll(() => {
  for (const each of waitingClients) start(each.id, 'faulty', inProcess(each));
  for (const each of conformantClients) start(each.id, 'conformant', inProcess(each));
  for (const each of [...faultyRequests, ...faultyKeys]) start(each.id, 'faulty', inProcess(each), isQuick);
});

const violatedBy = async (id: string) => violatedIn((await tried.get(id)) ?? {});

const MOST_MS = 300_000;

test.each(faultyClients)(
  '$id is found by what it violates, and by nothing else',
  async (client) => {
    expect(await violatedBy(client.id)).toEqual([...client.violates].sort());
    expect(client.violates.length === 1 || client.because !== undefined).toBe(true);
  },
  MOST_MS,
);

test.each(conformantClients)(
  '$id conforms',
  async ({ id, advised = [] }) => {
    expect(await violatedBy(id)).toEqual([...advised]);
    const findings = Object.values((await tried.get(id)) ?? {});
    expect(findings.filter(({ status }) => status === 'met').length).toBeGreaterThan(5);
  },
  MOST_MS,
);

test('every requirement of clients can fail', () => {
  const violated = new Set(faultyClients.flatMap((each): readonly string[] => each.violates));
  const judged = clientRequirements(contract).filter(({ level }) => level !== 'open');
  expect(judged.map(({ id }) => id).filter((id) => !violated.has(id))).toEqual([]);
});

test('there are at least 30 faulty clients and 12 conformant ones, each with an id of its own', () => {
  const ids = [...faultyClients, ...faultyCommands, ...conformantClients, ...conformantCommands].map(
    ({ id }) => id,
  );
  expect(new Set(ids).size).toBe(ids.length);
  expect(faultyClients.length).toBeGreaterThanOrEqual(30);
  expect(conformantClients.length + conformantCommands.length).toBeGreaterThanOrEqual(12);
});
