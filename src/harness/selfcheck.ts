import type { Contract } from '../contract/types.ts';
import type { Check } from '../judge/check.ts';
import type { Finding } from '../judge/finding.ts';
import type { Fault } from '../reference/faults/fault.ts';
import { faults } from '../reference/faults/index.ts';
import { variants } from '../reference/variants/index.ts';
import type { Variant } from '../reference/variants/variant.ts';
import { conductBundled } from './bundled.ts';
import type { Conducted } from './conduct.ts';
import { DEFAULT_OPTIONS } from './options.ts';
import { makePlan } from './plan.ts';

/** One fault or variant, tried: what a run found, and whether that is what the catalogue says. */
export interface Trial {
  kind: 'fault' | 'variant';
  id: string;
  summary: string;
  /** Requirements that it names: violated by a fault, left untested by a variant. */
  names: readonly string[];
  violated: readonly string[];
  /** Not tested, by the requirement in whose wake; an empty cause is none. */
  untested: Readonly<Record<string, string>>;
  /** What contradicts the catalogue; none: as it should be. */
  problems: readonly string[];
  findings: Readonly<Record<string, Finding>>;
}

/** Tries one deviation of the reference, in virtual time. */
export async function tryDeviation(
  contract: Contract,
  checks: readonly Check[],
  subject: { fault: Fault } | { variant: Variant },
): Promise<Trial> {
  const deviation = 'fault' in subject ? subject.fault : subject.variant;
  const plan = makePlan(contract, checks, DEFAULT_OPTIONS);
  const run = await conductBundled(contract, plan, DEFAULT_OPTIONS, {
    deviations: [deviation],
    ...startOf(deviation),
  });
  const violated = idsWith(run, (finding) => finding.status === 'violated' || finding.status === 'advisory');
  const untested = Object.fromEntries(
    idsWith(run, ({ status }) => status === 'not-tested').map((id) => [id, run.findings[id]?.cause ?? '']),
  );
  const seen = { id: deviation.id, summary: deviation.summary, violated, untested, findings: run.findings };
  if ('fault' in subject) {
    const names = [...subject.fault.violates];
    return { kind: 'fault', names, ...seen, problems: faultProblems(subject.fault, violated, untested, run) };
  }
  const names = subject.variant.untested ?? [];
  const musts = new Set(contract.requirements.filter(({ level }) => level === 'must').map(({ id }) => id));
  return {
    kind: 'variant',
    names,
    ...seen,
    problems: variantProblems(
      names,
      violated.filter((id) => musts.has(id)),
      Object.keys(untested).filter((id) => musts.has(id)),
    ),
  };
}

/** When a deviation is tried that names no time: in the middle of a minute, the same one always. */
const START = '2026-11-21T12:00:20Z';

function startOf(deviation: { start?: string }): { start: number } {
  return { start: Date.parse(deviation.start ?? START) };
}

/** A fault is found by what it names and by nothing else; what cannot be judged in its wake names its cause. */
function faultProblems(
  fault: Fault,
  violated: readonly string[],
  untested: Trial['untested'],
  run: Conducted,
): string[] {
  const names: readonly string[] = fault.violates;
  const problems: string[] = [];
  if (!names.some((id) => violated.includes(id))) problems.push(`not found by ${names.join(' or ')}`);
  for (const id of violated)
    if (!names.includes(id))
      problems.push(`reported by ${id}, which it does not name: ${run.findings[id]?.reason}`);
  for (const [id, cause] of Object.entries(untested)) {
    if (!violated.includes(cause))
      problems.push(`${id} is not tested without naming what caused it: ${run.findings[id]?.reason}`);
  }
  return problems;
}

/** A variant conforms, and leaves untested exactly what it names. */
function variantProblems(
  names: readonly string[],
  violated: readonly string[],
  untested: readonly string[],
): string[] {
  return [
    ...violated.map((id) => `false alarm: ${id}`),
    ...untested.filter((id) => !names.includes(id)).map((id) => `${id} is not tested`),
    ...names
      .filter((id) => !untested.includes(id))
      .map((id) => `${id} is tested, though the catalogue says otherwise`),
  ];
}

function idsWith(run: Conducted, wanted: (finding: Finding) => boolean): string[] {
  return Object.entries(run.findings)
    .filter(([, finding]) => wanted(finding))
    .map(([id]) => id);
}

/** The whole catalogue, tried. */
export interface SelfCheck {
  ok: boolean;
  trials: readonly Trial[];
  /** Requirements of level `must` that no fault violates. */
  uncovered: readonly string[];
  durationMs: number;
}

/** Tries every fault and every variant, one after the other in this process. */
export async function checkSelf(contract: Contract, checks: readonly Check[]): Promise<SelfCheck> {
  const begun = performance.now();
  const subjects = [...faults.map((fault) => ({ fault })), ...variants.map((variant) => ({ variant }))];
  const trials: Trial[] = [];
  for (const subject of subjects) trials.push(await tryDeviation(contract, checks, subject));
  const found = new Set(
    trials
      .filter(({ kind }) => kind === 'fault')
      .flatMap(({ names, violated }) => names.filter((id) => violated.includes(id))),
  );
  const uncovered = contract.requirements
    .filter(({ id, level }) => level === 'must' && !found.has(id))
    .map(({ id }) => id);
  const ok = uncovered.length === 0 && trials.every(({ problems }) => problems.length === 0);
  return { ok, trials, uncovered, durationMs: performance.now() - begun };
}
