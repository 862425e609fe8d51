import { stringify } from 'yaml';
import type { TargetSettings } from './config.ts';

/** A target that is about to be written down. */
export interface NewTarget {
  name: string;
  settings: TargetSettings & { baseUrl: string; apiKeyVariable: string };
}

/** The text of a new petspec.config.yaml; its first line tells editors which schema it follows. */
export function renderConfig(targets: readonly NewTarget[]): string {
  const body = Object.fromEntries(targets.map(({ name, settings }) => [name, settings]));
  return `# yaml-language-server: $schema=./node_modules/petspec/petspec.config.schema.json
# What petspec judges: petspec run ${targets[0]?.name ?? '<name>'}, or petspec run --all. Options of the command line win over this file.
# A key has no place here: apiKeyVariable names the environment variable that holds it.
${stringify({ targets: body }, { lineWidth: 0 })}`;
}

/** The environment variable for the key of a target, where nobody named one. */
export function variableFor(name: string): string {
  return `PETSPEC_API_KEY_${name.toUpperCase().replaceAll('-', '_')}`;
}
