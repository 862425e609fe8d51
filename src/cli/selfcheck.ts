import { Command } from 'commander';

/** `petspec selfcheck`: every fault is found by its requirement, every variant passes. */
export function selfcheckCommand(exit: (status: number) => void): Command {
  return new Command('selfcheck')
    .summary('every fault is found by its requirement, every variant passes')
    .description(
      'Runs the suite against every fault and every variant of the bundled reference, in virtual time, and holds the result against the catalogue.',
    )
    .option('--json', 'as JSON')
    .addHelpText(
      'after',
      '\nExit status: 0 where all is as the catalogue says, 4 otherwise: a contradiction is a bug of petspec.\n\nExamples:\n  petspec selfcheck\n  petspec selfcheck --json',
    )
    .action(async (flags: { json?: boolean }) => {
      const [{ loadContract }, { allChecks }, { checkSelf }, { renderSelfcheck }] = await Promise.all([
        import('../contract/load.ts'),
        import('../../suites/index.ts'),
        import('../harness/selfcheck.ts'),
        import('../report/selfcheck.ts'),
      ]);
      const contract = loadContract();
      const result = await checkSelf(contract, allChecks(contract));
      process.stdout.write(flags.json ? `${JSON.stringify(result, null, 2)}\n` : renderSelfcheck(result));
      exit(result.ok ? 0 : 4);
    });
}
