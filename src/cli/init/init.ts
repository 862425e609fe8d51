import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Command } from 'commander';
import { CONFIG_FILE } from '../../config/config.ts';
import type { NewTarget } from '../../config/render-config.ts';
import { UsageError } from '../../run/options.ts';
import { isFileError } from '../output/write-reports.ts';
import { CI_SERVICES, type CiService, isService } from './ci-services.ts';
import type { InitFlags } from './flags.ts';
import type { Answers } from './questions.ts';

/** The variable of a target that names none. */
const DEFAULT_VARIABLE = 'PETSPEC_API_KEY';

const collect = (value: string, earlier: string[] = []) => [...earlier, value];

/** `petspec init`: writes a configuration, and what runs petspec in CI. */
export function initCommand(): Command {
  return new Command('init')
    .summary('write a configuration, and a workflow for CI')
    .description(
      `Writes ${CONFIG_FILE} into this folder, and on request what GitHub Actions or GitLab CI needs to run petspec. Asks on a terminal; elsewhere the options say it all. Overwrites nothing.`,
    )
    .option('--target <name=url>', 'a target and its base address (repeatable); asks nothing then', collect)
    .option(
      '--api-url <name=url>',
      'where POST /messages lives (repeatable; without a name: for all)',
      collect,
    )
    .option('--plan <name=plan>', 'the plan of its key (repeatable; without a name: for all)', collect)
    .option(
      '--ci <service>',
      `${CI_SERVICES.join(' or ')}; for a configuration that is there, it is all that is written`,
    )
    .addHelpText('after', EXAMPLES)
    .action(init);
}

/** A file that is about to be written. */
interface NewFile {
  path: string;
  text: string;
}

async function init(flags: InitFlags): Promise<void> {
  const stated = serviceOf(flags);
  const isForExisting = stated !== undefined && flags.target === undefined && existsSync(CONFIG_FILE);
  // Nobody should answer questions in vain.
  if (!isForExisting) refuseExisting([CONFIG_FILE]);
  const { targets, ci } = isForExisting
    ? { targets: await configuredTargets(), ci: stated }
    : await answers(flags, stated);
  const files = isForExisting ? [] : [{ path: CONFIG_FILE, text: (await rendering()).renderConfig(targets) }];
  if (ci) files.push(...(await filesFor(ci, targets)));
  writeAll(files);
  for (const { path } of files) process.stdout.write(`wrote ${path}\n`);
  for (const line of hints(targets, ci, files)) process.stdout.write(`${line}\n`);
}

/** @throws UsageError where there is no such service */
function serviceOf({ ci }: InitFlags): CiService | undefined {
  if (ci === undefined || isService(ci)) return ci;
  throw new UsageError(`--ci ${ci}: there is no such service; one of ${CI_SERVICES.join(', ')}`);
}

/** What the options say; on a terminal what they leave to be asked. @throws UsageError where neither says enough */
async function answers(flags: InitFlags, ci: CiService | undefined): Promise<Answers> {
  const { targetsOf } = await import('./flags.ts');
  if (flags.target !== undefined) return { targets: targetsOf(flags), ...(ci ? { ci } : {}) };
  if (flags.apiUrl || flags.plan) throw new UsageError('--api-url and --plan go with --target');
  if (!process.stdin.isTTY || !process.stdout.isTTY)
    throw new UsageError(
      'without a terminal the options have to say it: --target staging=https://staging.example.com/v1',
    );
  const { askForTargets, NoAnswer } = await import('./questions.ts');
  return askForTargets(process.stdin, process.stdout, ci).catch((error: unknown) => {
    if (error instanceof NoAnswer) throw new UsageError('left before the last question: nothing was written');
    throw error;
  });
}

/** The targets of the configuration that is there already. */
async function configuredTargets(): Promise<NewTarget[]> {
  const { readConfig } = await import('../options/config-file.ts');
  return (readConfig(CONFIG_FILE)?.targets ?? []).map(
    ({ name, baseUrl, apiKeyVariable = DEFAULT_VARIABLE }) => ({
      name,
      settings: { baseUrl, apiKeyVariable },
    }),
  );
}

function rendering() {
  return import('../../config/render-config.ts');
}

/** What a CI service needs, beside the configuration. */
async function filesFor(ci: CiService, targets: readonly NewTarget[]): Promise<NewFile[]> {
  const known = targets.map(({ name, settings }) => ({ name, apiKeyVariable: settings.apiKeyVariable }));
  if (ci === 'github') {
    const { GITHUB_FILE, renderGithubWorkflow } = await import('../../config/github-workflow.ts');
    return [{ path: GITHUB_FILE, text: renderGithubWorkflow(known) }];
  }
  const { GITLAB_FILE, GITLAB_INCLUDE, GITLAB_MAIN_FILE, renderGitlabPipeline } = await import(
    '../../config/gitlab-pipeline.ts'
  );
  const main = existsSync(GITLAB_MAIN_FILE) ? [] : [{ path: GITLAB_MAIN_FILE, text: GITLAB_INCLUDE }];
  return [{ path: GITLAB_FILE, text: renderGitlabPipeline(known) }, ...main];
}

/** @throws UsageError where any of the files is there */
function refuseExisting(paths: readonly string[]): void {
  const there = paths.filter((path) => existsSync(path));
  if (there.length > 0)
    throw new UsageError(`${there.join(', ')}: is there already, and petspec init overwrites nothing`);
}

/** Writes all of the files, or none. @throws UsageError where one is there, or cannot be written */
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
    throw new UsageError(`${error.path ?? 'a file'}: cannot be written (${error.code}); nothing was`);
  }
}

/** What is left to do by hand. */
function hints(
  targets: readonly NewTarget[],
  ci: CiService | undefined,
  files: readonly NewFile[],
): string[] {
  const variables = [...new Set(targets.map(({ settings }) => settings.apiKeyVariable))].join(', ');
  const first = targets[0]?.name ?? '';
  const isIncluded = files.some(({ path }) => path === '.gitlab-ci.yml');
  return [
    ...(ci === 'github' ? [`the keys: secrets of the repository, named ${variables}`] : []),
    ...(ci === 'gitlab' ? [`the keys: masked CI/CD variables of the project, named ${variables}`] : []),
    ...(ci === 'gitlab' && !isIncluded
      ? ['add to .gitlab-ci.yml, under include: - local: petspec.gitlab-ci.yml']
      : []),
    ...(ci === undefined
      ? []
      : ['the jobs run the petspec of package-lock.json: install it in this project, as its README says']),
    `here: ${variables.split(', ')[0]}=... npx petspec run ${first}`,
  ];
}

const EXAMPLES = `
Examples:
  petspec init
  petspec init --target staging=https://staging.example.com/v1 --api-url https://messages.example.com --plan free
  petspec init --target staging=https://staging.example.com/v1 --target production=https://api.example.com/v1 --ci github
  petspec init --ci gitlab                              a workflow for the configuration that is there`;
