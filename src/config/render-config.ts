import { stringify } from 'yaml';
import type { TargetSettings } from './config.ts';

/** A target to write. */
export interface NewTarget {
  name: string;
  settings: TargetSettings & { baseUrl: string; apiKeyVariable: string };
}

/** The text of a new petspec.config.yaml. Its first line names the schema for editors. */
export function renderConfig(targets: readonly NewTarget[]): string {
  const body = Object.fromEntries(targets.map(({ name, settings }) => [name, settings]));
  return `# yaml-language-server: $schema=./node_modules/petspec/petspec.config.schema.json
# The targets of petspec. Run one with petspec run ${targets[0]?.name ?? '<name>'}, or all with petspec run --all. Options override this file.
# Do not put API keys here: apiKeyVariable is the name of an environment variable.
${stringify({ targets: body }, { lineWidth: 0 })}`;
}

/** The default environment variable for the key of a target. */
export function variableFor(name: string): string {
  return `PETSPEC_API_KEY_${name.toUpperCase().replaceAll('-', '_')}`;
}
