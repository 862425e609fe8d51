import type { TargetSettings } from './config.ts';
import { type NewTarget, variableFor } from './render-config.ts';
import { mistakesOf } from './schema.ts';

/** A valid target. */
const PLAIN = { baseUrl: 'https://staging.example.com/v1' };

/** Why a new target cannot have a name; undefined if it can. */
export function nameProblem(name: string, others: readonly NewTarget[]): string | undefined {
  if (others.some((each) => each.name === name)) return `target '${name}' already exists`;
  const clash = others.find(({ settings }) => settings.apiKeyVariable === variableFor(name));
  if (clash)
    return `'${name}' and '${clash.name}' would use the same variable for their keys; choose another name`;
  return mistakesOf({ targets: { [name]: PLAIN } })[0]?.words;
}

/** Why a target cannot have a setting; undefined if it can. */
export function settingProblem(settings: Partial<TargetSettings>): string | undefined {
  return mistakesOf({ targets: { new: { ...PLAIN, ...settings } } })[0]?.words;
}

/** A new target with its own variable for the key. */
export function newTarget(name: string, baseUrl: string, apiUrl?: string, plan?: string): NewTarget {
  return {
    name,
    settings: {
      baseUrl,
      ...(apiUrl ? { apiUrl } : {}),
      apiKeyVariable: variableFor(name),
      ...(plan ? { plan } : {}),
    },
  };
}
