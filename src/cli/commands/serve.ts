import { randomBytes } from 'node:crypto';
import { Command, InvalidArgumentError } from 'commander';
import { didYouMean } from '../../model/nearest.ts';
import { UsageError } from '../../run/options.ts';

interface ServeFlags {
  port: number;
  messagePort: number;
  plan: string;
  apiKey?: string;
  limiter?: string;
  window: number;
  fault?: string[];
  variant?: string[];
}

/** @throws InvalidArgumentError, which commander reports */
function port(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value > 65_535)
    throw new InvalidArgumentError('a port is a number from 0 (any free one) to 65535.');
  return value;
}

/** Seconds that the shorter window of the limiter may last: the longer one is a day. */
const MAX_WINDOW = 86_400;

/** @throws InvalidArgumentError, which commander reports */
function seconds(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < 1 || value > MAX_WINDOW)
    throw new InvalidArgumentError(`a window lasts 1 to ${MAX_WINDOW} seconds.`);
  return value;
}

/** What is named twice is meant once. */
const collect = (value: string, earlier: string[] = []) => [...new Set([...earlier, value])];

/** `petspec serve`: the reference on a port, in real time, for people who write clients. */
export function serveCommand(): Command {
  return new Command('serve')
    .summary('the reference on a port, for people who write clients')
    .description(
      'Serves the reference implementation on 127.0.0.1 until it is interrupted; prints its addresses and a key.',
    )
    .option('--port <n>', 'of the animal API', port, 8080)
    .option('--message-port <n>', 'of the message address', port, 8081)
    .option('--plan <name>', 'free, pro or business', 'free')
    .option('--api-key <key>', 'the key to accept (default: a random one)')
    .option('--limiter <name>', 'how requests are counted: the id of a limiter variant')
    .option('--window <seconds>', 'how long the window of the requests per minute lasts', seconds, 60)
    .option('--fault <id>', 'misbehave in this way (repeatable)', collect)
    .option('--variant <id>', 'differ in this way, and still conform (repeatable)', collect)
    .addHelpText(
      'after',
      '\nExamples:\n  petspec serve\n  petspec serve --port 9090 --plan pro\n  petspec serve --limiter token-bucket-both\n  petspec serve --window 5   # a limit that is over soon',
    )
    .action(serve);
}

async function serve(flags: ServeFlags): Promise<void> {
  const [{ startReference, PLANS }, { faults }, { variants }, { realClock }] = await Promise.all([
    import('../../reference/index.ts'),
    import('../../reference/faults/index.ts'),
    import('../../reference/variants/index.ts'),
    import('../../model/clock.ts'),
  ]);
  const plan = Object.hasOwn(PLANS, flags.plan) ? PLANS[flags.plan as keyof typeof PLANS] : undefined;
  if (!plan)
    throw new UsageError(
      `--plan ${flags.plan}: there is no such plan; one of ${Object.keys(PLANS).join(', ')}${didYouMean(flags.plan, Object.keys(PLANS))}`,
    );
  const { fault = [], variant = [] } = flags;
  const changes = [
    ...fault.map((id) => named(faults, id, '--fault')),
    ...[...(flags.limiter ? [flags.limiter] : []), ...variant].map((id) =>
      named(variants, id, flags.limiter === id ? '--limiter' : '--variant'),
    ),
  ];
  const apiKey = flags.apiKey || `petspec-${randomBytes(12).toString('hex')}`;
  const reference = await startReference({
    clock: realClock,
    apiKey,
    plan,
    port: flags.port,
    messagePort: flags.messagePort,
    changes,
    settings: { limiter: { minute: flags.window * 1000 } },
  }).catch((error: unknown) => {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  });
  process.stdout.write(
    `base address     ${reference.baseUrl}\nmessage address  ${reference.apiUrl}\nkey              ${apiKey}\n`,
  );
  for (const { id, summary } of changes) process.stdout.write(`${id}: ${summary}\n`);
  process.stdout.write('Ctrl-C ends it\n');
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
  await reference.close();
}

function named<T extends { id: string }>(catalogue: readonly T[], id: string, option: string): T {
  const found = catalogue.find((each) => each.id === id);
  if (found) return found;
  const similar = catalogue
    .filter((each) => each.id.includes(id) || id.includes(each.id))
    .map((each) => each.id);
  const words =
    similar.length > 0
      ? `; did you mean ${similar.slice(0, 5).join(', ')}?`
      : didYouMean(
          id,
          catalogue.map((each) => each.id),
        );
  const command = option === '--fault' ? 'faults' : 'variants';
  throw new UsageError(
    `${option} ${id}: there is none of this name${words || `; petspec ${command} lists them`}`,
  );
}
