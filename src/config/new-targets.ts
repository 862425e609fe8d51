import { stringify } from 'yaml';
import type { TargetSettings } from './config.ts';
import { mistakesOf } from './schema.ts';

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
export function nameProblem(name: string, targets: readonly NewTarget[]): string | undefined {
  if (targets.some((target) => target.name === name)) return `target '${name}' already exists`;
  const clash = targets.find(({ settings }) => settings.apiKeyVariable === variableFor(name));
  if (clash)
    return `'${name}' and '${clash.name}' would use the same variable for their keys; choose another name`;
  return mistakesOf({ targets: { [name]: PLAIN } })[0]?.words;
}

/** Why a target cannot have a setting; undefined if it can. */
export function settingProblem(settings: Partial<TargetSettings>): string | undefined {
  return mistakesOf({ targets: { new: { ...PLAIN, ...settings } } })[0]?.words;
}

/** A new target with its own variable for the key. */
export function newTarget(
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
