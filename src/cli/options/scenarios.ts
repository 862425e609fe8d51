import { scenarios } from '../../reference/scenarios/index.ts';

/** The scenarios with what each is, for the end of `--help`. */
export const SCENARIOS_HELP = `
Scenarios:
${scenarios.map(({ id, summary }) => `  ${id.padEnd(20)} ${summary}\n`).join('')}`;
