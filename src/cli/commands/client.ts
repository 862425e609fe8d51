import { Command } from 'commander';
import { commandClient, VARIABLES } from '../../client/clients.ts';
import { clientRequirements, selectClientRequirements } from '../../client/judge-client.ts';
import { runClient, SCENARIOS_HELP, statedScenario } from '../../client/run-client.ts';
import { hidingOf, shownCommand } from '../../client/shown-command.ts';
import { realClock, steady } from '../../model/clock.ts';
import { counted } from '../../model/report/report.ts';
import { clip, visible } from '../../model/visible.ts';
import { type Scenario, scenarios } from '../../reference/scenarios/index.ts';
import { assembleClient, clientExchanges } from '../../report/assemble/assemble-client.ts';
import { shellWord } from '../../report/facts/command-line.ts';
import { interfaceOf } from '../../run/contract-of.ts';
import { isSecretName } from '../../secrets/secret-name.ts';
import { documentScenarios, scenarioServer } from '../../server/scenarios.ts';
import { Bugs } from '../../traffic/bugs.ts';
import type { ScenarioTraffic } from '../../traffic/client-check.ts';
import { openBaselines } from '../options/baselines.ts';
import {
  type JudgingFlags,
  names,
  refuseQuietAndVerbose,
  withJudgingOptions,
} from '../options/judging-flags.ts';
import { DEFAULT_FORMATS, wholeNumber } from '../options/option-values.ts';
import { detailOf } from '../options/run-options.ts';
import { refuseSigned } from '../options/signing.ts';
import { deliver } from '../output/deliver.ts';
import { heedInterruption } from '../output/interruption.ts';
import { clearFolder, openFolder, openReportFolder } from '../output/out-folder.ts';

interface ClientFlags extends JudgingFlags {
  scenario?: string[];
  interface?: string;
  baseUrlVariable: string;
  apiUrlVariable: string;
  apiKeyVariable: string;
  timeout: number;
}

/** `petspec client -- <command>`: runs a client against the reference, and judges what it sends. */
export function clientCommand(exit: (status: number) => void): Command {
  const command = new Command('client')
    .description(
      'Runs a client against the reference, or against a server made from a document, once for each scenario, and judges what it sends. Each time the client gets other addresses and another key.',
    )
    .usage('[options] -- <command...>')
    .argument('<command...>', 'the client; {baseUrl}, {apiUrl} and {apiKey} in its arguments are replaced')
    .option(
      '--interface <path>',
      'OpenAPI document, or a folder with one, that the client is for (default: the animal store)',
    )
    .option(
      '--scenario <names>',
      'run only these scenarios (repeatable or comma-separated)',
      names('--scenario'),
    )
    .option('--base-url-variable <name>', 'environment variable for the base URL', VARIABLES.baseUrl)
    .option(
      '--api-url-variable <name>',
      'environment variable for the URL of the message API',
      VARIABLES.apiUrl,
    )
    .option('--api-key-variable <name>', 'environment variable for the API key', VARIABLES.apiKey)
    .option('--timeout <s>', 'maximum seconds for one scenario', wholeNumber, 120);
  return withJudgingOptions(command, {
    exact: 'the run finds exactly these',
    verbose: 'print what the client prints, and every finding in full',
  })
    .addHelpText('after', SCENARIOS_HELP + OF_DOCUMENTS + EXAMPLES)
    .action(async (command: string[], flags: ClientFlags) => exit(await client(command, flags)));
}

async function client(command: readonly string[], flags: ClientFlags): Promise<number> {
  refuseQuietAndVerbose(flags);
  const { contract } = await interfaceOf({ interface: flags.interface });
  const requirements = clientRequirements(contract);
  const only = flags.only ?? [];
  selectClientRequirements(requirements, only);
  const offered = flags.interface === undefined ? scenarios : documentScenarios(contract);
  const chosen = flags.scenario?.map((id) => statedScenario('--scenario', id, offered)) ?? offered;
  const baselines = await openBaselines(flags, { requirements, newer: [], operations: contract.operations });
  refuseSigned(flags.out);
  openFolder(flags.out);
  const interruption = heedInterruption(() => {});
  const clock = steady(realClock);
  const startedAt = clock.now();
  const secrets = new Set(secretsIn(process.env));
  const traffic = await runClient(contract, commandClient(command, settingsOf(flags)), {
    scenarios: chosen,
    ...(flags.interface === undefined ? {} : { start: scenarioServer(contract) }),
    clock,
    timeout: flags.timeout * 1000,
    signal: interruption.signal,
    onScenario: (scenario) => announce(scenario, flags),
    onSecret: (secret) => secrets.add(secret),
  }).finally(interruption.release);
  // A client that cannot be started leaves the reports of an earlier run.
  const { path: out, problem } = openReportFolder(flags.out, clearFolder);
  if (!flags.quiet) for (const scenario of traffic.scenarios) tellFailure(scenario, hidingOf([...secrets]));
  for (const scenario of traffic.scenarios) tellUnjudged(scenario);
  const record = {
    command: shownCommand(command, [...secrets])
      .map(shownWord)
      .join(' '),
    advice: ADVICE,
    scenarios: chosen,
    only,
    strict: flags.strict ?? false,
    isInterrupted: interruption.signal.aborted,
    startedAt,
    finishedAt: clock.now(),
  };
  const bugs = new Bugs();
  const sent = { probes: chosen };
  const report = baselines.compare(assembleClient(contract, record, traffic, bugs), sent);
  const status = await deliver(report, () => clientExchanges(traffic), {
    formats: flags.format ?? DEFAULT_FORMATS,
    out: problem ? undefined : out,
    detail: detailOf(flags),
    seconds: (record.finishedAt - startedAt) / 1000,
  });
  if (bugs.first !== undefined) throw bugs.first;
  await baselines.keep(report, sent);
  return status;
}

/** The secrets in the environment, judging by the names of the variables. */
function secretsIn(env: NodeJS.ProcessEnv): string[] {
  return Object.entries(env).flatMap(([name, value = '']) =>
    isSecretName(name) && value.length >= MIN_SECRET ? [value] : [],
  );
}

/** Shorter values of the environment may be common words. */
const MIN_SECRET = 8;

/** A word of a command, quoted only if a shell needs it. */
function shownWord(word: string): string {
  return /^[\w./:=@%+,{}-]+$/.test(word) ? word : shellWord(word);
}

function settingsOf(flags: ClientFlags) {
  return {
    variables: {
      baseUrl: flags.baseUrlVariable,
      apiUrl: flags.apiUrlVariable,
      apiKey: flags.apiKeyVariable,
    },
    environment: process.env,
    onOutput: (text: string) => {
      if (!flags.verbose) return;
      const lines = text.replace(/\n$/, '').split('\n');
      for (const line of lines) process.stderr.write(`  | ${visible(line)}\n`);
    },
  };
}

function announce({ id, summary }: Scenario, { quiet }: ClientFlags): void {
  if (!quiet) process.stderr.write(`${id}: ${summary}\n`);
}

/** Prints how many requests a bug keeps from being judged, which is no finding either. */
function tellUnjudged({ scenario, unjudged }: ScenarioTraffic): void {
  if (unjudged)
    process.stderr.write(
      `${scenario}: not judged because of a bug of petspec: ${counted(unjudged.count, 'request')}\n`,
    );
}

/** Prints how a client failed, which is no finding: a crash explains missing requests. */
function tellFailure(
  { scenario, end: { kind, words, lastLine = '' } }: ScenarioTraffic,
  hide: (text: string) => string,
): void {
  if (kind !== 'failed') return;
  const hidden = hide(lastLine);
  const lastWords = hidden === '' ? '' : `: ${visible(clip(hidden.trim(), MAX_LAST_LINE))}`;
  process.stderr.write(`${scenario}: the client failed (${words})${lastWords}\n`);
}

const MAX_LAST_LINE = 200;

const ADVICE =
  'give it the addresses and the key from its environment, or as {baseUrl}, {apiUrl} and {apiKey} in its arguments';

const OF_DOCUMENTS = `
Scenarios with --interface:
${documentScenarios({ operations: [] })
  .map(({ id, summary }) => `  ${id.padEnd(20)} ${summary}\n`)
  .join('')}`;

const EXAMPLES = `
Examples:
  petspec client -- node sync.js
  petspec client --base-url-variable STORE_URL --api-key-variable STORE_KEY -- ./gradlew syncTest
  petspec client --interface openapi.yaml -- node sync.js
  petspec client --scenario plain,retry-after-date -- curl --retry 3 -H 'Authorization: Bearer {apiKey}' {baseUrl}/pets

All scenarios take about a minute, as one has a Retry-After of 35 seconds.`;
