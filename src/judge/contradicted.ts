import { type DeviationKind, type Finding, type Findings, notTested } from '../model/finding.ts';
import { atOnce, type Steps } from '../model/large/steps.ts';
import type { Check, Evidence } from './evidence/check.ts';
import { inconclusiveOf, type Judged } from './evidence/judged.ts';

/**
 * Changes "met" to "not tested" if an exchange contradicts it. The owner of an exchange hides its other deviations from their
 * requirements, so every met requirement is judged a second time with nothing hidden. A requirement that is then violated is not
 * tested, and names the owner of the exchange.
 */
export function withoutContradicted(...parameters: Parameters<typeof leavingOutContradicted>): Findings {
  return atOnce(leavingOutContradicted(...parameters));
}

/** `withoutContradicted` in steps, one for each check. */
export function* leavingOutContradicted(
  checks: readonly Check[],
  findings: Findings,
  evidence: Evidence,
): Steps<Findings> {
  if (!evidence.judged.some(isHiding)) return findings;
  const revealed = { ...evidence, judged: evidence.judged.map(reveal), unrevealed: evidence };
  const contradicted: Record<string, Finding> = {};
  for (const check of checks) {
    const { requirement } = check;
    if (findings[requirement]?.status !== 'met') continue;
    const against = check.judge(revealed);
    if (against.status === 'violated')
      contradicted[requirement] = ownedElsewhere(requirement, against, findings, evidence.judged);
    yield;
  }
  return { ...findings, ...contradicted };
}

/** Whether an exchange has a deviation that some requirements do not see. */
function isHiding({ deviations, hidden }: Judged): boolean {
  return deviations.length > 0 || hidden.length > 0;
}

/** An exchange in which no deviation hides another. */
function reveal(judged: Judged): Judged {
  if (!isHiding(judged)) return judged;
  const { exchange, value, deviations, hidden } = judged;
  const revealed = { ...judged, deviations: [...deviations, ...hidden], isRevealed: true } as const;
  if (!exchange.response) return revealed;
  return { ...revealed, outcome: 'answered', isSound: value !== undefined };
}

/** The finding for a requirement that an exchange contradicts, if another requirement owns the exchange. */
function ownedElsewhere(
  requirement: string,
  against: Finding,
  findings: Findings,
  judged: readonly Judged[],
): Finding {
  const hiding = judged.filter(isHiding);
  const deviating = hiding.filter(({ exchange }) => against.evidence.includes(exchange.id));
  // A missing header is reported by the header's requirement, even if the status is wrong too.
  const isAlike = ({ deviations }: Judged) =>
    deviations.some((deviation) => areOfOnePart(deviation.kind, against.kind));
  const showing = (deviating.length > 0 ? deviating : hiding).toSorted(
    (left, right) => Number(isAlike(right)) - Number(isAlike(left)),
  );
  const named = showing.flatMap((result) => ownerNamesOf(result, against.kind));
  const owner = showing
    .map((result) => ownerOf(result, against.kind, findings))
    .find((id) => id !== undefined);
  const untested = (cause: string | undefined) =>
    notTested('contradicted', `contradicted: ${against.reason}`, cause, against.evidence);
  if (owner !== undefined) return untested(owner);
  // Without a finding for the owner, a deviation of the exchange alone is a violation.
  const isShownAlone = deviating.some(({ hidden }) =>
    hidden.some((deviation) => deviation.requirement === requirement),
  );
  return isShownAlone && named.length > 0 ? against : untested(named[0]);
}

/** Whether both kinds are about headers, or neither is. */
function areOfOnePart(left: DeviationKind, right: DeviationKind | undefined): boolean {
  return (left === 'header') === (right === 'header');
}

/** The requirement that owns an exchange; headers and body each have their own owner. */
function ownerNamesOf(judged: Judged, kind: DeviationKind | undefined): string[] {
  const { deviations } = judged;
  const owner = deviations.find((deviation) => areOfOnePart(deviation.kind, kind)) ?? deviations[0];
  return [owner?.requirement ?? inconclusiveOf(judged)?.cause ?? []].flat();
}

/** The violated requirement that owns an exchange. */
function ownerOf(judged: Judged, kind: DeviationKind | undefined, findings: Findings): string | undefined {
  const isViolated = (id: string | undefined) => id !== undefined && findings[id]?.status === 'violated';
  const [named] = ownerNamesOf(judged, kind);
  const cause = findings[named ?? '']?.cause;
  if (isViolated(named)) return named;
  if (isViolated(cause)) return cause;
  // The evidence of a violation may be the exchange, or its control.
  const ids = [judged.exchange.id, inconclusiveOf(judged)?.control];
  return Object.entries(findings).find(
    ([, { status, evidence }]) => status === 'violated' && evidence.some((id) => ids.includes(id)),
  )?.[0];
}
