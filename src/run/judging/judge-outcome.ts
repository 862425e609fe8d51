import { slowSchemaGaps } from '../../contract/validation/schema-validator.ts';
import type { Evidence } from '../../judge/evidence/check.ts';
import { takenTogether, withVariation } from '../../judge/exchange/taken-apart.ts';
import { judgingAll } from '../../judge/findings.ts';
import { cacheHint, hintsOf } from '../../judge/hints.ts';
import { judgingExchanges } from '../../judge/judge-exchanges.ts';
import { limitersOf } from '../../judge/limiter/explanation/explain.ts';
import { CUSTOM_PLAN } from '../../judge/limiter/seen/headers.ts';
import { rootCauseOf } from '../../judge/root-cause.ts';
import { beforeService } from '../../judge/set-up-problem.ts';
import type { Contract, Gap } from '../../model/contract.ts';
import type { Exchange } from '../../model/exchange.ts';
import { type Finding, notTested } from '../../model/finding.ts';
import { atOnce, type Steps } from '../../model/large/steps.ts';
import { inferRatePlan } from '../../model/limits/rate-plan.ts';
import type { Probe } from '../../model/probe.ts';
import type { Hint, RootCause } from '../../model/report/diagnosis.ts';
import type { LimiterResult } from '../../model/report/limiter.ts';
import { exampleGaps } from '../../probes/reads/usable-examples.ts';
import type { Execution } from '../../session/terms/types.ts';
import { type Surrounding, withConfirmations } from '../confirming/shown-again.ts';
import { REFERENCE_OPTION, type RunOptions } from '../options.ts';
import { probeIn, type RunPlan } from '../plan.ts';
import { statedOptions } from '../settings/stated-options.ts';

const KEY_SHOWN: Hint = {
  kind: 'key-shown',
  text: 'the API key is too short or too common to hide: where the service repeats it, the reports show it; use a long random key',
};

/** The addresses of a target. */
export interface TargetAddresses {
  baseUrl: string;
  apiUrl?: string | undefined;
  /** The other servers, by name. */
  servers?: Readonly<Record<string, string>> | undefined;
}

/** The result of executing a plan, as plain data: judging needs only it, the plan and the options. */
export interface Outcome extends Execution {
  target: TargetAddresses;
  /** ms since the epoch, by the run's clock. */
  startedAt: number;
  finishedAt: number;
  /** The key is too short or too common to be hidden. */
  isKeyShown?: true | undefined;
}

/** The result of a run: a finding for each selected requirement, and the evidence. */
export interface Conducted extends Outcome {
  findings: Readonly<Record<string, Finding>>;
  /** Why every operation fails in the same way, if they do. */
  rootCause?: RootCause | undefined;
  /** Possible mistakes in the addresses, and other services that may have answered. */
  hints: readonly Hint[];
  /** The honest limiters that explain what was observed, or come nearest. */
  limiters: readonly LimiterResult[];
  /** What the document says and petspec could not judge. */
  gaps: readonly Gap[];
  /** The rate plan, stated by the user or inferred from the headers. */
  plan?: string | undefined;
}

/** Judges the result of executing a plan. Pure: a result that is read from a ledger gets the same findings. */
export function judge(contract: Contract, plan: RunPlan, options: RunOptions, outcome: Outcome): Conducted {
  return atOnce(judging(contract, plan, options, outcome));
}

/** The same in steps. */
export function* judging(
  contract: Contract,
  plan: RunPlan,
  options: RunOptions,
  outcome: Outcome,
): Steps<Conducted> {
  const { unsent, target, takenApart = [] } = outcome;
  const starting = plan.probes.filter(({ isStart }) => isStart);
  // Requests that were sent to see findings again are not judged.
  const sent = outcome.exchanges.filter(({ confirms }) => !confirms);
  const early = beforeService(sent, starting, contract, target.baseUrl);
  const exchanges = sent.filter((exchange) => !early.has(exchange));
  const circumstances = {
    contract,
    probes: [...plan.probes, ...furtherSent(plan, exchanges)],
    today: outcome.startedAt,
    referencesKnown: outcome.referencesKnown,
    referenceOption: REFERENCE_OPTION,
    isKeyRefused: outcome.stopped?.kind === 'key-refused',
    goneSince: outcome.stopped?.kind === 'gone' ? lastAnswered(exchanges) : undefined,
    limits: outcome.limits,
  };
  const evidence: Evidence = {
    ...circumstances,
    judged: takenTogether(yield* judgingExchanges(exchanges, circumstances), takenApart),
    unsent,
    baseUrl: target.baseUrl,
    sharedKey: options.sharedKey,
    used: outcome.used,
    plan: options.plan ?? (options.limits ? CUSTOM_PLAN : undefined),
  };
  const inferred = inferRatePlan(exchanges, contract.ratePlans);
  const ratePlan = options.plan ?? inferred?.name;
  const findings = yield* findingsOf(plan, evidence, outcome);
  const rootCause = rootCauseOf(evidence.judged, findings, contract);
  return {
    ...outcome,
    findings: withConfirmations(findings, outcome, plan.checks, surroundingOf(evidence)),
    rootCause,
    hints: hintsFor(evidence, findings, options, outcome),
    limiters: limitersOf(evidence),
    gaps: [...slowSchemaGaps(contract), ...exampleGaps(contract)],
    plan: ratePlan,
  };
}

/** The evidence without the exchanges. */
function surroundingOf({
  judged: _,
  unsent: __,
  used: ___,
  unrevealed: ____,
  ...surrounding
}: Evidence): Surrounding {
  return surrounding;
}

/** Hints at mistakes in the addresses, at what responds in place of the service, at a cache, and at a key that cannot be hidden. */
function hintsFor(
  { judged, contract }: Evidence,
  findings: Readonly<Record<string, Finding>>,
  options: RunOptions,
  { target, stopped, isKeyShown }: Outcome,
): Hint[] {
  const ofAddresses = hintsOf(judged, contract, target);
  const isElsewhere = stopped?.kind === 'not-the-service' && ofAddresses.length === 0;
  const cached = cacheHint(judged, findings);
  return [
    ...(isElsewhere ? [ELSEWHERE] : ofAddresses).map((hint) => withOptions(hint, options)),
    ...(cached ? [cached] : []),
    ...(isKeyShown ? [KEY_SHOWN] : []),
  ];
}

/** Only a hint with other addresses leads to a command, which needs the options. */
function withOptions(hint: Hint, options: RunOptions): Hint {
  const headers = options.headers.map(([name]) => name);
  return hint.instead ? { ...hint, options: statedOptions(options), headers } : hint;
}

const ELSEWHERE: Hint = {
  kind: 'elsewhere',
  text: 'check the address and its path, and whether a VPN or a login is needed',
};

/** The finding of every check. If something else responds in place of the service, nothing is judged. */
function* findingsOf(
  { checks }: RunPlan,
  evidence: Evidence,
  { stopped, takenApart = [] }: Outcome,
): Steps<Record<string, Finding>> {
  if (stopped?.kind === 'not-the-service') {
    const finding = notTested('run-stopped', stopped.message);
    return Object.fromEntries(checks.map(({ requirement }) => [requirement, finding]));
  }
  const judged = Object.entries(yield* judgingAll(checks, evidence));
  return Object.fromEntries(judged.map(([id, finding]) => [id, withVariation(finding, takenApart)]));
}

/** The probes that were sent in place of repeated reads, or in further windows. */
export function furtherSent(plan: RunPlan, exchanges: readonly Exchange[]): Probe[] {
  const sent = new Set(exchanges.filter(({ stage }) => stage === 'surplus').map(({ probe }) => probe));
  const planned = new Set(plan.probes.map(({ id }) => id));
  return [...sent].flatMap((id) => (planned.has(id) ? [] : (probeIn(plan)(id) ?? [])));
}

/** When the last request that got a response was sent, in ms since the epoch; 0 if none did. */
function lastAnswered(exchanges: readonly Exchange[]): number {
  return exchanges.reduce(
    (last, exchange) => (exchange.response ? Math.max(last, exchange.sentAt) : last),
    0,
  );
}
