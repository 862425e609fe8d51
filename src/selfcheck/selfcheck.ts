import { allChecks } from '../../suites/index.ts';
import type { Contract } from '../model/contract.ts';
import { type Finding, isProblem } from '../model/finding.ts';
import type { Most } from '../model/limits/request-counts.ts';
import type { RootCause } from '../model/report/diagnosis.ts';
import type { Fault } from '../reference/faults/fault.ts';
import { faults } from '../reference/faults/index.ts';
import type { LogEntry } from '../reference/index.ts';
import { variants } from '../reference/variants/index.ts';
import type { Variant } from '../reference/variants/variant.ts';
import { conductBundled } from '../run/bundled.ts';
import type { Conducted, Outcome } from '../run/judging/judge-outcome.ts';
import { DEFAULT_OPTIONS, ofBundled, type RunOptions } from '../run/options.ts';
import { seedOf } from '../run/plan/probes.ts';
import { makePlan, type RunPlan } from '../run/plan.ts';

/** The trial of a fault or a variant: what a run found, and whether the catalogue says so. */
export interface Trial {
  kind: 'fault' | 'variant';
  id: string;
  summary: string;
  /** Requirements that the fault violates, or that the variant leaves untested, according to the catalogue. */
  names: readonly string[];
  violated: readonly string[];
  /** Requirements that were not tested, with the requirement that caused it; empty if none did. */
  untested: Readonly<Record<string, string>>;
  /** What contradicts the catalogue; empty if nothing does. */
  problems: readonly string[];
}

/** A trial with all findings of its run. */
export interface DetailedTrial extends Trial {
  findings: Readonly<Record<string, Finding>>;
  /** Why every operation fails in the same way, if they do. */
  rootCause?: RootCause;
}

const plans = new WeakMap<Contract, Map<string, RunPlan>>();

/** The options of a trial: those of a frugal run, with the plan or the budget that a fault needs, or those of a whole run. */
export function optionsOfTrial(subject: Subject): RunOptions {
  const { plan, budget, isAfterRecovery } = 'fault' in subject ? subject.fault : {};
  if (budget !== undefined) return { ...DEFAULT_OPTIONS, budget };
  return { ...DEFAULT_OPTIONS, frugal: !isAfterRecovery, ...(plan ? { plan } : {}) };
}

/** The run plan of a trial, whose requests vary by a seed. Trials with the same seed and options share it. */
export function planOfTrial(contract: Contract, subject: Subject, seed = seedOf(contract)): RunPlan {
  const trialSeed = seedFor(subject, seed);
  const knownPlans = plans.get(contract) ?? new Map<string, RunPlan>();
  const options = ofBundled(contract.ratePlans, { ...optionsOfTrial(subject), seed: trialSeed });
  const key = `${trialSeed} ${options.plan} ${options.budget} ${options.frugal}`;
  const plan = knownPlans.get(key) ?? makePlan(contract, allChecks(contract), options);
  plans.set(contract, knownPlans.set(key, plan));
  return plan;
}

/** The seed that a change is tried with: the given one, unless it is a fault that only other seeds show. */
export function seedFor(subject: Subject, seed: number): number {
  const seeds = 'fault' in subject ? subject.fault.seeds : undefined;
  return seeds === undefined || seeds.includes(seed) ? seed : seeds[0];
}

/** Tries a change to the reference, in virtual time. */
export async function tryChange(contract: Contract, plan: RunPlan, subject: Subject): Promise<DetailedTrial> {
  const run = await conductChanged(contract, plan, subject);
  const trial = compareWithCatalogue(contract, subject, run);
  return { ...trial, problems: [...trial.problems, ...brokenPromises(plan.cost.most, run)] };
}

/** A run of the self-check: the log of the reference, and the outcome with the bytes of the key. */
export interface ChangedRun extends Conducted, ObservedRun {
  received: Outcome;
}

/** Runs against the reference with one change, by default over connections in memory. */
export async function conductChanged(
  contract: Contract,
  plan: RunPlan,
  subject: Subject,
  options = optionsOfTrial(subject),
  connections: 'sockets' | 'memory' = 'memory',
): Promise<ChangedRun> {
  const change = changeOf(subject);
  let log: ObservedRun['log'] = [];
  let received: Outcome | undefined;
  const run = await conductBundled(contract, plan, options, {
    changes: [change],
    ...startOf(change),
    connections,
    onLog: (entries) => {
      log = entries;
    },
    beforeJudging: async (outcome) => {
      received = outcome;
    },
  });
  if (!received) throw new Error(`${change.id}: nothing was judged`);
  return { ...run, log, received };
}

/** Compares a run with what the catalogue says about its change. */
export function compareWithCatalogue(contract: Contract, subject: Subject, run: Conducted): DetailedTrial {
  const change = changeOf(subject);
  const violated = idsWith(run, isProblem);
  const untested = Object.fromEntries(
    idsWith(run, ({ status }) => status === 'not-tested').map((id) => [id, run.findings[id]?.cause ?? '']),
  );
  const names = 'fault' in subject ? subject.fault.violates : (subject.variant.untested ?? []);
  return {
    kind: 'fault' in subject ? 'fault' : 'variant',
    names,
    id: change.id,
    summary: change.summary,
    violated,
    untested,
    findings: run.findings,
    ...(run.rootCause ? { rootCause: run.rootCause } : {}),
    problems:
      'fault' in subject
        ? faultProblems(names, violated, untested, run)
        : variantProblems(contract, names, violated, untested, run),
  };
}

/** The start of a trial whose change names no time: always the same, in the middle of a minute. */
const START = '2026-11-21T12:00:20Z';

export function startOf(change: { start?: string }): { start: number } {
  return { start: Date.parse(change.start ?? START) };
}

/** A fault must be reported by a requirement that it names and by no other; what it leaves untested must name its cause. */
function faultProblems(
  names: readonly string[],
  violated: readonly string[],
  untested: Trial['untested'],
  { findings }: Conducted,
): string[] {
  return [
    ...(names.some((id) => violated.includes(id)) ? [] : [`not found by ${names.join(' or ')}`]),
    ...violated
      .filter((id) => !names.includes(id))
      .map((id) => `reported by ${id}, which it does not name: ${findings[id]?.reason}`),
    ...Object.entries(untested)
      .filter(([, cause]) => !violated.includes(cause))
      .map(([id]) => `${id} is not tested, but names no cause: ${findings[id]?.reason}`),
  ];
}

/** A variant must conform, and leave untested exactly what it names. */
function variantProblems(
  { requirements }: Contract,
  names: readonly string[],
  violated: readonly string[],
  untested: Trial['untested'],
  { rootCause, hints }: Conducted,
): string[] {
  const musts = new Set(requirements.filter(({ level }) => level === 'must').map(({ id }) => id));
  const untestedMusts = Object.keys(untested).filter((id) => musts.has(id));
  return [
    ...violated.filter((id) => musts.has(id)).map((id) => `false alarm: ${id}`),
    ...untestedMusts.filter((id) => !names.includes(id)).map((id) => `${id} is not tested`),
    ...names
      .filter((id) => !untestedMusts.includes(id))
      .map((id) => `${id} is tested, but the catalogue says that it is not`),
    ...(rootCause ? [`false root cause: ${rootCause.statement}`] : []),
    ...hints.map(({ text }) => `false hint: ${text}`),
  ];
}

export function idsWith(run: Conducted, wanted: (finding: Finding) => boolean): string[] {
  return Object.entries(run.findings)
    .filter(([, finding]) => wanted(finding))
    .map(([id]) => id);
}

/** A fault or a variant of the catalogue. */
export type Subject = { fault: Fault } | { variant: Variant };

/** The change to the reference. */
export function changeOf(subject: Subject): Fault | Variant {
  return 'fault' in subject ? subject.fault : subject.variant;
}

/** As in `fault list-public`: a fault and a variant may have the same id. */
export function nameOf(subject: Subject): string {
  return `${'fault' in subject ? 'fault' : 'variant'} ${changeOf(subject).id}`;
}

/** The whole catalogue. */
export function subjects(): Subject[] {
  return [...faults.map((fault) => ({ fault })), ...variants.map((variant) => ({ variant }))];
}

/** A run as the reference saw it. */
export interface ObservedRun {
  log: readonly LogEntry[];
  /** ms since the epoch. */
  startedAt: number;
  finishedAt: number;
}

/** Where a run exceeded what it announced. The reference counts requests, and cannot tell the purpose of a wrong key. */
export function brokenPromises(most: Most, { log, startedAt, finishedAt }: ObservedRun): string[] {
  const messages = log.filter(({ listener }) => listener === 'messages').length;
  const counts = [
    {
      what: 'requests at the base address',
      sent: log.length - messages,
      most: most.withKey + most.wrongKeys,
    },
    { what: 'messages', sent: messages, most: most.messages },
    { what: 'seconds', sent: (finishedAt - startedAt) / 1000, most: most.seconds },
  ];
  return counts
    .filter((count) => count.sent > count.most)
    .map((count) => `${count.sent} ${count.what}, but at most ${count.most} were announced`);
}
