import type { Check } from '../../judge/evidence/check.ts';
import type { Contract } from '../../model/contract.ts';
import { type Finding, isProblem, repeated } from '../../model/finding.ts';
import type { NotSent } from '../../model/report/confirmation.ts';
import { isJoined } from '../../model/report/reproduction.ts';
import { attemptsOf, type RequestsToTry } from '../../reproduction/attempts.ts';
import { collectRequests } from '../../reproduction/requests.ts';
import type { ReproductionSource } from '../../reproduction/steps.ts';
import { MOST_AGAIN } from '../../session/again/confirm.ts';
import {
  type ConfirmationAttempt,
  type FindingsAgain,
  type RequestAgain,
  SAFE_METHODS,
  type ToConfirm,
} from '../../session/terms/types.ts';
import type { Conducted } from '../judge-outcome.ts';
import { probeIn, type RunPlan } from '../plan.ts';

/**
 * What shows the findings of a run again: violations first, and findings that the same requests show together.
 * @param isRemoving the run removes what it creates, once: nothing is created again
 */
export function toConfirm(run: Conducted, contract: Contract, plan: RunPlan, isRemoving: boolean): ToConfirm {
  const source = sourceOf(run, contract, plan);
  const notSent: Record<string, NotSent> = {};
  const bySent = new Map<string, FindingsAgain>();
  for (const [id, finding] of problemsOf(run, plan.checks)) {
    const tried = attemptsOf(finding, source, MOST_AGAIN);
    const attempts = typeof tried === 'string' ? [] : tried.map((each) => attemptOf(each, source));
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

/** Violations before what is good practice alone, and none that an earlier part of this run has seen again. */
function problemsOf({ findings, exchanges }: Conducted, checks: readonly Check[]): [string, Finding][] {
  const known = new Set(exchanges.flatMap(({ confirms }) => confirms?.findings ?? []));
  const found = checks.flatMap(({ requirement }): [string, Finding][] => {
    const finding = findings[requirement];
    return finding && isProblem(finding) && !known.has(requirement) ? [[requirement, finding]] : [];
  });
  const rank = ([, { status }]: [string, Finding]) => Number(status !== 'violated');
  return found.sort((one, other) => rank(one) - rank(other));
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
  for (const each of exchanges) requests.add(each);
  return { contract, probes: { get: probeIn(plan) }, requests, target, plan: named ?? null };
}

function attemptOf(
  { form, requests, isLoop }: RequestsToTry,
  { probes }: ReproductionSource,
): ConfirmationAttempt {
  const again = requests.flatMap((request, index): RequestAgain[] => {
    const { id, probe: of, variation, variations = [] } = request;
    const probe = probes.get(of);
    if (!probe) return [];
    const all = [...(probe.variations ?? []), ...(probe.rounds ?? []).flat()];
    const kept = variations.flatMap((each) => all.find((known) => known.id === each) ?? []);
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

/** Requests of one kind are the same, whenever they were sent. */
function kindOf({ probe, variations, variation }: RequestAgain): string {
  return [probe.id, variation, ...variations.map(({ id }) => id)].join(' ');
}

function isUnsafe(request: { method: string } | undefined): boolean {
  return request !== undefined && !SAFE_METHODS.includes(request.method);
}
