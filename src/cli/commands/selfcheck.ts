import { Command } from 'commander';
import { loadContract } from '../../contract/load.ts';
import { renderSelfcheck, renderTrial } from '../../report/text/selfcheck.ts';
import { UsageError } from '../../run/options.ts';
import { checkSelf } from '../../selfcheck/check-self.ts';
import { planOfTrial, subjects, tryChange } from '../../selfcheck/selfcheck.ts';
import { seed } from '../options/run-options.ts';

interface SelfcheckFlags {
  json?: boolean;
  fault?: string;
  variant?: string;
  seed?: number;
}

/** `petspec selfcheck`: checks that petspec finds every fault and passes every variant. */
export function selfcheckCommand(exit: (status: number) => void): Command {
  return new Command('selfcheck')
    .description(
      'Runs the suite against every fault and every variant of the bundled reference, in virtual time. Each fault must be reported by the requirements that it violates and by no other; each variant must conform.',
    )
    .option('--fault <id>', 'check only this fault, and print the details')
    .option('--variant <id>', 'check only this variant, and print the details')
    .option('--seed <n>', 'how the valid requests vary, or random (default: as in a run)', seed)
    .option('--json', 'print JSON')
    .addHelpText('after', HELP)
    .action(async (flags: SelfcheckFlags) =>
      exit(flags.fault || flags.variant ? await tryOne(flags) : await tryAll(flags)),
    );
}

async function tryAll({ json, seed: stated }: SelfcheckFlags): Promise<number> {
  const result = await checkSelf(loadContract(), stated);
  process.stdout.write(json ? `${JSON.stringify(result, null, 2)}\n` : renderSelfcheck(result));
  return result.ok ? 0 : 4;
}

async function tryOne({ fault, variant, json, seed: stated }: SelfcheckFlags): Promise<number> {
  if (fault && variant) throw new UsageError('cannot combine --fault and --variant; leave one out');
  const subject = subjects().find((each) =>
    'fault' in each ? each.fault.id === fault : each.variant.id === variant,
  );
  const kind = fault ? 'fault' : 'variant';
  if (!subject)
    throw new UsageError(`--${kind}: unknown ${kind} '${fault ?? variant}'; petspec ${kind}s lists them`);
  const contract = loadContract();
  const trial = await tryChange(contract, planOfTrial(contract, subject, stated), subject);
  process.stdout.write(json ? `${JSON.stringify(trial, null, 2)}\n` : renderTrial(trial, contract));
  return trial.problems.length === 0 ? 0 : 4;
}

const HELP = `
Exit status: 0, or 4 if a fault is not found or a variant does not conform, which is a bug of petspec.

Examples:
  petspec selfcheck
  petspec selfcheck --fault list-default-25
  petspec selfcheck --seed 1
  petspec selfcheck --json`;
