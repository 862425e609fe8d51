import {
  type Finding,
  type Findings,
  mergeFingerprints,
  mergeOccurrences,
  notTested,
} from '../model/finding.ts';

/** Which of two findings about one requirement counts: the first match of this list. */
const RANK: readonly ((finding: Finding) => boolean)[] = [
  ({ status }) => status === 'violated',
  ({ status }) => status === 'advisory',
  // A requirement is not met if a part of the recording contradicts it.
  ({ status, untested }) =>
    status === 'not-tested' && (untested === 'contradicted' || untested === 'blocked'),
  ({ status, exercised }) => status === 'met' && exercised,
  ({ status, exercised }) => status === 'observed' && exercised,
  ({ status }) => status === 'met',
  ({ status }) => status === 'observed',
  () => true,
];

const rankOf = (finding: Finding) => RANK.findIndex((is) => is(finding));

/** Merges the findings of two parts. */
export function mergeFindings(earlier: Findings, later: Findings): Findings {
  const merged: Record<string, Finding> = { ...earlier };
  for (const [id, finding] of Object.entries(later)) {
    const kept = merged[id];
    if (!kept || rankOf(finding) < rankOf(kept)) merged[id] = finding;
    else if (kept.status === 'violated' && finding.status === 'violated')
      merged[id] = {
        ...kept,
        seen: mergeFingerprints([...(kept.seen ?? []), ...(finding.seen ?? [])]),
        occurrences: mergeOccurrences([...(kept.occurrences ?? []), ...(finding.occurrences ?? [])]),
      };
  }
  return merged;
}

const NO_TRAFFIC = 'no exchange of the recording shows it';

/**
 * The findings of all requirements that were to be judged. A requirement that no exchange exercises is not tested for that
 * reason alone, unless a violation keeps it from being judged.
 */
export function withoutTraffic(requirements: readonly string[], findings: Findings): Findings {
  return Object.fromEntries(
    requirements.map((id) => {
      const finding = findings[id] ?? notTested('no-traffic', NO_TRAFFIC);
      const isBlocked = finding.cause !== undefined && findings[finding.cause]?.status === 'violated';
      if (finding.status !== 'not-tested' || isBlocked) return [id, finding];
      const { cause: _, ...unseen } = finding;
      return [id, { ...unseen, untested: 'no-traffic' as const, reason: NO_TRAFFIC }];
    }),
  );
}
