import { Command } from 'commander';
import { tellsSomething } from '../../judge/limiter/profile/profile.ts';
import { isTold, type ProfileStatement } from '../../judge/limiter/profile/statement.ts';
import { realClock } from '../../model/clock.ts';
import { brief } from '../../model/exchange.ts';
import { counted } from '../../model/report/report.ts';
import { UsageError } from '../../model/usage-error.ts';
import { visible } from '../../model/visible.ts';
import { secondsInWords } from '../../report/text/announcement.ts';
import { pageOf, paragraph, type Style, type TextLayout } from '../../report/text/style.ts';
import {
  costOfProfile,
  PROFILE_BUDGET,
  type Profiled,
  profileLimiter,
} from '../../run/limiter/profile-limiter.ts';
import { wholeNumber } from '../options/option-values.ts';
import { renderWarnings, resolveTarget } from '../options/resolve-target.ts';
import {
  addOptions,
  CONNECTION_OPTIONS,
  INTERFACE_OPTIONS,
  KEY_OPTIONS,
  TARGET_HELP,
} from '../options/run-flags.ts';
import type { RunFlags } from '../options/run-options.ts';
import { heedInterruption, INTERRUPTED } from '../output/interruption.ts';
import { showProgress } from '../output/progress.ts';
import { keepSecret } from '../output/secrets.ts';

/** The exit status if the reads show nothing. */
const INCOMPLETE = 3;

/** Fewer requests say nothing about a limiter. */
const LEAST_BUDGET = 10;

interface LimiterFlags extends Omit<RunFlags, 'out' | 'budget'> {
  budget: number;
  json?: boolean;
}

/** `petspec limiter`: what the rate limiter of a service does, by reads alone. */
export function limiterCommand(exit: (status: number) => void): Command {
  const command = new Command('limiter')
    .description(
      'Tells what the rate limiter of a service does: its kind, window and limit, what counts, what its headers mean. Only reads; never a verdict.',
    )
    .argument('<target>', TARGET_HELP);
  addOptions(command, [...INTERFACE_OPTIONS, ...KEY_OPTIONS]);
  command
    .optionsGroup('Limits:')
    .option('--budget <requests>', 'maximum number of requests', wholeNumber, PROFILE_BUDGET);
  addOptions(command, ['timeout', 'maxWait', 'maxTime', ...CONNECTION_OPTIONS]);
  return command
    .optionsGroup('Output:')
    .option('--json', 'print JSON')
    .addHelpText('after', EXAMPLES)
    .action(async (target: string, flags: LimiterFlags) => exit(await limiter(target, flags)));
}

async function limiter(target: string, { budget, json, ...flags }: LimiterFlags): Promise<number> {
  if (budget < LEAST_BUDGET)
    throw new UsageError(`--budget ${budget}: so few requests show nothing; name at least ${LEAST_BUDGET}`);
  const { options, judging } = await resolveTarget(target, { ...flags, out: '' });
  const { baseUrl, apiKey = '' } = options;
  if (baseUrl === undefined) throw new UsageError('no target named');
  keepSecret(options);
  process.stderr.write(renderWarnings(options, flags));
  const { seconds } = costOfProfile(budget, options);
  process.stderr.write(
    `reading ${visible(baseUrl)} until its limiter refuses: at most ${budget} requests, at most ${secondsInWords(seconds)} in all; nothing added or changed\n`,
  );
  const progress = showProgress(process.stderr, process.env, 'usual');
  const { signal, release } = heedInterruption(() => progress.say(INTERRUPTED));
  let profiled: Profiled;
  try {
    const reached = { baseUrl, apiKey, servers: options.servers };
    const surroundings = { clock: realClock, signal, onProgress: progress.update };
    profiled = await profileLimiter(judging, options, reached, budget, surroundings);
  } finally {
    release();
    progress.end();
  }
  const page = pageOf(process.stdout, process.env);
  process.stdout.write(
    json ? `${JSON.stringify(asData(baseUrl, profiled), null, 2)}\n` : renderProfile(baseUrl, profiled, page),
  );
  return tellsSomething(profiled.profile) ? 0 : INCOMPLETE;
}

/** What `--json` prints. */
function asData(target: string, { profile, exchanges, endedBy }: Profiled) {
  return {
    target,
    ...profile,
    endedBy,
    exchanges: exchanges.map(brief),
  };
}

const EXAMPLES = `
It reads until a request is refused, sends nothing while the window is closed, and says of each thing which exchanges show it.
It uses up the limit of one window, of two if no header tells when it resets, of three if none tells what is left, and of more if the
limit is smaller than what it measures with. Nobody else should use the key meanwhile.

Exit status: 0, 2 if the usage is wrong, or 3 if nothing could be told.

Examples:
  petspec limiter http://localhost:3000 --interface openapi.yaml
  PETSPEC_API_KEY=... petspec limiter https://staging.example.com/v1 --json`;

/** The headings of a profile, each with the statements under it that no earlier heading has. */
const HEADINGS: readonly (readonly [string, (about: string) => boolean])[] = [
  ['How it limits', (about) => ['kind', 'window', 'limit', 'scope'].includes(about)],
  ['What counts', (about) => about.startsWith('cost ')],
  ['What its headers mean', () => true],
];

/** The names of statements in the text. */
const NAMES: Readonly<Record<string, string>> = {
  'cost wrong-key': 'wrong key',
  'cost head': 'HEAD',
  'reset form': 'Reset',
  'reset meaning': 'Reset',
  'retry-after': 'Retry-After',
  'retry-after holds': 'Retry-After',
};

const INDENT = 15;

/** Exchanges that are named as evidence of a statement. */
const MOST_NAMED = 4;

/** The lines that `petspec limiter` prints. */
function renderProfile(
  baseUrl: string,
  { profile, exchanges, endedBy }: Profiled,
  { style, width }: TextLayout,
): string {
  let remaining = profile.statements;
  const sections = HEADINGS.flatMap(([heading, isUnder]) => {
    const statements = remaining.filter(({ about }) => isUnder(about));
    remaining = remaining.filter(({ about }) => !isUnder(about));
    return statements.length === 0
      ? []
      : [
          '',
          style('bold', heading),
          ...statements.flatMap((statement) => statementLines(statement, style, width)),
        ];
  });
  const lines = [
    `The limiter of ${visible(baseUrl)}, by ${counted(exchanges.length, 'read')} (#1, #2 ... are their numbers)`,
    ...sections,
    ...(profile.isReached
      ? []
      : ['', 'The limit was not reached, so nothing shows whether the headers are right about it']),
    ...(endedBy === undefined ? [] : ['', visible(`It ended early: ${endedBy}`)]),
  ];
  return `${lines.join('\n')}\n`;
}

function statementLines(statement: ProfileStatement, style: Style, width: number): string[] {
  const { about, text, shownBy, ruledOut = [] } = statement;
  const name = NAMES[about] ?? about.replace(/^cost /, '');
  const named = shownBy.slice(0, MOST_NAMED).map((id) => `#${id}`);
  const proof = named.length === 0 ? '' : ` (${named.join(', ')})`;
  const first = `  ${visible(name).padEnd(INDENT - 3)} `;
  const line = paragraph(first, `${visible(text)}${proof}`, INDENT, width);
  return [
    isTold(statement) ? line : style('dim', line),
    ...ruledOut.map(({ model, exchange, because }) =>
      paragraph(`${' '.repeat(INDENT)}- `, `not a ${model}: #${exchange}: ${because}`, INDENT + 2, width),
    ),
  ];
}
