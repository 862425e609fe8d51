import { randomBytes } from 'node:crypto';
import { Command } from 'commander';
import { SCENARIOS_HELP, statedScenario } from '../../client/stated-scenario.ts';
import { realClock } from '../../model/clock.ts';
import { didYouMean, UsageError } from '../../model/usage-error.ts';
import { visible } from '../../model/visible.ts';
import type { Change } from '../../reference/changes/change.ts';
import { faults } from '../../reference/faults/index.ts';
import { PortUnavailable } from '../../reference/http/listener.ts';
import { PLANS, startReference } from '../../reference/index.ts';
import { startForeignOrigin } from '../../reference/scenarios/foreign-origin.ts';
import { WAITS } from '../../reference/scenarios/index.ts';
import { variants } from '../../reference/variants/index.ts';
import { limiterVariants } from '../../reference/variants/limiter/limiter.ts';
import type { Variant } from '../../reference/variants/variant.ts';
import { shellWord } from '../../report/command-line.ts';
import { refuseUnknownPlan } from '../../run/options.ts';
import { checkedKey } from '../options/api-key.ts';
import { between, portNumber } from '../options/option-values.ts';

interface ServeFlags {
  port: number;
  messagePort: number;
  plan: string;
  apiKey?: string;
  limiter?: string;
  window: number;
  fault?: string[];
  variant?: string[];
  scenario?: string;
}

/** The maximum length of the limiter's shorter window, in seconds. The longer window is a day. */
const MAX_WINDOW = 86_400;
const seconds = between(1, MAX_WINDOW, `expected a number of seconds from 1 to ${MAX_WINDOW}.`);

/** Adds one more value of a repeatable option, unless it is there already. */
const collectOnce = (value: string, earlier: string[] = []) => [...new Set([...earlier, value])];

/** `petspec serve`: serves the reference in real time. */
export function serveCommand(): Command {
  return new Command('serve')
    .description(
      'Serves the reference implementation on 127.0.0.1 until Ctrl-C. Prints its addresses and an API key.',
    )
    .option('--port <n>', 'port of the animal API', portNumber, 8080)
    .option('--message-port <n>', 'port of the message API', portNumber, 8081)
    .option('--plan <name>', 'rate plan: free, pro or business', 'free')
    .option('--api-key <key>', 'API key to accept (default: a random one)')
    .option('--limiter <name>', 'rate limiter to use: the id of a limiter variant')
    .option('--window <seconds>', 'length of the window for the requests per minute', seconds, 60)
    .option('--fault <id>', 'fault to serve (repeatable); petspec faults lists them', collectOnce)
    .option('--variant <id>', 'variant to serve (repeatable); petspec variants lists them', collectOnce)
    .option('--scenario <id>', 'what clients meet, as in petspec client')
    .addHelpText(
      'after',
      `${SCENARIOS_HELP}\nExamples:\n  petspec serve\n  petspec serve --port 9090 --plan pro\n  petspec serve --limiter token-bucket-both\n  petspec serve --window 5   # a rate limit that resets soon\n  petspec serve --scenario retry-after-date`,
    )
    .action(serve);
}

async function serve(flags: ServeFlags): Promise<void> {
  refuseUnknownPlan(flags.plan, Object.keys(PLANS));
  const plan = PLANS[flags.plan as keyof typeof PLANS];
  // An empty variable of a script does not mean the default.
  const apiKey =
    flags.apiKey === undefined
      ? `petspec-${randomBytes(12).toString('hex')}`
      : checkedKey(flags.apiKey, '--api-key');
  const { fault = [], variant = [] } = flags;
  const changes = [
    ...fault.map((id) => named(faults, id, '--fault')),
    ...(flags.limiter === undefined ? [] : [limiterNamed(flags.limiter)]),
    ...variant.map((id) => named(variants, id, '--variant')),
  ];
  const scenario = flags.scenario === undefined ? undefined : statedScenario('--scenario', flags.scenario);
  const foreign = scenario && (await startForeignOrigin());
  const met = scenario?.changes({ waits: WAITS, foreignOrigin: foreign?.origin ?? '' }) ?? [];
  const reference = await startReference({
    clock: realClock,
    apiKey,
    plan,
    port: flags.port,
    messagePort: flags.messagePort,
    changes: [...changes, ...met, logging(apiKey)],
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
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
  await Promise.all([reference.close(), foreign?.close()]);
}

/** Prints a line for each request: when, what, and the status that it gets. */
function logging(apiKey: string): Change {
  return {
    around: async (call, next) => {
      const answer = await next(call);
      const time = new Date(call.now).toISOString().slice(11, 19);
      const line = `${time} ${call.method} ${call.target} -> ${answer.status}`;
      process.stdout.write(`${visible(line.replaceAll(apiKey, '[key]'))}\n`);
      return answer;
    },
  };
}

function limiterNamed(id: string): Variant {
  const isLimiter = limiterVariants.some((each) => each.id === id);
  if (!isLimiter && variants.some((each) => each.id === id))
    throw new UsageError(`--limiter: '${id}' is not a limiter; use --variant ${id}`);
  return named(limiterVariants, id, '--limiter');
}

function named<T extends { id: string }>(catalogue: readonly T[], id: string, option: string): T {
  const found = catalogue.find((each) => each.id === id);
  if (found) return found;
  const ids = catalogue.map((each) => each.id);
  const similar = ids.filter((each) => each.includes(id) || id.includes(each)).slice(0, 5);
  const quoted = similar.map((each) => `'${each}'`).join(', ');
  const words = quoted ? `; did you mean ${quoted}?` : didYouMean(id, ids);
  const command = option === '--fault' ? 'faults' : 'variants';
  throw new UsageError(
    `${option}: unknown ${command.slice(0, -1)} '${id}'${words || `; petspec ${command} lists them`}`,
  );
}
