import { didYouMean } from '../../model/nearest.ts';
import { type Scenario, scenarioNamed, scenarios } from '../../reference/scenarios/index.ts';
import { UsageError } from '../../run/options.ts';

/** The scenario of a name. @throws UsageError if there is none */
export function statedScenario(id: string): Scenario {
  const found = scenarioNamed(id);
  if (found) return found;
  const ids = scenarios.map((each) => each.id);
  throw new UsageError(
    `--scenario: unknown scenario '${id}'${didYouMean(id, ids) || `; expected one of ${ids.join(', ')}`}`,
  );
}

/** The scenarios with what each is, for the end of `--help`. */
export const SCENARIOS_HELP = `
Scenarios:
${scenarios.map(({ id, summary }) => `  ${id.padEnd(20)} ${summary}\n`).join('')}`;
