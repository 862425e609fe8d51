import pLimit from 'p-limit';
import { beforeAll, expect, test } from 'vitest';
import { commandClient, VARIABLES } from '../../src/client/clients.ts';
import { conformantCommands } from './conformant.ts';
import { faultyCommands } from './faulty-keys.ts';
import { type Findings, findingsOf, isQuick, violatedIn } from './tried.ts';

// Clients that are programs of others. clients.selfcheck.test.ts tries those that are functions.

const tried = new Map<string, Promise<Findings>>();

/** Most of the time they wait, so all are tried at once. */
const limit = pLimit(8);

beforeAll(() => {
  const settings = { variables: VARIABLES, environment: process.env, onOutput: () => {} };
  for (const { id, command } of conformantCommands)
    tried.set(
      id,
      limit(() => findingsOf('conformant', commandClient(command, settings))),
    );
  for (const { id, command } of faultyCommands)
    tried.set(
      id,
      limit(() => findingsOf('faulty', commandClient(command, settings), isQuick)),
    );
});

const MOST_MS = 300_000;

test.each(conformantCommands)(
  '$id conforms',
  async ({ id, advised = [] }) => {
    const findings = (await tried.get(id)) ?? {};
    expect(violatedIn(findings)).toEqual([...advised]);
    expect(Object.values(findings).filter(({ status }) => status === 'met').length).toBeGreaterThan(5);
  },
  MOST_MS,
);

test.each(faultyCommands)(
  '$id is found by what it violates, and by nothing else',
  async ({ id, violates }) => {
    expect(violatedIn((await tried.get(id)) ?? {})).toEqual([...violates].sort());
  },
  MOST_MS,
);
