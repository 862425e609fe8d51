import { Command, InvalidArgumentError } from 'commander';
import { SCENARIOS_HELP, statedScenario } from '../../client/run-client.ts';
import { realClock } from '../../model/clock.ts';
import type { Contract } from '../../model/contract.ts';
import { newKeyFor } from '../../model/http/credential.ts';
import { didYouMean, UsageError } from '../../model/usage-error.ts';
import { visible } from '../../model/visible.ts';
import type { Change } from '../../reference/changes/change.ts';
import { faults } from '../../reference/faults/index.ts';
import { PortUnavailable } from '../../reference/http/listener.ts';
import { PLANS, startReference } from '../../reference/index.ts';
import { startForeignOrigin } from '../../reference/scenarios/foreign-origin.ts';
import { WAITS } from '../../reference/scenarios/index.ts';
import { limiterVariants, variants } from '../../reference/variants/index.ts';
import type { Variant } from '../../reference/variants/variant.ts';
import { shellWord } from '../../report/facts/command-line.ts';
import { contractOf, interfaceOf } from '../../run/contract-of.ts';
import { refuseUnknownPlan } from '../../run/options.ts';
import { publicIn } from '../../secrets/hideable.ts';
import { keySecrets } from '../../secrets/keys/own-secrets.ts';
import { redactor } from '../../secrets/redact.ts';
import { DIALECTS, type RateLimitDialect } from '../../server/answers.ts';
import { startDocumentServer } from '../../server/document-server.ts';
import { generalFaults } from '../../server/faults.ts';
import { checkedKey } from '../options/api-key.ts';
import { between, portNumber, seed, wholeNumber } from '../options/option-values.ts';

export interface ServeFlags {
  port: number;
  messagePort?: number;
  plan?: string;
  apiKey?: string;
  limiter?: string;
  window: number;
  fault?: string[];
  variant?: string[];
  scenario?: string;
  interface?: string;
  limit?: number;
  limitHeaders?: RateLimitDialect;
  latency?: number;
  cors?: boolean;
  seed?: number;
}

/** The maximum length of the limiter's shorter window, in seconds. The longer window is a day. */
const MAX_WINDOW = 86_400;
const seconds = between(1, MAX_WINDOW, `expected a number of seconds from 1 to ${MAX_WINDOW}.`);

/** Adds one more value of a repeatable option, unless it is there already. */
const collectOnce = (value: string, earlier: string[] = []) => [...new Set([...earlier, value])];

const FAULTS_HELP = `
Faults of documents:
${generalFaults.map(({ id, summary }) => `  ${id.padEnd(18)}${summary}\n`).join('')}`;

/** `petspec serve`: serves the reference, or a document, in real time. */
export function serveCommand(): Command {
  return new Command('serve')
    .description(
      'Serves the reference implementation, or a stateful server made from an OpenAPI document, on 127.0.0.1 until Ctrl-C. Prints its addresses and an API key.',
    )
    .option(
      '--interface <path>',
      'OpenAPI document, or a folder with one, to serve in place of the animal store: what is created is kept',
    )
    .option('--port <n>', 'port of the animal API, or of the document', portNumber, 8080)
    .option('--message-port <n>', 'port of the message API (default: 8081)', portNumber)
    .option(
      '--plan <name>',
      'free, pro or business (default: free), or one of the document (default: no limit)',
    )
    .option('--api-key <key>', 'API key to accept (default: a random one)')
    .option('--limiter <name>', 'rate limiter to use: the id of a limiter variant')
    .option('--window <seconds>', 'length of the window for the requests per minute', seconds, 60)
    .option(
      '--fault <id>',
      'fault to serve (repeatable); petspec faults lists them, and the end of this help those of documents',
      collectOnce,
    )
    .option('--variant <id>', 'variant to serve (repeatable); petspec variants lists them', collectOnce)
    .option('--scenario <id>', 'what clients meet, as in petspec client')
    .option('--limit <n>', 'of a document: requests per minute (default: no limit)', wholeNumber)
    .option(
      '--limit-headers <names>',
      `of a document: how responses tell the limit, ${DIALECTS.join(', ')} (default: as it lists them)`,
      dialect,
    )
    .option('--latency <ms>', 'of a document: time that each response takes', wholeNumber)
    .option('--cors', 'of a document: let pages of other origins send requests')
    .option('--seed <n>', 'of a document: what draws ids (default: 1)', seed)
    .addHelpText(
      'after',
      `${SCENARIOS_HELP}${FAULTS_HELP}\nExamples:\n  petspec serve\n  petspec serve --port 9090 --plan pro\n  petspec serve --limiter token-bucket-both\n  petspec serve --window 5   # a rate limit that resets soon\n  petspec serve --scenario retry-after-date\n  petspec serve --interface openapi.yaml --fault lost-update --latency 200`,
    )
    .action(serve);
}

async function serve(flags: ServeFlags): Promise<void> {
  if (flags.interface !== undefined) return serveDocument(flags, flags.interface);
  refuseOptionsOf('documents', OF_DOCUMENTS, flags);
  const { plan: name = 'free' } = flags;
  refuseUnknownPlan(name, Object.keys(PLANS));
  const plan = PLANS[name as keyof typeof PLANS];
  const contract = contractOf({});
  const apiKey = keyOf(flags, contract);
  const { fault = [], variant = [] } = flags;
  const changes = [
    ...fault.map((id) => named(faults, id, '--fault', 'petspec faults')),
    ...(flags.limiter === undefined ? [] : [limiterNamed(flags.limiter)]),
    ...variant.map((id) => named(variants, id, '--variant', 'petspec variants')),
  ];
  const scenario = flags.scenario === undefined ? undefined : statedScenario('--scenario', flags.scenario);
  const foreign = scenario && (await startForeignOrigin());
  const scenarioChanges = scenario?.changes({ waits: WAITS, foreignOrigin: foreign?.origin ?? '' }) ?? [];
  const reference = await startReference({
    clock: realClock,
    apiKey,
    plan,
    port: flags.port,
    messagePort: flags.messagePort ?? 8081,
    changes: [...changes, ...scenarioChanges, logging(apiKey, contract)],
    settings: { limiter: { minute: flags.window * 1000 } },
  }).catch(async (error: unknown) => {
    await foreign?.close();
    throw error instanceof PortUnavailable ? new UsageError(error.message) : error;
  });
  process.stdout.write(
    `base URL     ${reference.baseUrl}\nmessage API  ${reference.apiUrl}\nAPI key      ${apiKey}\n`,
  );
  for (const { id, summary } of [...changes, ...(scenario ? [scenario] : [])])
    process.stdout.write(`${id}: ${summary}\n`);
  process.stdout.write(
    `\n  curl -i -H ${shellWord(`Authorization: Bearer ${apiKey}`)} ${reference.baseUrl}/pets\n\nPress Ctrl-C to stop\n`,
  );
  await untilStopped();
  await Promise.all([reference.close(), foreign?.close()]);
}

/** The key to accept. An empty variable of a script does not mean the default. */
function keyOf({ apiKey }: Pick<ServeFlags, 'apiKey'>, contract: Contract): string {
  return apiKey === undefined ? newKeyFor(contract) : checkedKey(apiKey, '--api-key');
}

function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
}

/** Options that only documents have, and options that only the reference has. */
const OF_DOCUMENTS: readonly (keyof ServeFlags)[] = ['limit', 'limitHeaders', 'latency', 'cors', 'seed'];
const OF_REFERENCE: readonly (keyof ServeFlags)[] = ['messagePort', 'limiter', 'variant', 'scenario'];

function refuseOptionsOf(whose: string, names: readonly (keyof ServeFlags)[], flags: ServeFlags): void {
  const stated = names.find((name) => flags[name] !== undefined);
  if (stated === undefined) return;
  const option = `--${stated.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  const remedy = whose === 'documents' ? 'name one with --interface' : 'leave out --interface';
  throw new UsageError(`${option} is an option of ${whose}; ${remedy}`);
}

/** Serves a document in real time. */
async function serveDocument(flags: ServeFlags, path: string): Promise<void> {
  refuseOptionsOf('the animal store', OF_REFERENCE, flags);
  const { contract } = await interfaceOf({ interface: path });
  refuseUnknownPlan(flags.plan, Object.keys(contract.ratePlans));
  const apiKey = keyOf(flags, contract);
  const { port, window, seed, latency, cors, limit, limitHeaders: headers } = flags;
  const chosen = (flags.fault ?? []).map((id) => named(generalFaults, id, '--fault', 'petspec serve --help'));
  const planned = flags.plan === undefined ? undefined : contract.ratePlans[flags.plan];
  const server = await startDocumentServer(contract, {
    ...{ clock: realClock, apiKey, port, minute: window * 1000, dialect: headers },
    limits: limit === undefined ? planned : { ...planned, minute: limit },
    ...{ seed, latency, cors },
    faults: chosen.map(({ id }) => id),
    changes: [logging(apiKey, contract)],
  }).catch((error: unknown) => {
    throw error instanceof PortUnavailable ? new UsageError(error.message) : error;
  });
  process.stdout.write(`base URL     ${server.baseUrl}\nAPI key      ${apiKey}\n`);
  for (const { id, summary } of chosen) process.stdout.write(`${id}: ${summary}\n`);
  process.stdout.write('\nPress Ctrl-C to stop\n');
  await untilStopped();
  await server.close();
}

/** Prints a line for each request: time, method, path and status. */
function logging(apiKey: string, contract: Contract): Change {
  const redact = redactor(apiKey, keySecrets(apiKey, contract), publicIn(contract));
  return {
    around: async (call, next) => {
      const answer = await next(call);
      const time = new Date(call.now).toISOString().slice(11, 19);
      const line = `${time} ${call.method} ${redact(call.target)} -> ${answer.status}`;
      process.stdout.write(`${visible(line)}\n`);
      return answer;
    },
  };
}

function limiterNamed(id: string): Variant {
  const isLimiter = limiterVariants.some((variant) => variant.id === id);
  if (!isLimiter && variants.some((variant) => variant.id === id))
    throw new UsageError(`--limiter: '${id}' is not a limiter; use --variant ${id}`);
  return named(limiterVariants, id, '--limiter', 'petspec variants');
}

/** @param list the command that lists the ids @throws UsageError if no entry has this id */
function named<T extends { id: string }>(
  catalogue: readonly T[],
  id: string,
  option: '--fault' | '--variant' | '--limiter',
  list: string,
): T {
  const entry = catalogue.find((candidate) => candidate.id === id);
  if (entry) return entry;
  const ids = catalogue.map((candidate) => candidate.id);
  const similar = ids.filter((candidate) => candidate.includes(id) || id.includes(candidate)).slice(0, 5);
  const quoted = similar.map((candidate) => `'${candidate}'`).join(', ');
  const words = quoted ? `; did you mean ${quoted}?` : didYouMean(id, ids);
  const kind = option === '--fault' ? 'fault' : 'variant';
  throw new UsageError(`${option}: unknown ${kind} '${id}'${words || `; ${list} lists them`}`);
}

/** The value of `--limit-headers`. @throws InvalidArgumentError, which commander reports */
function dialect(text: string): RateLimitDialect {
  const dialectName = DIALECTS.find((name) => name === text);
  if (dialectName) return dialectName;
  throw new InvalidArgumentError(`expected one of ${DIALECTS.join(', ')}.`);
}
