import { createInterface } from 'node:readline';
import { stringify } from 'yaml';
import type { TargetSettings } from '../../config/config.ts';
import { mistakesOf } from '../../config/schema.ts';
import { UsageError } from '../../model/usage-error.ts';

/** The CI services that `petspec init` supports. */
export const CI_SERVICES = ['github', 'gitlab'] as const;
export type CiService = (typeof CI_SERVICES)[number];

/** Whether a name is a supported CI service. */
export function isService(name: string): name is CiService {
  return CI_SERVICES.some((service) => service === name);
}

/** The user's answers to the questions of `petspec init`. */
export interface Answers {
  targets: NewTarget[];
  ci?: CiService | undefined;
}

/** The user canceled before the last question. */
export class NoAnswer extends Error {
  override name = 'NoAnswer';
}

/** Asks a question until the answer is valid. */
type Prompt = (question: string, problem?: (answer: string) => string | undefined) => Promise<string>;

/**
 * Asks for targets and the CI service. Asks again if an answer is not valid.
 * @param ci the service, if it is already known
 * @throws NoAnswer if the input ends, or on Ctrl-C
 */
export async function askForTargets(
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
  ci?: CiService,
): Promise<Answers> {
  const terminal = createInterface({ input, output });
  // Lines that arrive early wait here. readline's own `question` would lose them.
  const lines = terminal[Symbol.asyncIterator]();
  terminal.once('SIGINT', () => terminal.close());
  let isClosed = false;
  terminal.once('close', () => {
    isClosed = true;
  });
  const ask: Prompt = async (question, problem = () => undefined) => {
    for (;;) {
      // After its input has ended, readline no longer prompts, but answers may be waiting.
      terminal.setPrompt(`${question} `);
      if (isClosed) output.write(`${question} `);
      else terminal.prompt();
      const { value, done } = await lines.next();
      if (done) throw new NoAnswer();
      const answer = value.trim();
      const wrong = problem(answer);
      if (wrong === undefined) return answer;
      output.write(`  ${wrong}\n`);
    }
  };
  try {
    const targets: NewTarget[] = [];
    do targets.push(await askForTarget(ask, targets));
    while (/^y/i.test(await ask('Another target? (y/N)')));
    const service =
      ci ?? (await ask(`CI service? (${CI_SERVICES.join(', ')}; empty for none)`, serviceProblem));
    return { targets, ci: isService(service) ? service : undefined };
  } finally {
    terminal.close();
  }
}

async function askForTarget(ask: Prompt, targets: readonly NewTarget[]): Promise<NewTarget> {
  const name = await ask('Target name, such as staging:', (answer) => nameProblem(answer, targets));
  const baseUrl = await ask('Base URL (ends with /v1):', (answer) => settingProblem({ baseUrl: answer }));
  const apiUrl = await ask('Base URL of POST /messages (empty for none):', (answer) =>
    answer === '' ? undefined : settingProblem({ apiUrl: answer }),
  );
  const plan = await ask('Rate plan of the key (empty to detect it):', (answer) =>
    answer === '' ? undefined : settingProblem({ plan: answer }),
  );
  return newTarget(name, { baseUrl, apiUrl, plan });
}

function serviceProblem(answer: string): string | undefined {
  return answer === '' || isService(answer)
    ? undefined
    : `unknown service '${answer}'; expected one of ${CI_SERVICES.join(', ')}, or nothing`;
}

/** The options of `petspec init`, as commander parses them. */
export interface InitFlags {
  target?: string[];
  apiUrl?: string[];
  plan?: string[];
  interface?: string;
  ci?: string;
}

/** The targets that the options name. @throws UsageError if a target is not valid */
export function targetsOf({
  target = [],
  apiUrl = [],
  plan = [],
  interface: document,
}: InitFlags): NewTarget[] {
  const targets: NewTarget[] = [];
  const named = target.map((text) => split('--target', text));
  const names = named.map(({ name }) => name);
  const addresses = byName('--api-url', apiUrl, names);
  const plans = byName('--plan', plan, names);
  for (const { name, value } of named) {
    const settings = {
      baseUrl: value,
      apiUrl: addresses.get(name),
      plan: plans.get(name),
      interface: document,
    };
    const stated = Object.fromEntries(
      Object.entries(settings).filter(([, setting]) => setting !== undefined),
    );
    const problem = nameProblem(name, targets) ?? settingProblem(stated);
    if (problem !== undefined) throw new UsageError(`--target ${name}: ${problem}`);
    targets.push(newTarget(name, settings));
  }
  return targets;
}

/** Splits `name=value`. @throws UsageError if the text has another form */
function split(option: string, text: string): { name: string; value: string } {
  const [, name, value] = /^([^=:/]+)=(.+)$/.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw new UsageError(`${option}: '${text}' is not name=value; expected one like ${EXAMPLES[option]}`);
  return { name, value };
}

const EXAMPLES: Readonly<Record<string, string>> = {
  '--target': '--target staging=https://staging.example.com/v1',
  '--api-url': '--api-url staging=https://messages.example.com',
  '--plan': '--plan staging=free',
};

/** Values by target. A value without a name is for all targets. @throws UsageError if a name is not a target */
function byName(option: string, texts: readonly string[], names: readonly string[]): Map<string, string> {
  const values = new Map<string, string>();
  for (const text of texts) {
    const isForAll = !/^[^=:/]+=/.test(text);
    const { name, value } = isForAll ? { name: '', value: text } : split(option, text);
    if (!isForAll && !names.includes(name))
      throw new UsageError(`${option}: unknown target '${name}'; add --target ${name}=<url>`);
    for (const target of isForAll ? names : [name]) values.set(target, value);
  }
  return values;
}

/** A target to write. */
export interface NewTarget {
  name: string;
  settings: TargetSettings & { baseUrl: string; apiKeyVariable: string };
}

/** The text of a new petspec.config.yaml. Its first line names the schema for editors. */
export function renderConfig(targets: readonly NewTarget[]): string {
  const body = Object.fromEntries(targets.map(({ name, settings }) => [name, settings]));
  return `# yaml-language-server: $schema=./node_modules/petspec/petspec.config.schema.json
# The targets of petspec. Run one with npx petspec run ${targets[0]?.name ?? '<name>'}, or all with npx petspec run --all. Options override this file.
# Do not put API keys here: apiKeyVariable is the name of an environment variable.
${stringify({ targets: body }, { lineWidth: 0 })}`;
}

/** The default environment variable for the key of a target. */
function variableFor(name: string): string {
  return `PETSPEC_API_KEY_${name.toUpperCase().replaceAll('-', '_')}`;
}

/** A valid target, to check a name or another setting with. */
const PLAIN = { baseUrl: 'https://staging.example.com/v1' };

/** Why a new target cannot have a name; undefined if it can. */
function nameProblem(name: string, targets: readonly NewTarget[]): string | undefined {
  if (targets.some((target) => target.name === name)) return `target '${name}' already exists`;
  const clash = targets.find(({ settings }) => settings.apiKeyVariable === variableFor(name));
  if (clash)
    return `'${name}' and '${clash.name}' would use the same variable for their keys; choose another name`;
  return mistakesOf({ targets: { [name]: PLAIN } })[0]?.words;
}

/** Why a target cannot have a setting; undefined if it can. */
function settingProblem(settings: Partial<TargetSettings>): string | undefined {
  return mistakesOf({ targets: { new: { ...PLAIN, ...settings } } })[0]?.words;
}

/** A new target with its own variable for the key. */
function newTarget(
  name: string,
  {
    baseUrl,
    apiUrl,
    plan,
    interface: document,
  }: { baseUrl: string } & { [Name in 'apiUrl' | 'plan' | 'interface']?: string | undefined },
): NewTarget {
  return {
    name,
    settings: {
      baseUrl,
      interface: document || undefined,
      ...(apiUrl ? { apiUrl } : {}),
      apiKeyVariable: variableFor(name),
      plan: plan || undefined,
    },
  };
}
