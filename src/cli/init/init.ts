import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Command } from 'commander';
import {
  GITHUB_FILE,
  GITLAB_FILE,
  GITLAB_INCLUDE,
  GITLAB_MAIN_FILE,
  renderGithubWorkflow,
  renderGitlabPipeline,
} from '../../config/ci-jobs.ts';
import { CONFIG_FILE } from '../../config/config.ts';
import type { Contract } from '../../model/contract.ts';
import { isFileError } from '../../model/file-error.ts';
import { UsageError } from '../../model/usage-error.ts';
import { interfaceOf } from '../../run/contract-of.ts';
import { refuseUnknownPlan, refuseUnknownServers } from '../../run/options.ts';
import { readConfig } from '../options/named-file.ts';
import { collect } from '../options/option-values.ts';
import {
  type Answers,
  askForTargets,
  CI_SERVICES,
  type CiService,
  type InitFlags,
  isService,
  type NewTarget,
  NoAnswer,
  renderConfig,
  targetsOf,
} from './targets.ts';

/** The variable with the key, if the configuration names none. */
const DEFAULT_VARIABLE = 'PETSPEC_API_KEY';

/** `petspec init`: writes a configuration, and files for CI. */
export function initCommand(): Command {
  return new Command('init')
    .description(
      `Writes ${CONFIG_FILE} into this folder, and optionally a workflow for GitHub Actions or GitLab CI. Asks for the targets, unless --target names them. Never overwrites a file.`,
    )
    .option('--target <name=url>', 'name and base URL of a target (repeatable)', collect)
    .option(
      '--api-url <name=url>',
      'base URL of POST /messages (repeatable; without a name, for all targets)',
      collect,
    )
    .option(
      '--plan <name=plan>',
      'rate plan of the key (repeatable; without a name, for all targets)',
      collect,
    )
    .option(
      '--interface <path>',
      'OpenAPI document, or the folder of an interface, to judge all targets by (default: the bundled interface)',
    )
    .option(
      '--ci <service>',
      `write a workflow for ${CI_SERVICES.join(' or ')}; uses ${CONFIG_FILE} if it exists`,
    )
    .addHelpText('after', EXAMPLES)
    .action(init);
}

/** A file to write. */
interface NewFile {
  path: string;
  text: string;
}

async function init(flags: InitFlags): Promise<void> {
  const stated = serviceOf(flags);
  if (flags.target === undefined && (flags.apiUrl || flags.plan))
    throw new UsageError(
      '--api-url and --plan need --target, such as --target staging=https://staging.example.com/v1',
    );
  const isForExisting = stated !== undefined && flags.target === undefined && existsSync(CONFIG_FILE);
  // Checked before the user answers any questions.
  if (!isForExisting) refuseExisting([CONFIG_FILE]);
  if (flags.interface !== undefined) {
    if (flags.target === undefined)
      throw new UsageError('--interface needs --target, such as --target local=http://localhost:3000');
    refuseOfOtherInterface((await interfaceOf(flags)).contract, targetsOf(flags));
  }
  const { targets, ci } = isForExisting
    ? { targets: await configuredTargets(), ci: stated }
    : await answers(flags, stated);
  const files = isForExisting ? [] : [{ path: CONFIG_FILE, text: renderConfig(targets) }];
  if (ci) files.push(...filesFor(ci, targets));
  writeAll(files);
  for (const { path } of files) process.stdout.write(`wrote ${path}\n`);
  for (const line of nextSteps(targets, ci, files)) process.stdout.write(`${line}\n`);
}

/** @throws UsageError if a target has a rate plan or a server that the interface does not have, as a run of it would */
function refuseOfOtherInterface(contract: Contract, targets: readonly NewTarget[]): void {
  for (const { settings } of targets) {
    refuseUnknownPlan(settings.plan, Object.keys(contract.ratePlans));
    refuseUnknownServers(contract, settings);
  }
}

/** @throws UsageError if the service is unknown */
function serviceOf({ ci }: InitFlags): CiService | undefined {
  if (ci === undefined || isService(ci)) return ci;
  throw new UsageError(`--ci: unknown service '${ci}'; expected one of ${CI_SERVICES.join(', ')}`);
}

/** The targets from the options, or from questions on a terminal. @throws UsageError if there is neither */
async function answers(flags: InitFlags, ci: CiService | undefined): Promise<Answers> {
  if (flags.target !== undefined) return { targets: targetsOf(flags), ci };
  if (!process.stdin.isTTY || !process.stdout.isTTY)
    throw new UsageError(
      'no terminal to ask on; name a target, such as --target staging=https://staging.example.com/v1',
    );
  return askForTargets(process.stdin, process.stdout, ci).catch((error: unknown) => {
    if (error instanceof NoAnswer) throw new UsageError('canceled; nothing was written');
    throw error;
  });
}

/** The targets of the existing configuration. */
async function configuredTargets(): Promise<NewTarget[]> {
  return ((await readConfig(CONFIG_FILE))?.targets ?? []).map(
    ({ name, place: _, apiKeyVariable = DEFAULT_VARIABLE, ...settings }) => ({
      name,
      settings: { ...settings, apiKeyVariable },
    }),
  );
}

/** Whether `--deep` may be used for a target: it needs a limit, and more requests than a run needs. */
function canBeDeep({ plan, limit, dayLimit, interface: document, exhaust }: NewTarget['settings']): boolean {
  const isLimitKnown = limit !== undefined || (plan !== undefined && plan !== 'enterprise');
  return isLimitKnown && dayLimit === undefined && document === undefined && exhaust !== 'day';
}

/** The files for a CI service. */
function filesFor(ci: CiService, targets: readonly NewTarget[]): NewFile[] {
  const ciTargets = targets.map(({ name, settings }) => ({
    name,
    apiKeyVariable: settings.apiKeyVariable,
    canBeDeep: canBeDeep(settings),
  }));
  if (ci === 'github') return [{ path: GITHUB_FILE, text: renderGithubWorkflow(ciTargets) }];
  const main = existsSync(GITLAB_MAIN_FILE) ? [] : [{ path: GITLAB_MAIN_FILE, text: GITLAB_INCLUDE }];
  return [{ path: GITLAB_FILE, text: renderGitlabPipeline(ciTargets) }, ...main];
}

/** @throws UsageError if any of the files exists */
function refuseExisting(paths: readonly string[]): void {
  const existing = paths.filter((path) => existsSync(path));
  if (existing.length > 0)
    throw new UsageError(`${existing.join(', ')} already exists; petspec init never overwrites a file`);
}

/** Writes all of the files, or none. @throws UsageError if a file exists, or cannot be written */
function writeAll(files: readonly NewFile[]): void {
  refuseExisting(files.map(({ path }) => path));
  const written: string[] = [];
  try {
    for (const { path, text } of files) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text, { flag: 'wx' });
      written.push(path);
    }
  } catch (error) {
    for (const path of written) rmSync(path, { force: true });
    if (!isFileError(error)) throw error;
    throw new UsageError(`cannot write ${error.path ?? 'a file'} (${error.code}); nothing was written`);
  }
}

/** Where a CI service keeps secrets. */
const SECRETS = { github: 'repository secrets', gitlab: 'masked CI/CD variables of the project' } as const;

/** How a CI service publishes the board. */
const PAGES = {
  github: "set Pages to 'GitHub Actions' in the settings, and the repository variable PETSPEC_PAGES to true",
  gitlab: 'set the CI/CD variable PETSPEC_PAGES to true',
} as const;

/** The steps that remain for the user. */
function nextSteps(
  targets: readonly NewTarget[],
  ci: CiService | undefined,
  files: readonly NewFile[],
): string[] {
  const variables = [...new Set(targets.map(({ settings }) => settings.apiKeyVariable))].join(', ');
  const first = targets[0]?.name ?? '';
  const isIncluded = files.some(({ path }) => path === GITLAB_MAIN_FILE);
  return [
    ...(ci ? [`store the API keys as ${SECRETS[ci]}: ${variables}`] : []),
    ...(ci === 'gitlab' && !isIncluded
      ? [`add to ${GITLAB_MAIN_FILE}, under 'include': - local: ${GITLAB_FILE}`]
      : []),
    ...(ci === undefined
      ? []
      : [
          'install petspec in this project, as its README says; the jobs use the version in package-lock.json',
          `to publish a board of the runs: ${PAGES[ci]}`,
          ...(ci === 'github'
            ? [
                'to certify each push and attest the certificate: set the repository variable PETSPEC_ATTEST to true',
              ]
            : []),
          ...(ci === 'gitlab' ? ['to explore with new requests each night: add a pipeline schedule'] : []),
        ]),
    `to run it here: ${variables.split(', ')[0]}=... npx petspec run ${first}`,
  ];
}

const EXAMPLES = `
Examples:
  petspec init
  petspec init --target staging=https://staging.example.com/v1 --api-url https://messages.example.com --plan free
  petspec init --target staging=https://staging.example.com/v1 --target production=https://api.example.com/v1 --ci github
  petspec init --target local=http://localhost:3000 --interface openapi.yaml
  petspec init --ci gitlab                              a workflow for the existing configuration`;
