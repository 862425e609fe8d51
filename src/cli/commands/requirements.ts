import { Command } from 'commander';
import { group } from 'd3-array';
import type { Requirement } from '../../model/contract.ts';
import { counted } from '../../model/report/report.ts';
import { UsageError } from '../../model/usage-error.ts';
import { visible } from '../../model/visible.ts';
import { interfaceOf } from '../../run/contract-of.ts';
import { type Catalogue, coverageOf } from '../../selfcheck/coverage.ts';

/** `petspec requirements`: lists every requirement and its coverage. */
export function requirementsCommand(): Command {
  return new Command('requirements')
    .description(
      'Lists every requirement of the interface with its level, its section, and the number of checks, faults and variants for it.',
    )
    .option(
      '--interface <path>',
      'OpenAPI 3.0, 3.1 or 3.2 document, or its folder, whose requirements to list',
    )
    .option('--clients', 'list the requirements of clients (petspec client) instead')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  petspec requirements\n  petspec requirements --json\n  petspec requirements --clients\n  petspec requirements --interface openapi.yaml',
    )
    .action(async (flags: { interface?: string; json?: boolean; clients?: boolean }) => {
      if (flags.clients && flags.interface !== undefined)
        throw new UsageError('cannot combine --clients and --interface; leave one out');
      const judging = await interfaceOf(flags);
      if (flags.clients) {
        const { clientRequirements } = await import('../../client/judge-client.ts');
        process.stdout.write(listOfClients(clientRequirements(judging.contract), flags.json ?? false));
        return;
      }
      const catalogue = await catalogueOf(flags);
      const coverage = coverageOf(judging, catalogue);
      if (flags.json) {
        process.stdout.write(`${JSON.stringify(coverage, null, 2)}\n`);
        return;
      }
      for (const [section, members] of group(coverage, (requirement) => requirement.section)) {
        process.stdout.write(`${visible(section)}\n`);
        for (const { id, level, statement, checks, faults, variants } of members) {
          const covered = [
            counted(checks.length, 'check'),
            counted(faults.length, 'fault'),
            ...(variants.length > 0 ? [counted(variants.length, 'variant')] : []),
          ];
          const suffix = catalogue ? ` (${covered.join(', ')})` : '';
          process.stdout.write(`${visible(`  ${level.padEnd(6)} ${id}: ${statement}${suffix}`)}\n`);
        }
      }
    });
}

/** Only the bundled interface has a reference, with faults and variants. */
async function catalogueOf(flags: { interface?: string }): Promise<Catalogue | undefined> {
  if (flags.interface !== undefined) return undefined;
  return (await import('../../selfcheck/catalogue.ts')).bundledCatalogue;
}

function listOfClients(requirements: readonly Requirement[], isJson: boolean): string {
  if (isJson) return `${JSON.stringify(requirements, null, 2)}\n`;
  return [...group(requirements, (requirement) => requirement.section)]
    .flatMap(([section, members]) => [
      section,
      ...members.map(({ id, level, statement }) => `  ${level.padEnd(6)} ${id}: ${statement}`),
    ])
    .map((line) => `${line}\n`)
    .join('');
}
