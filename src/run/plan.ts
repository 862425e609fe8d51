import type { Check } from '../judge/evidence/check.ts';
import type { Contract } from '../model/contract.ts';
import { checksLookingAt } from '../model/large/lookups.ts';
import { atOnce, type Steps } from '../model/large/steps.ts';
import { lateValuesIn, type Probe, sourcesOf } from '../model/probe.ts';
import { rememberingEach } from '../model/remembering.ts';
import { withBursts } from '../probes/beside.ts';
import { ordering } from '../probes/order.ts';
import { isReadOperation } from '../probes/reads/find-reads.ts';
import { pathOf } from '../probes/surplus/generated.ts';
import { isOfOtherKey } from '../probes/writes/other-key.ts';
import { type Generate, SAFE_METHODS } from '../session/terms/types.ts';
import { type Cost, costOf } from './cost.ts';
import {
  missingKeys,
  type Narrowing,
  readsAlone,
  unnamedServers,
  withoutExamples,
  withoutSecondKey,
  withReaders,
} from './interface/left-out.ts';
import { type RunOptions, statedLimits } from './options.ts';
import { afterRecoveryOf, derivingProbes, generatorOf, type Seed, seedOf, surplusOf } from './plan/probes.ts';
import { type Selection, selectRequirements } from './plan/select.ts';

/** The plan of a run, known before the first request: the ordered probes of the selected checks, and their cost. */
export interface RunPlan {
  probes: readonly Probe[];
  /** Probes that it may send in place of repeating one read while it uses up the limit, in this order. */
  surplus: readonly Probe[];
  /** Draws further probes after those. */
  generate: Generate;
  /** Probes that it sends in the window after the recovery, in this order. */
  afterRecovery: readonly Probe[];
  checks: readonly Check[];
  /** The options that leave requirements out. */
  narrowed: readonly Narrowing[];
  cost: Cost;
  seed: Seed;
}

/** @throws UsageError if the options select a requirement that does not exist */
export function makePlan(contract: Contract, checks: readonly Check[], options: RunOptions): RunPlan {
  return atOnce(planning(contract, checks, options));
}

/** The same in steps. @throws UsageError as {@link makePlan} does */
export function* planning(contract: Contract, checks: readonly Check[], options: RunOptions): Steps<RunPlan> {
  const { seed = seedOf(contract) } = options;
  const derived = yield* derivingProbes(contract, checks, seed);
  const selected = selectChecks(contract, checks, options);
  const looking = checksLookingAt(selected);
  const narrowings = narrowingsOf(contract, options, looking, derived);
  const wanted: Probe[] = [];
  for (const probe of derived) {
    if (looking(probe).length > 0) wanted.push(probe);
    yield;
  }
  const allowed = withDependencies(derived, wanted).filter(
    (probe) => !narrowings.some(({ excluded }) => excluded(probe)),
  );
  const isWhole = contract.isComplete === true && selectionOf(options) === undefined;
  const sent = isWhole ? withBursts(allowed, contract.operations, options.concurrency) : allowed;
  // Probes that write are in their order already.
  const probes = [
    ...(yield* ordering(
      sent.filter(({ isWriting }) => !isWriting),
      seed,
    )),
    ...sent.filter(({ isWriting }) => isWriting),
  ];
  const isWanted = (probe: Probe) =>
    looking(probe).length > 0 && !narrowings.some(({ excluded }) => excluded(probe));
  const exhausts = probes.some(({ stage }) => stage === 'exhaust');
  const isTestingMore = options.budget !== undefined || (contract.isComplete === true && exhausts);
  const surplus = isTestingMore ? surplusOf(contract, checks, seed).filter(isWanted) : [];
  const usesNextWindow =
    exhausts && options.exhaust === 'minute' && !options.frugal && options.budget === undefined;
  const afterRecovery =
    usesNextWindow && isTestingMore ? afterRecoveryOf(contract, checks, seed).filter(isWanted) : [];
  const cost = costOf(contract, probes, afterRecovery, options);
  const draw = generatorOf(contract, checks, seed);
  const generate: Generate = (path) => {
    const drawn = isTestingMore ? draw(path) : undefined;
    return drawn && isWanted(drawn) ? drawn : undefined;
  };
  return { probes, surplus, generate, afterRecovery, checks: selected, narrowed: narrowings, cost, seed };
}

/** Makes one plan for all runs that send the same to different targets, because a plan takes up a hundred kilobytes. */
export function sharedPlans(): typeof makePlan {
  const plansOf = new WeakMap<readonly Check[], Map<string, RunPlan>>();
  return (contract, checks, options) => {
    const {
      apiKey: _key,
      apiKeyCommand: _command,
      secondKey,
      keys = {},
      secondKeys = {},
      keyFrom: _from,
      headers: _headers,
      network: _network,
      words: _words,
      ...rest
    } = options;
    const servers = Object.keys(options.servers ?? {}).sort();
    // Only whether an address is known makes a difference.
    const sent = {
      ...rest,
      baseUrl: options.baseUrl === undefined,
      apiUrl: options.apiUrl === undefined,
      secondKey: secondKey === undefined,
      keys: Object.keys(keys),
      secondKeys: Object.keys(secondKeys),
      servers,
    };
    const key = JSON.stringify(sent);
    const plans = plansOf.get(checks) ?? new Map<string, RunPlan>();
    const plan = plans.get(key) ?? makePlan(contract, checks, options);
    plans.set(key, plan);
    plansOf.set(checks, plans);
    return plan;
  };
}

/** Finds a probe of a plan by its id, drawn ones included: whoever judges or reports uses the planned probes. */
export const probeIn = rememberingEach(
  ({
    probes,
    surplus,
    generate,
    afterRecovery,
  }: Pick<RunPlan, 'probes' | 'surplus' | 'generate' | 'afterRecovery'>) => {
    const byId = new Map([...probes, ...surplus, ...afterRecovery].map((probe) => [probe.id, probe]));
    return (id: string): Probe | undefined => {
      const path = byId.has(id) ? undefined : pathOf(id);
      return path ? generate(path) : byId.get(id);
    };
  },
);

function narrowingsOf(
  contract: Contract,
  options: RunOptions,
  looking: (probe: Probe) => readonly Check[],
  derived: readonly Probe[],
): Narrowing[] {
  const method = new Map(contract.operations.map((operation) => [operation.id, operation.method]));
  const isUnsafe = ({ operation }: Probe) => !SAFE_METHODS.includes(method.get(operation) ?? '');
  const isLimiter = ({ stage }: Probe) => stage === 'exhaust' || stage === 'recover';
  const narrowings: Narrowing[] = [];
  const excluded = withReaders(isUnsafe, derived);
  if (contract.file !== undefined && !contract.operations.every(isReadOperation))
    narrowings.push(
      ...(options.write
        ? [...withoutExamples(contract, derived), ...withoutSecondKey(contract, options)]
        : [readsAlone(contract, options, (probe) => excluded(probe) || isOfOtherKey(probe))]),
    );
  else if (options.readOnly) narrowings.push({ kind: 'option', option: '--read-only', excluded });
  if (isUnlimited(contract, options))
    narrowings.push({
      kind: 'option',
      option: 'no --limit',
      excluded: isLimiter,
      leavesOut: ({ id }) => id.startsWith('rate-limit.'),
    });
  if (options.exhaust === 'none')
    narrowings.push({ kind: 'option', option: '--no-exhaust', excluded: isLimiter });
  if (options.baseUrl !== undefined)
    narrowings.push(...unnamedServers(contract, options), ...missingKeys(contract, options));
  const selection = selectionOf(options);
  if (selection !== undefined)
    narrowings.push({
      kind: 'selection',
      option: selection,
      excluded: (probe) => isLimiter(probe) && !looking(probe).some(({ phase }) => phase === 'limiter'),
    });
  return narrowings;
}

/** Whether nothing states the limit of the user's interface: then no limit is used up. */
function isUnlimited({ file, requirements, ratePlans }: Contract, options: RunOptions): boolean {
  if (file === undefined || statedLimits(ratePlans, options)?.minute !== undefined) return false;
  return requirements.some(({ id }) => id === 'rate-limit.enforced');
}

/** The options that select requirements, as the user typed them; undefined if all are judged. */
function selectionOf({ only, violatedBefore }: Selection): string | undefined {
  const options = [...(only.length > 0 ? ['--only'] : []), ...(violatedBefore ? ['--only-violated'] : [])];
  return options.length === 0 ? undefined : options.join(' and ');
}

function selectChecks(contract: Contract, checks: readonly Check[], options: Selection): Check[] {
  const selected = new Set(selectRequirements(contract.requirements, options).map(({ id }) => id));
  return checks.filter(({ requirement }) => selectionOf(options) === undefined || selected.has(requirement));
}

/** Probes together with those whose responses they need, for their values or for comparison. */
function withDependencies(derived: readonly Probe[], wanted: readonly Probe[]): Probe[] {
  const chosen = new Set(wanted.map(({ id }) => id));
  const byId = new Map(derived.map((probe) => [probe.id, probe]));
  // A start read shows whether the service is there; that needs no control.
  if (wanted.length > 0) for (const { id, isStart } of derived) if (isStart) chosen.add(id);
  const queue = [...wanted];
  for (let probe = queue.pop(); probe; probe = queue.pop()) {
    for (const id of dependenciesOf(probe)) {
      const needed = byId.get(id);
      if (!needed || chosen.has(id)) continue;
      chosen.add(id);
      queue.push(needed);
    }
  }
  return derived.filter(({ id }) => chosen.has(id));
}

function dependenciesOf(probe: Probe): string[] {
  const condition = probe.onlyIf ? [probe.onlyIf.succeeded] : [];
  const referred = lateValuesIn(probe.body).flatMap((late) => (late.late === 'created' ? late.probes : []));
  return [...sourcesOf(probe), ...referred, ...condition, ...probe.controls];
}
