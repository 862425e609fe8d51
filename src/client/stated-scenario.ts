import { didYouMean, UsageError } from '../model/usage-error.ts';
import { type Scenario, scenarios } from '../reference/scenarios/index.ts';

/**
 * The scenario with this id.
 * @param setting the option that the id was passed to, for the message
 * @param all the scenarios that there are; by default those of the animal store
 * @throws UsageError if no scenario has this id
 */
export function statedScenario(
  setting: '--scenario' | "'scenarios'",
  id: string,
  all: readonly Scenario[] = scenarios,
): Scenario {
  const found = all.find((each) => each.id === id);
  if (found) return found;
  const ids = all.map((each) => each.id);
  throw new UsageError(
    `${setting}: unknown scenario '${id}'${didYouMean(id, ids) || `; expected one of ${ids.join(', ')}`}`,
  );
}

/** The scenarios with what each is, for the end of `--help`. */
export const SCENARIOS_HELP = `
Scenarios:
${scenarios.map(({ id, summary }) => `  ${id.padEnd(20)} ${summary}\n`).join('')}`;
