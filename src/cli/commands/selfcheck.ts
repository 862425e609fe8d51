import { Command } from 'commander';
import { UsageError } from '../../run/options.ts';

interface SelfcheckFlags {
  json?: boolean;
  fault?: string;
  variant?: string;
}

/** `petspec selfcheck`: every fault is found by its requirement, every variant passes. */
export function selfcheckCommand(exit: (status: number) => void): Command {
  return new Command('selfcheck')
    .summary('every fault is found by its requirement, every variant passes')
    .description(
      'Runs the suite against every fault and every variant of the bundled reference, in virtual time, and holds the result against the catalogue.',
    )
    .option('--fault <id>', 'this one alone, in detail')
    .option('--variant <id>', 'this one alone, in detail')
    .option('--json', 'as JSON')
    .addHelpText('after', HELP)
    .action(async (flags: SelfcheckFlags) =>
      exit(flags.fault || flags.variant ? await tryOne(flags) : await tryAll(flags)),
    );
}

async function tryAll({ json }: SelfcheckFlags): Promise<number> {
  const [{ loadContract }, { checkSelf }, { renderSelfcheck }] = await Promise.all([
    import('../../contract/load.ts'),
    import('../../selfcheck/selfcheck.ts'),
    import('../../report/text/selfcheck.ts'),
  ]);
  const result = await checkSelf(loadContract());
  process.stdout.write(json ? `${JSON.stringify(result, null, 2)}\n` : renderSelfcheck(result));
  return result.ok ? 0 : 4;
}

async function tryOne({ fault, variant, json }: SelfcheckFlags): Promise<number> {
  if (fault && variant) throw new UsageError('--fault and --variant are tried one at a time');
  const [{ loadContract }, { allChecks }, { subjects, tryChange }, { renderTrial }] = await Promise.all([
    import('../../contract/load.ts'),
    import('../../../suites/index.ts'),
    import('../../selfcheck/selfcheck.ts'),
    import('../../report/text/selfcheck.ts'),
  ]);
  const subject = subjects().find((each) =>
    'fault' in each ? each.fault.id === fault : each.variant.id === variant,
  );
  if (!subject)
    throw new UsageError(
      `${fault ?? variant}: there is none of this name (petspec ${fault ? 'faults' : 'variants'} lists them)`,
    );
  const contract = loadContract();
  const trial = await tryChange(contract, allChecks(contract), subject);
  process.stdout.write(json ? `${JSON.stringify(trial, null, 2)}\n` : renderTrial(trial, contract));
  return trial.problems.length === 0 ? 0 : 4;
}

const HELP = `
Exit status: 0 where all is as the catalogue says, 4 otherwise: a contradiction is a bug of petspec.

Examples:
  petspec selfcheck
  petspec selfcheck --fault list-default-25
  petspec selfcheck --json`;
