import { Command } from 'commander';

/** `petspec requirements`: lists every requirement and its coverage. */
export function requirementsCommand(): Command {
  return new Command('requirements')
    .summary('list the requirements')
    .description(
      'Lists every requirement of the interface with its level, its section, and the number of checks, faults and variants for it.',
    )
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExamples:\n  petspec requirements\n  petspec requirements --json')
    .action(async (flags: { json?: boolean }) => {
      const [{ loadContract }, { allChecks }, { coverageOf }] = await Promise.all([
        import('../../contract/load.ts'),
        import('../../../suites/index.ts'),
        import('../../selfcheck/coverage.ts'),
      ]);
      const contract = loadContract();
      const coverage = coverageOf(contract, allChecks(contract));
      if (flags.json) {
        process.stdout.write(`${JSON.stringify(coverage, null, 2)}\n`);
        return;
      }
      for (const section of new Set(coverage.map((each) => each.section))) {
        process.stdout.write(`${section}\n`);
        for (const { id, level, statement, checks, faults, variants } of coverage.filter(
          (each) => each.section === section,
        )) {
          const covered = [
            count(checks.length, 'check'),
            count(faults.length, 'fault'),
            ...(variants.length > 0 ? [count(variants.length, 'variant')] : []),
          ];
          process.stdout.write(`  ${level.padEnd(6)} ${id}: ${statement} (${covered.join(', ')})\n`);
        }
      }
    });
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
