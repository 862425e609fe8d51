import { Command } from 'commander';
import { group } from 'd3-array';
import { allChecks } from '../../../suites/index.ts';
import { loadContract } from '../../contract/load.ts';
import { counted } from '../../model/report/report.ts';
import { coverageOf } from '../../selfcheck/coverage.ts';

/** `petspec requirements`: lists every requirement and its coverage. */
export function requirementsCommand(): Command {
  return new Command('requirements')
    .description(
      'Lists every requirement of the interface with its level, its section, and the number of checks, faults and variants for it.',
    )
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExamples:\n  petspec requirements\n  petspec requirements --json')
    .action((flags: { json?: boolean }) => {
      const contract = loadContract();
      const coverage = coverageOf(contract, allChecks(contract));
      if (flags.json) {
        process.stdout.write(`${JSON.stringify(coverage, null, 2)}\n`);
        return;
      }
      for (const [section, own] of group(coverage, (each) => each.section)) {
        process.stdout.write(`${section}\n`);
        for (const { id, level, statement, checks, faults, variants } of own) {
          const covered = [
            counted(checks.length, 'check'),
            counted(faults.length, 'fault'),
            ...(variants.length > 0 ? [counted(variants.length, 'variant')] : []),
          ];
          process.stdout.write(`  ${level.padEnd(6)} ${id}: ${statement} (${covered.join(', ')})\n`);
        }
      }
    });
}
