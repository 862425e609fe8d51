import type { TargetSettings } from './config.ts';
import { type NewTarget, variableFor } from './render-config.ts';
import { mistakesOf } from './schema.ts';

/** A target that is in order whatever else is asked of it. */
const PLAIN = { baseUrl: 'https://staging.example.com/v1' };

/** Why a name cannot be that of a target beside others; undefined where it can. */
export function nameProblem(name: string, others: readonly NewTarget[]): string | undefined {
  if (others.some((each) => each.name === name)) return `${name}: there is a target of this name already`;
  const clash = others.find(({ settings }) => settings.apiKeyVariable === variableFor(name));
  if (clash) return `${name}: its key would be in the same variable as that of ${clash.name}`;
  return mistakesOf({ targets: { [name]: PLAIN } })[0]?.words;
}

/** Why a target cannot have a setting; undefined where it can. */
export function settingProblem(settings: Partial<TargetSettings>): string | undefined {
  return mistakesOf({ targets: { new: { ...PLAIN, ...settings } } })[0]?.words;
}

/** A new target, with a variable of its own for its key. */
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
