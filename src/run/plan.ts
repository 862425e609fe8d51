import type { Check } from '../judge/check.ts';
import type { Contract, Requirement } from '../model/contract.ts';
import { didYouMean } from '../model/nearest.ts';
import type { Probe } from '../model/probe.ts';
import { deriveProbes } from '../probes/derive.ts';
import { inOrder } from '../probes/order.ts';
import { isRead } from '../probes/reads/find-reads.ts';
import { pathOf } from '../probes/surplus/generated.ts';
import { plannedTexts, requestTexts } from '../probes/surplus/same-request.ts';
import { drawnProbe, surplusProbes } from '../probes/surplus/surplus.ts';
import { withVariations } from '../probes/variations/vary.ts';
import { sourcesOf } from '../session/learnt-values.ts';
import type { Generate } from '../session/limiter/shrinking.ts';
import { SAFE_METHODS } from '../session/types.ts';
import { type Cost, costOf } from './cost.ts';
import type { Narrowing } from './interface/left-out.ts';
import { readsAlone, unnamedServers, withoutExamples, withReaders } from './interface/left-out.ts';
import { type RunOptions, statedLimits, UsageError } from './options.ts';

/** What a run sends, known before the first request: the ordered probes of the selected checks, and their cost. */
export interface RunPlan {
  probes: readonly Probe[];
  /** What it may send in place of repeating one read while it uses up the limit, in this order. */
  surplus: readonly Probe[];
  /** Draws more of them, where these end. */
  generate: Generate;
  checks: readonly Check[];
  /** The options that leave requirements out. */
  narrowed: readonly Narrowing[];
  cost: Cost;
  /** What drew its variations; `none` if nothing varies. */
  seed: number | 'none';
}

type Seed = RunPlan['seed'];

/** The last probes that were derived from a contract: the runs of many targets have the same ones. */
const derived = new WeakMap<Contract, { checks: readonly Check[]; bySeed: Map<Seed, readonly Probe[]> }>();

/**
 * Every probe that a run can send: those that the contract implies, and those that checks add. With a seed, each has the
 * variations that ride along on it, whatever else the run leaves out.
 */
export function probesOf(
  contract: Contract,
  checks: readonly Check[],
  seed: Seed = 'none',
): readonly Probe[] {
  const last = derived.get(contract);
  const bySeed = last?.checks === checks ? last.bySeed : new Map<Seed, readonly Probe[]>();
  derived.set(contract, { checks, bySeed });
  const known = bySeed.get(seed);
  if (known) return known;
  const added = checks.flatMap((check) => check.add?.(contract) ?? []);
  const unvaried = deriveProbes(contract, added, seed);
  const isWriting = ({ isWriting: is }: Probe) => is === true;
  const varied = (all: readonly Probe[], by: number) => [
    ...withVariations(
      all.filter((each) => !isWriting(each)),
      contract,
      by,
    ),
    ...all.filter(isWriting),
  ];
  const probes = seed === 'none' ? unvaried : varied(unvaried, seed);
  bySeed.set(seed, probes);
  return probes;
}

/** The surplus probes of a contract, by seed. */
const knownSurplus = new WeakMap<readonly Probe[], readonly Probe[]>();

/**
 * Every probe that a run can send in place of repeating one read, in order of value. Runs without a seed send none, as older
 * versions did.
 */
function surplusOf(contract: Contract, checks: readonly Check[], seed: Seed): readonly Probe[] {
  if (seed === 'none') return [];
  const all = probesOf(contract, checks, seed);
  const known = knownSurplus.get(all) ?? surplusProbes(contract, all, seed);
  knownSurplus.set(all, known);
  return known;
}

/**
 * Draws requests beyond the surplus probes: by place, and by the steps that make one smaller. A place whose request was
 * sent before has no request.
 */
function generatorOf(contract: Contract, checks: readonly Check[], seed: Seed): Generate {
  if (seed === 'none') return () => undefined;
  const all = probesOf(contract, checks, seed);
  const textOf = requestTexts(contract);
  const firstPlaces = new Map<string, number>();
  let known: ReadonlySet<string> | undefined;
  return (path) => {
    const drawn = drawnProbe(contract, all, seed, path);
    const [place = 0, ...steps] = path;
    if (!drawn || steps.length > 0) return drawn;
    known ??= plannedTexts(contract, [...all, ...surplusOf(contract, checks, seed)]);
    const text = textOf(drawn);
    const first = Math.min(firstPlaces.get(text) ?? place, place);
    firstPlaces.set(text, first);
    return known.has(text) || first < place ? undefined : drawn;
  };
}

/** Finds every probe of a contract by its id, those that a seed draws included. */
export function probeFinder(
  contract: Contract,
  checks: readonly Check[],
  seed: Seed,
): (id: string) => Probe | undefined {
  const all = [...probesOf(contract, checks, seed), ...surplusOf(contract, checks, seed)];
  const byId = new Map(all.map((each) => [each.id, each]));
  const generate = generatorOf(contract, checks, seed);
  return (id) => {
    const path = byId.has(id) ? undefined : pathOf(id);
    return path ? generate(path) : byId.get(id);
  };
}

/** The seed of runs that name none: each set of requirements has its own, counted from 0. */
export function seedOf({ set, sets }: Contract): number {
  return Math.max(0, sets.indexOf(set));
}

/** @throws UsageError if `--only` selects nothing */
export function makePlan(contract: Contract, checks: readonly Check[], options: RunOptions): RunPlan {
  const { seed = seedOf(contract) } = options;
  const all = probesOf(contract, checks, seed);
  const selected = selectChecks(contract, checks, options.only);
  const narrowings = narrowingsOf(contract, options, selected, all);
  const wanted = all.filter((probe) => selected.some((check) => check.probes(probe)));
  const allowed = withDependencies(all, wanted).filter(
    (probe) => !narrowings.some(({ excluded }) => excluded(probe)),
  );
  // What creates, changes and removes is in its order already.
  const probes = [
    ...inOrder(
      allowed.filter(({ isWriting }) => !isWriting),
      seed,
    ),
    ...allowed.filter(({ isWriting }) => isWriting),
  ];
  const cost = costOf(contract, probes, options);
  const isWanted = (probe: Probe) =>
    selected.some((check) => check.probes(probe)) && !narrowings.some(({ excluded }) => excluded(probe));
  const isTestingMore =
    contract.file === undefined && (probes.some(({ stage }) => stage === 'exhaust') || cost.further > 0);
  const surplus = isTestingMore ? surplusOf(contract, checks, seed).filter(isWanted) : [];
  const draw = generatorOf(contract, checks, seed);
  const generate: Generate = (path) => {
    const drawn = isTestingMore ? draw(path) : undefined;
    return drawn && isWanted(drawn) ? drawn : undefined;
  };
  return { probes, surplus, generate, checks: selected, narrowed: narrowings, cost, seed };
}

function narrowingsOf(
  contract: Contract,
  options: RunOptions,
  selected: readonly Check[],
  all: readonly Probe[],
): Narrowing[] {
  const method = new Map(contract.operations.map((each) => [each.id, each.method]));
  const isUnsafe = ({ operation }: Probe) => !SAFE_METHODS.includes(method.get(operation) ?? '');
  const isLimiter = ({ stage }: Probe) => stage === 'exhaust' || stage === 'recover';
  const narrowings: Narrowing[] = [];
  if (options.readOnly) narrowings.push({ option: '--read-only', excluded: withReaders(isUnsafe, all) });
  if (contract.file !== undefined && !contract.operations.every(isRead))
    narrowings.push(
      options.write ? withoutExamples(contract, all) : readsAlone(contract, withReaders(isUnsafe, all)),
    );
  if (isUnlimited(contract, options))
    narrowings.push({
      option: 'no --limit',
      excluded: isLimiter,
      leavesOut: ({ id }) => id.startsWith('rate-limit.'),
    });
  if (options.exhaust === 'none') narrowings.push({ option: '--no-exhaust', excluded: isLimiter });
  if (options.baseUrl !== undefined) narrowings.push(...unnamedServers(contract, options));
  if (options.only.length > 0)
    narrowings.push({
      option: '--only',
      excluded: (probe) =>
        isLimiter(probe) && !selected.some((check) => check.phase === 'limiter' && check.probes(probe)),
    });
  return narrowings;
}

/** Whether nothing says how many requests an interface of the user's allows: then nothing is used up. */
function isUnlimited({ file, requirements, ratePlans }: Contract, options: RunOptions): boolean {
  if (file === undefined || statedLimits(ratePlans, options)?.minute !== undefined) return false;
  return requirements.some(({ id }) => id === 'rate-limit.enforced');
}

function selectChecks(contract: Contract, checks: readonly Check[], only: readonly string[]): Check[] {
  const selected = new Set(selectRequirements(contract.requirements, only).map(({ id }) => id));
  return checks.filter(({ requirement }) => only.length === 0 || selected.has(requirement));
}

/**
 * The requirements that `--only` selects; all of them without it.
 * @throws UsageError if a pattern selects none
 */
export function selectRequirements(
  requirements: readonly Requirement[],
  only: readonly string[],
): readonly Requirement[] {
  if (only.length === 0) return requirements;
  for (const pattern of only) {
    if (requirements.some((each) => isSelected(each, pattern))) continue;
    const names = requirements.flatMap(({ id, section, operation }) => [id, section, operation ?? id]);
    throw new UsageError(
      `unknown requirement, section or operation '${pattern}' in --only; petspec requirements lists them${didYouMean(pattern, [...new Set(names)])}`,
    );
  }
  return requirements.filter((each) => only.some((pattern) => isSelected(each, pattern)));
}

/** Whether a pattern names a requirement: by id or a glob of ids, its section, or its operation. */
function isSelected(requirement: Requirement, pattern: string): boolean {
  const glob = new RegExp(
    `^${pattern
      .split('*')
      .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*')}$`,
    'i',
  );
  return [requirement.id, requirement.section, requirement.operation ?? ''].some(
    (name) => name !== '' && glob.test(name),
  );
}

/** Probes together with those whose responses they need, for their values or for comparison. */
function withDependencies(all: readonly Probe[], wanted: readonly Probe[]): Probe[] {
  const chosen = new Set(wanted.map(({ id }) => id));
  const byId = new Map(all.map((each) => [each.id, each]));
  const first = all.filter(({ stage }) => stage === 'first').map(({ id }) => id);
  const queue = [...wanted];
  for (let probe = queue.pop(); probe; probe = queue.pop()) {
    for (const id of [...first, ...dependenciesOf(probe)]) {
      const needed = byId.get(id);
      if (!needed || chosen.has(id)) continue;
      chosen.add(id);
      queue.push(needed);
    }
  }
  return all.filter(({ id }) => chosen.has(id));
}

function dependenciesOf(probe: Probe): string[] {
  const condition = probe.onlyIf ? [probe.onlyIf.succeeded] : [];
  return [...sourcesOf(probe), ...condition, ...probe.controls];
}
