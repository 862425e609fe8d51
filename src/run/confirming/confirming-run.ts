import type { Check } from '../../judge/evidence/check.ts';
import type { Contract } from '../../model/contract.ts';
import type { Exchange } from '../../model/exchange.ts';
import { type Finding, isProblem, repeated } from '../../model/finding.ts';
import type { NotSent } from '../../model/report/confirmation.ts';
import { isJoined } from '../../model/report/reproduction.ts';
import { attemptsOf, type RequestsToTry } from '../../reproduction/attempts.ts';
import { collectRequests } from '../../reproduction/requests.ts';
import type { ReproductionSource } from '../../reproduction/steps.ts';
import type { RunSecrets } from '../../secrets/secrets-of-run.ts';
import { MOST_AGAIN } from '../../session/again/confirm.ts';
import {
  type ConfirmationAttempt,
  type Confirming,
  type FindingsAgain,
  type RequestAgain,
  SAFE_METHODS,
  type SessionOptions,
  type ToConfirm,
} from '../../session/terms/types.ts';
import { type Conducted, furtherSent, type Outcome } from '../judging/judge-outcome.ts';
import type { RunOptions } from '../options.ts';
import { probeIn, type RunPlan } from '../plan.ts';
import { isShownAgain, type Surrounding, withConfirmations } from './shown-again.ts';

/** A run as it was judged before its findings were seen again. */
interface Before {
  outcome: Outcome;
  conducted: Conducted;
}

/**
 * Lets a run see its findings again, so it is judged before it ends.
 * @param judged judges the outcome of a run
 * @returns the hooks of the session, and a function for its result: undefined if the run must be judged once more
 */
export function confirmingRun(
  contract: Contract,
  plan: RunPlan,
  { plan: stated }: Pick<RunOptions, 'plan'>,
  { baseUrl, writes = false, limits }: SessionOptions,
  { hide }: Pick<RunSecrets, 'hide'>,
  outcomeOf: (execution: Parameters<Confirming['reproductionsOf']>[0]) => Outcome,
  judged: (outcome: Outcome) => Promise<Conducted>,
): { confirming: Confirming; resultOf: (outcome: Outcome) => Conducted | undefined } {
  const checks = new Map(plan.checks.map((check) => [check.requirement, check]));
  let before: Before | undefined;

  function surroundingOf(exchanges: readonly Exchange[]): Surrounding {
    return {
      contract,
      probes: [...plan.probes, ...furtherSent(plan, exchanges)],
      today: exchanges.at(-1)?.receivedAt ?? 0,
      baseUrl,
      referencesKnown: true,
      sharedKey: false,
      limits,
      plan: stated,
    };
  }

  return {
    confirming: {
      most: plan.cost.confirming,
      reproductionsOf: async (execution) => {
        const outcome = outcomeOf(execution);
        before = { outcome, conducted: await judged(outcome) };
        return toConfirm(before.conducted, contract, plan, writes);
      },
      isShown: (finding, exchanges) => {
        const check = checks.get(finding);
        const shown = before?.conducted.findings[finding];
        if (!check || !shown || !before) return false;
        return isShownAgain(check, shown, exchanges, before.outcome.exchanges, surroundingOf(exchanges));
      },
    },
    resultOf: (outcome) => {
      if (!before || !isSameEvidence(before.outcome, outcome)) return undefined;
      const { conducted } = before;
      const { exchanges } = outcome;
      const hidden = new Map(conducted.exchanges.map((exchange) => [exchange.id, exchange]));
      return {
        ...conducted,
        ...outcome,
        exchanges: exchanges.map((exchange) => hidden.get(exchange.id) ?? hide(exchange)),
        findings: withConfirmations(conducted.findings, outcome, plan.checks, surroundingOf(exchanges)),
      };
    },
  };
}

/** Whether only requests that see findings again were sent meanwhile, and nothing ended the run. */
function isSameEvidence(before: Outcome, { exchanges, stopped }: Outcome): boolean {
  const judged = exchanges.filter(({ confirms }) => !confirms);
  const earlier = before.exchanges.filter(({ confirms }) => !confirms);
  return (
    !stopped &&
    judged.length === earlier.length &&
    judged.every((exchange, index) => exchange === earlier[index])
  );
}

/**
 * The requests that show the findings of a run again: violations first, and together the findings that the same requests show.
 * @param isRemoving whether the run removes what it creates: then nothing is created again
 */
function toConfirm(run: Conducted, contract: Contract, plan: RunPlan, isRemoving: boolean): ToConfirm {
  const source = sourceOf(run, contract, plan);
  const notSent: Record<string, NotSent> = {};
  const bySent = new Map<string, FindingsAgain>();
  for (const [id, finding] of problemsOf(run, plan.checks)) {
    const tried = attemptsOf(finding, source, MOST_AGAIN);
    const attempts = typeof tried === 'string' ? [] : tried.map((requests) => attemptOf(requests, source));
    const isWriting = attempts[0]?.requests.some(({ repeats }) => isUnsafe(source.requests.byId(repeats)));
    if (typeof tried === 'string') notSent[id] = tried;
    else if (attempts.length === 0) notSent[id] = 'no-room';
    else if (isRemoving && isWriting) notSent[id] = 'writes';
    else {
      const key = JSON.stringify(attempts.map(({ requests }) => requests.map(kindOf)));
      const { findings } = bySent.get(key) ?? { findings: [] };
      bySent.set(key, { findings: [...findings, id], attempts });
    }
  }
  return { reproductions: [...bySent.values()], notSent };
}

/** Violations before advisories, without those that an earlier part of this run has seen again. */
function problemsOf({ findings, exchanges }: Conducted, checks: readonly Check[]): [string, Finding][] {
  const seen = new Set(exchanges.flatMap(({ confirms }) => confirms?.findings ?? []));
  const problems = checks.flatMap(({ requirement }): [string, Finding][] => {
    const finding = findings[requirement];
    return finding && isProblem(finding) && !seen.has(requirement) ? [[requirement, finding]] : [];
  });
  const rank = ([, { status }]: [string, Finding]) => Number(status !== 'violated');
  return problems.sort((left, right) => rank(left) - rank(right));
}

function sourceOf(
  { findings, exchanges, target, plan: named }: Conducted,
  contract: Contract,
  plan: RunPlan,
): ReproductionSource {
  const wanted = Object.values(findings).flatMap(({ evidence, repetition }) => [
    ...evidence,
    ...(repetition ? repeated(repetition) : []),
  ]);
  const requests = collectRequests(contract, new Set(wanted));
  for (const exchange of exchanges) requests.add(exchange);
  return { contract, probes: { get: probeIn(plan) }, requests, target, plan: named ?? null };
}

function attemptOf(
  { form, requests, isLoop }: RequestsToTry,
  { probes }: ReproductionSource,
): ConfirmationAttempt {
  const again = requests.flatMap((request, index): RequestAgain[] => {
    const { id, probe: probeId, variation, variations = [] } = request;
    const probe = probes.get(probeId);
    if (!probe) return [];
    const planned = [...(probe.variations ?? []), ...(probe.rounds ?? []).flat()];
    const kept = variations.flatMap(
      (variationId) => planned.find((candidate) => candidate.id === variationId) ?? [],
    );
    return [
      {
        probe,
        variations: kept,
        repeats: id,
        variation,
        isJoined: !isLoop && isJoined(request, requests[index - 1]),
      },
    ];
  });
  return { form, requests: again };
}

/** Equal texts for requests that are the same, whenever they were sent. */
function kindOf({ probe, variations, variation }: RequestAgain): string {
  return [probe.id, variation, ...variations.map(({ id }) => id)].join(' ');
}

function isUnsafe(request: { method: string } | undefined): boolean {
  return request !== undefined && !SAFE_METHODS.includes(request.method);
}
