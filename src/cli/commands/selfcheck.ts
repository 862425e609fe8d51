import { setFlagsFromString } from 'node:v8';
import { Command } from 'commander';
import { loadContract } from '../../contract/load.ts';
import type { Contract } from '../../model/contract.ts';
import { packageVersion } from '../../model/package-root.ts';
import { UsageError } from '../../model/usage-error.ts';
import { visible } from '../../model/visible.ts';
import { explain } from '../../report/text/explain.ts';
import { interfaceOf } from '../../run/contract-of.ts';
import { seedOf } from '../../run/plan/probes.ts';
import { checkSelf, type SelfCheck } from '../../selfcheck/check-self.ts';
import type { DifferenceTrial } from '../../selfcheck/own-interface.ts';
import { proofOf } from '../../selfcheck/proof.ts';
import {
  type DetailedTrial,
  planOfTrial,
  type Subject,
  subjects,
  tryChange,
} from '../../selfcheck/selfcheck.ts';
import { collect, seed } from '../options/option-values.ts';
import { BUG } from '../output/bugs.ts';

interface SelfcheckFlags {
  interface?: string;
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
    .option(
      '--interface <folder>',
      'check the interface in this folder by the faults and variants of the service in its service/',
    )
    .option('--json', 'print JSON')
    .addHelpText('after', HELP)
    .action(async (flags: SelfcheckFlags) => {
      if (flags.interface !== undefined) return exit(await tryOwn(flags.interface, flags));
      exit(flags.fault || flags.variant ? await tryNamed(flags) : await tryAll(flags));
    });
}

/** Tries the service of the user's interface. A fault that is not found there is a mistake of its author. */
async function tryOwn(
  folder: string,
  { fault, variant, json, seed: stated }: SelfcheckFlags,
): Promise<number> {
  if (fault ?? variant)
    throw new UsageError('cannot combine --interface with --fault or --variant; leave one out');
  const { checkOwnInterface } = await import('../../selfcheck/own-interface.ts');
  const judging = await interfaceOf({ interface: folder });
  const tell = ({ id, problem }: DifferenceTrial) => {
    if (!json && problem !== undefined) process.stdout.write(`${visible(`✗ ${id}: ${problem}`)}\n`);
  };
  const { tried, uncovered } = await checkOwnInterface(folder, judging, tell, stated);
  if (json) process.stdout.write(`${JSON.stringify({ tried, uncovered }, null, 2)}\n`);
  const faults = tried.filter(({ kind }) => kind === 'fault');
  const variants = tried.filter(({ kind }) => kind === 'variant');
  const countRight = (trials: typeof tried) => trials.filter(({ problem }) => problem === undefined).length;
  const isRight = countRight(tried) === tried.length && uncovered.length === 0;
  if (json) return isRight ? 0 : 1;
  for (const id of uncovered) process.stdout.write(`${visible(`✗ ${id}: no fault violates it`)}\n`);
  process.stdout.write(
    `${countRight(faults)} of ${faults.length} faults found by the requirement they violate and no other; ${countRight(variants)} of ${variants.length} variants pass\n${isRight ? 'self-check passed' : 'self-check failed'}\n`,
  );
  return isRight ? 0 : 1;
}

async function tryAll({ json, seed: stated }: SelfcheckFlags): Promise<number> {
  // Inlining functions takes longer than it saves in a minute.
  setFlagsFromString('--max-inlined-bytecode-size-cumulative=100');
  const result = await checkSelf(loadContract(), stated);
  const contract = loadContract();
  const proof = proofOf(packageVersion, stated ?? seedOf(contract), result.trials);
  process.stdout.write(
    json
      ? `${JSON.stringify({ ...result, digest: proof.digest }, null, 2)}\n`
      : `${renderSelfcheck(result)}digest of this self-check, as certificates name it: sha256:${proof.digest}\n`,
  );
  return result.ok ? 0 : BUG;
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
  return trials.every(({ problems }) => problems.length === 0) ? 0 : BUG;
}

function subjectNamed(kind: 'fault' | 'variant', id: string): Subject {
  const subject = subjects().find((candidate) =>
    'fault' in candidate
      ? kind === 'fault' && candidate.fault.id === id
      : kind === 'variant' && candidate.variant.id === id,
  );
  if (!subject) throw new UsageError(`--${kind}: unknown ${kind} '${id}'; petspec ${kind}s lists them`);
  return subject;
}

const HELP = `
Exit status: 0, or 4 if a fault is not found or a variant does not conform, which is a bug of petspec. With --interface, 1
instead: that is a mistake of the interface, its checks or its service.

Examples:
  petspec selfcheck
  petspec selfcheck --fault list-default-25
  petspec selfcheck --seed 1
  petspec selfcheck --json
  petspec selfcheck --interface bookshop`;

/** The self-check as a table: each requirement with the faults that it finds, then what contradicts the catalogue. */
function renderSelfcheck({ trials, uncovered, durationMs, ok }: SelfCheck): string {
  const faults = trials.filter(({ kind }) => kind === 'fault');
  const variants = trials.filter(({ kind }) => kind === 'variant');
  const requirements = [...new Set(faults.flatMap(({ names }) => names))].sort();
  const width = Math.max(0, ...requirements.map((id) => id.length));
  const rows = requirements.map((id) => {
    const faultsOfRequirement = faults.filter(({ names }) => names.includes(id));
    const foundFaults = faultsOfRequirement.filter(({ violated }) => violated.includes(id));
    return `  ${id.padEnd(width)}  ${String(foundFaults.length).padStart(3)}/${faultsOfRequirement.length}  ${faultsOfRequirement.map((fault) => (fault.problems.length === 0 ? '' : '!') + fault.id).join(' ')}`;
  });
  const problems = trials
    .filter((trial) => trial.problems.length > 0)
    .map(({ kind, id, problems: contradictions }) => `  ${kind} ${id}: ${contradictions.join('; ')}`);
  const passed = variants.filter((variant) => variant.problems.length === 0).length;
  return [
    `Faults found, by requirement\n${rows.join('\n')}\n`,
    ...(problems.length > 0 ? [`Contradictions\n${problems.join('\n')}\n`] : []),
    ...(uncovered.length > 0
      ? [`Requirements without a fault that violates them: ${uncovered.join(', ')}\n`]
      : []),
    `${faults.filter((fault) => fault.problems.length === 0).length} of ${faults.length} faults found by the requirements they violate and no others; ${passed} of ${variants.length} variants pass; ${(durationMs / 1000).toFixed(1)} s`,
    ok ? 'self-check passed\n' : 'self-check failed\n',
  ].join('\n');
}

/** A trial in detail: its fault or variant, its violations, and what could not be judged. */
function renderTrial(trial: DetailedTrial, { requirements }: Contract): string {
  const { kind, id, summary, names, violated, untested, problems, findings } = trial;
  const violations = violated.flatMap((violatedId) => {
    const requirement = requirements.find(({ id: requirementId }) => requirementId === violatedId);
    const finding = findings[violatedId];
    return requirement && finding
      ? [`  ${violatedId}\n    ${explain(requirement, finding).replaceAll('\n', '\n    ')}\n`]
      : [];
  });
  const rest = Object.keys(untested).map((untestedId) => `  ${untestedId}: ${findings[untestedId]?.reason}`);
  return [
    `${kind} ${id}: ${summary}\n`,
    `${kind === 'fault' ? 'violates' : 'leaves untested'}: ${names.join(', ') || 'nothing'}\n`,
    ...(violations.length > 0 ? [`Found\n${violations.join('')}`] : []),
    ...(rest.length > 0 ? [`Not tested\n${rest.join('\n')}\n`] : []),
    problems.length === 0 ? 'as the catalogue says\n' : `contradicts the catalogue: ${problems.join('; ')}\n`,
  ].join('\n');
}
