import { type NewTarget, nameProblem, newTarget, settingProblem } from '../../config/new-targets.ts';
import { UsageError } from '../../model/usage-error.ts';

/** The options of `petspec init`, as commander parses them. */
export interface InitFlags {
  target?: string[];
  apiUrl?: string[];
  plan?: string[];
  interface?: string;
  ci?: string;
}

/** The targets that the options name. @throws UsageError if one is not valid */
export function targetsOf({ target = [], apiUrl = [], plan = [], interface: own }: InitFlags): NewTarget[] {
  const targets: NewTarget[] = [];
  const named = target.map((text) => split('--target', text));
  const names = named.map(({ name }) => name);
  const addresses = byName('--api-url', apiUrl, names);
  const plans = byName('--plan', plan, names);
  for (const { name, value } of named) {
    const settings = { baseUrl: value, apiUrl: addresses.get(name), plan: plans.get(name), interface: own };
    const stated = Object.fromEntries(Object.entries(settings).filter(([, each]) => each !== undefined));
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
  const found = new Map<string, string>();
  for (const text of texts) {
    const isForAll = !/^[^=:/]+=/.test(text);
    const { name, value } = isForAll ? { name: '', value: text } : split(option, text);
    if (!isForAll && !names.includes(name))
      throw new UsageError(`${option}: unknown target '${name}'; add --target ${name}=<url>`);
    for (const each of isForAll ? names : [name]) found.set(each, value);
  }
  return found;
}
