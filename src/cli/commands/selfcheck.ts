import { Command } from 'commander';
import { loadContract } from '../../contract/load.ts';
import { renderSelfcheck, renderTrial } from '../../report/text/selfcheck.ts';
import { UsageError } from '../../run/options.ts';
import { checkSelf } from '../../selfcheck/check-self.ts';
import {
  type DetailedTrial,
  planOfTrial,
  type Subject,
  subjects,
  tryChange,
} from '../../selfcheck/selfcheck.ts';
import { collect, seed } from '../options/run-options.ts';

interface SelfcheckFlags {
  json?: boolean;
  fault?: string[];
  variant?: string[];
  seed?: number;
}

/** `petspec selfcheck`: checks that petspec finds every fault and passes every variant. */
export function selfcheckCommand(exit: (status: number) => void): Command {
  return new Command('selfcheck')
    .description(
      'Runs the suite against every fault and every variant of the bundled reference, in virtual time. Each fault must be reported by the requirements that it violates and by no other; each variant must conform.',
    )
    .option('--fault <id>', 'check only this fault (repeatable), and print the details', collect)
    .option('--variant <id>', 'check only this variant (repeatable), and print the details', collect)
    .option('--seed <n>', 'how the valid requests vary, or random (default: as in a run)', seed)
    .option('--json', 'print JSON')
    .addHelpText('after', HELP)
    .action(async (flags: SelfcheckFlags) =>
      exit(flags.fault || flags.variant ? await tryNamed(flags) : await tryAll(flags)),
    );
}

async function tryAll({ json, seed: stated }: SelfcheckFlags): Promise<number> {
  const result = await checkSelf(loadContract(), stated);
  process.stdout.write(json ? `${JSON.stringify(result, null, 2)}\n` : renderSelfcheck(result));
  return result.ok ? 0 : 4;
}

async function tryNamed({ fault, variant, json, seed: stated }: SelfcheckFlags): Promise<number> {
  if (fault && variant) throw new UsageError('cannot combine --fault and --variant; leave one out');
  const kind = fault ? 'fault' : 'variant';
  const named = (fault ?? variant ?? []).map((id) => subjectNamed(kind, id));
  const contract = loadContract();
  const trials: DetailedTrial[] = [];
  for (const subject of named) {
    const trial = await tryChange(contract, planOfTrial(contract, subject, stated), subject);
    trials.push(trial);
    if (!json) process.stdout.write(renderTrial(trial, contract));
  }
  if (json) process.stdout.write(`${JSON.stringify(trials.length === 1 ? trials[0] : trials, null, 2)}\n`);
  return trials.every(({ problems }) => problems.length === 0) ? 0 : 4;
}

function subjectNamed(kind: 'fault' | 'variant', id: string): Subject {
  const subject = subjects().find((each) =>
    'fault' in each ? kind === 'fault' && each.fault.id === id : kind === 'variant' && each.variant.id === id,
  );
  if (!subject) throw new UsageError(`--${kind}: unknown ${kind} '${id}'; petspec ${kind}s lists them`);
  return subject;
}

const HELP = `
Exit status: 0, or 4 if a fault is not found or a variant does not conform, which is a bug of petspec.

Examples:
  petspec selfcheck
  petspec selfcheck --fault list-default-25
  petspec selfcheck --seed 1
  petspec selfcheck --json`;
