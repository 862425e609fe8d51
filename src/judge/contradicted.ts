import { type DeviationKind, type Finding, notTested } from '../model/finding.ts';
import type { Check, Evidence } from './check.ts';
import { inconclusiveOf, type Judged } from './judged.ts';

type Findings = Readonly<Record<string, Finding>>;

/**
 * Findings of which none is met against the evidence. One requirement owns what is wrong with an exchange, and no other
 * gets to see what is hidden behind it: so whatever is met is judged once more with nothing hidden. What is violated then
 * is not tested, and names the requirement that owns the contradiction.
 */
export function withoutContradicted(
  checks: readonly Check[],
  findings: Findings,
  evidence: Evidence,
): Findings {
  if (!evidence.judged.some(isHiding)) return findings;
  const revealed = { ...evidence, judged: evidence.judged.map(reveal) };
  const contradicted = checks.flatMap((check) => {
    const { requirement } = check;
    if (findings[requirement]?.status !== 'met') return [];
    const against = check.judge(revealed);
    if (against.status !== 'violated') return [];
    return [[requirement, ownedElsewhere(requirement, against, findings, evidence.judged)] as const];
  });
  return { ...findings, ...Object.fromEntries(contradicted) };
}

/** Whether something is wrong with an exchange that not every requirement gets to see. */
function isHiding({ deviations, hidden }: Judged): boolean {
  return deviations.length > 0 || hidden.length > 0;
}

/** An exchange with everything that is wrong with it a deviation of its own. */
function reveal(judged: Judged): Judged {
  if (!isHiding(judged)) return judged;
  const { exchange, value, deviations, hidden } = judged;
  const revealed = { ...judged, deviations: [...deviations, ...hidden], isRevealed: true } as const;
  if (!exchange.response) return revealed;
  return { ...revealed, outcome: 'answered', isSound: value !== undefined };
}

/** What is to be said of a requirement that is contradicted where another one owns what is wrong. */
function ownedElsewhere(
  requirement: string,
  against: Finding,
  findings: Findings,
  judged: readonly Judged[],
): Finding {
  const hiding = judged.filter(isHiding);
  const shown = hiding.filter(({ exchange }) => against.evidence.includes(exchange.id));
  const showing = shown.length > 0 ? shown : hiding;
  const named = showing.flatMap((each) => nameOf(each, against.kind));
  const owner = showing
    .map((each) => ownerOf(each, against.kind, findings))
    .find((each) => each !== undefined);
  const untested = (cause: string | undefined) =>
    notTested(`contradicted: ${against.reason}`, cause, against.evidence);
  if (owner !== undefined) return untested(owner);
  // The owner was not asked for: what an exchange shows by itself is a violation then.
  const isShownAlone = shown.some((each) => each.hidden.some((hidden) => hidden.requirement === requirement));
  return isShownAlone && named.length > 0 ? against : untested(named[0]);
}

/** The requirement that an exchange names as the owner of what is wrong: of headers and body each has its own. */
function nameOf(judged: Judged, kind: DeviationKind | undefined): string[] {
  const { deviations } = judged;
  const owner = deviations.find((each) => (each.kind === 'header') === (kind === 'header')) ?? deviations[0];
  return [owner?.requirement ?? inconclusiveOf(judged)?.cause ?? []].flat();
}

/** The violated requirement that owns what is wrong with an exchange. */
function ownerOf(judged: Judged, kind: DeviationKind | undefined, findings: Findings): string | undefined {
  const isViolated = (id: string | undefined) => id !== undefined && findings[id]?.status === 'violated';
  const [named] = nameOf(judged, kind);
  const cause = findings[named ?? '']?.cause;
  if (isViolated(named)) return named;
  if (isViolated(cause)) return cause;
  // What a check found in the exchange, or in the one that it is compared with.
  const ids = [judged.exchange.id, inconclusiveOf(judged)?.control];
  return Object.keys(findings).find(
    (id) => isViolated(id) && findings[id]?.evidence.some((each) => ids.includes(each)),
  );
}
