import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { commandClient, VARIABLES } from '../../src/client/clients.ts';
import { judgeClient } from '../../src/client/judge-client.ts';
import { runClient } from '../../src/client/run-client.ts';
import { loadContract } from '../../src/contract/load.ts';
import { scenarios as animalScenarios } from '../../src/reference/scenarios/index.ts';
import { interfaceOf } from '../../src/run/contract-of.ts';
import { documentScenarios, scenarioServer } from '../../src/server/scenarios.ts';
import type { ClientTraffic } from '../../src/traffic/client-check.ts';
import { violatedIn } from '../clients/tried.ts';
import { GENERATOR_PACKAGES, GENERATORS, generatedClient, generating } from './clients/generated.ts';
import { LANGUAGES } from './clients/languages.ts';
import { compileGo, LIBRARIES, PACKAGES } from './clients/libraries.ts';
import { install } from './servers.ts';

// Clients in other languages, with libraries of others and generated as source code, against the servers of two documents and the
// animal store: npm run nightly. The Debian packages that they need are named in CONTRIBUTING.md.

const documents = join(import.meta.dirname, '..', 'document-server', 'documents');
const folder = mkdtempSync(join(tmpdir(), 'petspec-clients-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }), 180_000);

function execute([program = '', ...args]: readonly string[]): void {
  const { status, stderr, error } = spawnSync(program, args);
  expect(status, error?.message ?? String(stderr)).toBe(0);
}

beforeAll(() => {
  install(folder, [...PACKAGES, ...GENERATOR_PACKAGES]);
  copyFileSync(join(import.meta.dirname, 'clients', 'libraries', 'npm.mjs'), join(folder, 'npm.mjs'));
  const projects = parse(readFileSync(join(documents, 'projects.yaml'), 'utf8'));
  writeFileSync(join(folder, 'projects.json'), JSON.stringify(projects));
  execute(compileGo(folder));
  for (const { compile } of LANGUAGES) if (compile) execute(compile(folder));
  for (const generator of GENERATORS) for (const command of generating(folder, generator)) execute(command);
}, 900_000);

/** Each client mostly waits. */
const atOnce = pLimit(3);

const SETTINGS = { variables: VARIABLES, environment: process.env, onOutput: () => {} };

/** Runs a client against the server of a document, in all scenarios or some of them, side by side. */
async function trafficOf(
  document: string,
  command: readonly string[],
  chosen?: readonly string[],
): Promise<ClientTraffic> {
  const { contract } = await interfaceOf({ interface: join(documents, document) });
  const all = documentScenarios(contract);
  const scenarios = chosen ? all.filter(({ id }) => chosen.includes(id)) : all;
  const start = scenarioServer(contract);
  const options = { scenarios, start, timeout: 120_000, concurrency: scenarios.length };
  return atOnce(() => runClient(contract, commandClient(command, SETTINGS), options));
}

/** Runs a client of the animal store against the reference, in all scenarios or some of them, side by side. */
function animalTrafficOf(command: readonly string[], chosen?: readonly string[]): Promise<ClientTraffic> {
  const scenarios = animalScenarios.filter(({ id }) => chosen?.includes(id) ?? true);
  const options = { scenarios, timeout: 120_000, concurrency: scenarios.length };
  return atOnce(() => runClient(loadContract(), commandClient(command, SETTINGS), options));
}

const foundIn = (traffic: ClientTraffic) => violatedIn(judgeClient(traffic).findings);

const MOST_MS = 3_600_000;

test.concurrent.each(LANGUAGES)(
  'a client in $language conforms',
  async ({ command }) => {
    const traffic = await trafficOf('petstore.yaml', command(folder));
    expect(foundIn(traffic)).toEqual([]);
    const { findings } = judgeClient(traffic);
    expect(Object.values(findings).filter(({ status }) => status === 'met').length).toBeGreaterThan(15);
  },
  MOST_MS,
);

const mistakes = LANGUAGES.flatMap(({ language, command, mistakes: planted }) =>
  planted.map(([name, violates, ...scenarios]) => ({ language, name, violates, command, scenarios })),
);

test.concurrent.each(mistakes)(
  'the mistake $name in $language is found by $violates, and by nothing else',
  async ({ command, name, violates, scenarios }) => {
    const traffic = await trafficOf('petstore.yaml', [...command(folder), name], scenarios);
    expect(foundIn(traffic)).toEqual([`client.${violates}`]);
  },
  MOST_MS,
);

test.concurrent.each(LIBRARIES)(
  '$name conforms, with the advisories that docs/clients.md names',
  async ({ command, advised, bySlowClock = advised }) => {
    const traffic = await trafficOf('projects.yaml', command(folder));
    const usual = traffic.scenarios.filter(({ scenario }) => scenario !== 'slow-clock');
    const advisories = (id: string | undefined) => (id === undefined ? [] : [id]);
    expect(foundIn({ ...traffic, scenarios: usual })).toEqual(advisories(advised));
    expect(foundIn(traffic)).toEqual(advisories(bySlowClock));
    const { findings } = judgeClient(traffic);
    expect(Object.values(findings).filter(({ status }) => status === 'violated')).toEqual([]);
  },
  MOST_MS,
);

test.concurrent.each(GENERATORS)(
  'clients that $name generates conform, with the advisories that docs/clients.md names',
  async (generator) => {
    expect(foundIn(await animalTrafficOf(generatedClient(folder, generator, 'animals')))).toEqual([]);
    const traffic = await trafficOf('projects.yaml', generatedClient(folder, generator, 'projects'));
    expect(foundIn(traffic)).toEqual([generator.bySlowClock]);
    const usual = traffic.scenarios.filter(({ scenario }) => scenario !== 'slow-clock');
    expect(foundIn({ ...traffic, scenarios: usual })).toEqual([]);
  },
  MOST_MS,
);

const generatedMistakes = GENERATORS.flatMap((generator) =>
  generator.mistakes.map(([name, violates, ...scenarios]) => ({ generator, name, violates, scenarios })),
);

test.concurrent.each(generatedMistakes)(
  'the mistake $name with $generator.name is found by $violates, and by nothing else',
  async ({ generator, name, violates, scenarios }) => {
    const traffic = await animalTrafficOf(generatedClient(folder, generator, 'animals', name), scenarios);
    expect(foundIn(traffic)).toEqual([`client.${violates}`]);
  },
  MOST_MS,
);
