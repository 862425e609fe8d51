import pLimit from 'p-limit';
import { beforeAll, expect, test } from 'vitest';
import { commandClient, VARIABLES } from '../../src/client/command.ts';
import { clientRequirements, judgeClient } from '../../src/client/judge-client.ts';
import { type Client, runClient } from '../../src/client/run-client.ts';
import { loadContract } from '../../src/contract/load.ts';
import type { Finding } from '../../src/model/finding.ts';
import { scenarios, WAITS } from '../../src/reference/scenarios/index.ts';
import { isNightly } from '../nightly/sampled.ts';
import type { TriedClient } from './client.ts';
import { conformantClients, conformantCommands } from './conformant.ts';
import { faultyCommands, faultyKeys } from './faulty-keys.ts';
import { faultyRequests } from './faulty-requests.ts';
import { faultyWaiting } from './faulty-waiting.ts';

/** By day, no scenario has its real wait of 35 seconds. */
const LONG = isNightly ? WAITS.long : 3_000;
/** Waits are bounds from below, so conformant clients may be tried with short ones. */
const waits = { faulty: { ...WAITS, long: LONG }, conformant: { short: 1_000, long: LONG } };

/** Scenarios without a wait: they show every mistake but those of waiting. */
const QUICK = ['plain', 'large-ids', 'other-form', 'redirect'];

const contract = loadContract();
const faultyClients = [...faultyRequests, ...faultyKeys, ...faultyWaiting].filter(
  ({ isSlow }) => isNightly || !isSlow,
);

type Findings = Readonly<Record<string, Finding>>;
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

function start(
  kind: keyof typeof waits,
  id: string,
  client: Client,
  chosen: (id: string) => boolean,
  begins: Promise<unknown> = Promise.resolve(),
): void {
  const own = scenarios.filter((each) => chosen(each.id));
  const findOut = async () => {
    const options = { scenarios: own, timeout: 120_000, waits: waits[kind], concurrency: own.length };
    return judgeClient(await runClient(contract, client, options)).findings;
  };
  tried.set(
    id,
    begins.then(() => limit(findOut)),
  );
}

beforeAll(() => {
  const settings = { variables: VARIABLES, environment: process.env, onOutput: () => {} };
  for (const each of faultyWaiting) start('faulty', each.id, inProcess(each), () => true);
  for (const each of conformantClients) start('conformant', each.id, inProcess(each), () => true);
  // Where programs start, timers are late, and pauses that stay the same may seem to grow.
  const waited = Promise.all(tried.values());
  for (const { id, command } of conformantCommands)
    start('conformant', id, commandClient(command, settings), () => true, waited);
  for (const { id, command } of faultyCommands)
    start('faulty', id, commandClient(command, settings), (scenario) => QUICK.includes(scenario), waited);
  for (const each of [...faultyRequests, ...faultyKeys])
    start('faulty', each.id, inProcess(each), (id) => QUICK.includes(id));
});

/** The ids of the requirements that a client violates, advisories included. */
async function violatedBy(id: string): Promise<string[]> {
  const findings = Object.entries((await tried.get(id)) ?? {});
  return findings
    .filter(([, { status }]) => status === 'violated' || status === 'advisory')
    .map(([requirement]) => requirement)
    .sort();
}

const MOST_MS = 300_000;

test.each(faultyClients)(
  '$id is found by what it violates, and by nothing else',
  async (client) => {
    expect(await violatedBy(client.id)).toEqual([...client.violates].sort());
    expect(client.violates.length === 1 || client.because !== undefined).toBe(true);
  },
  MOST_MS,
);

test.each([...conformantClients, ...conformantCommands])(
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
