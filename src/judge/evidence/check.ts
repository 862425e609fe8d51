import type { Contract } from '../../model/contract.ts';
import type { Unsent } from '../../model/exchange.ts';
import type { Deviation, Finding } from '../../model/finding.ts';
import { met, notTested, observed, vacuous, violated } from '../../model/finding.ts';
import { exchangesFor, groupedBy, type Looking, probesFor } from '../../model/large/lookups.ts';
import { type Probe, usesUpLimit } from '../../model/probe.ts';
import { rememberingEach } from '../../model/remembering.ts';
import { fingerprintsOf } from './fingerprints.ts';
import { type Circumstances, inconclusiveOf, isAnswered, isSound, type Judged, levelsOf } from './judged.ts';

/** `functional` checks look at single operations, `limiter` checks at the sequence, `every-exchange` checks at everything. */
export type Phase = 'functional' | 'limiter' | 'every-exchange';

/** Judges one requirement. `judge` is pure: it neither throws nor sends. */
export interface Check extends Looking {
  phase: Phase;
  /** Probes that the contract does not imply. They are sent with the others of their stage, after them. */
  add?: (contract: Contract) => Probe[];
  /** It collects the deviations of single exchanges, and judges nothing else. */
  isCollecting?: true;
  /** Requirements whose violation keeps this one from being judged. */
  needs: readonly string[];
  judge: (evidence: Evidence) => Finding;
}

/** Everything that a check may look at. */
export interface Evidence extends Circumstances {
  /** In the order in which they were sent. */
  judged: readonly Judged[];
  unsent: readonly Unsent[];
  baseUrl: string;
  /** The plan that the user stated. */
  plan?: string | undefined;
  /** The window that the run used up on purpose, and how many of its requests were let through. */
  used?: { window: 'minute' | 'day'; limit: number; letThrough: number } | undefined;
  /** Whether others use the key as well. */
  sharedKey: boolean;
  /** Set if this evidence hides no deviation: the original evidence, in which deviations hide others. */
  unrevealed?: Evidence;
}

/** What one exchange shows: a deviation, that the requirement was exercised and held, or nothing. */
export type Examined = Omit<Deviation, 'requirement' | 'kind'> | 'held' | undefined;

/**
 * A check that examines each exchange of its probes by itself: those with a sound body, or, for checks of only headers and
 * status, all that were answered.
 */
export function eachExchange(
  check: Pick<Check, 'requirement' | 'probes'> & Partial<Check> & { of?: 'sound' | 'answered' },
  examine: (judged: Judged, evidence: Evidence) => Examined,
): Check {
  const { of = 'sound', ...fields } = check;
  return {
    phase: 'functional',
    needs: [],
    ...fields,
    judge(evidence) {
      const isSeen = of === 'sound' ? isSound : isAnswered;
      const candidates = exchangesFor(evidence.judged, check).filter(
        (result) => isSeen(result) && check.probes(result.probe),
      );
      const results = plainFirst(candidates).map((judged) => ({ judged, result: examine(judged, evidence) }));
      const wrong = results.flatMap(({ judged, result }) =>
        typeof result === 'object' ? [{ judged, deviation: { kind: 'meaning' as const, ...result } }] : [],
      );
      if (wrong[0])
        return violated(wrong[0].deviation, idsOf(wrong.map(({ judged }) => judged)), fingerprintsOf(wrong));
      const held = results.filter(({ result }) => result === 'held').map(({ judged }) => judged);
      if (held.length > 0) return met(idsOf(held));
      return unexercised(evidence, check);
    },
  };
}

/**
 * Sorts exchanges for display, because a finding shows the first one: plain requests before varied ones, and a missing key before
 * other wrong keys, first where nothing else is wrong with the request.
 */
export function plainFirst(judged: readonly Judged[]): Judged[] {
  const rank = ({ exchange: { variations, stage, key }, probe: { rule } }: Judged) => {
    if (variations !== undefined || usesUpLimit(stage) || stage === 'recover') return 3;
    if (key === 'absent') return rule === undefined ? 0 : 1;
    return key === 'valid' ? 0 : 2;
  };
  return judged.toSorted((left, right) => rank(left) - rank(right));
}

/**
 * A check that records what a service does if the interface leaves it open.
 * @param operations the operations of its probes, if there are few of them
 */
export function observe(
  requirement: string,
  probes: Check['probes'],
  describe: (results: Judged[], evidence: Evidence) => string | undefined,
  operations?: Check['operations'],
): Check {
  const looking: Looking = { requirement, probes, operations };
  return {
    ...looking,
    phase: 'functional',
    needs: [],
    judge(evidence) {
      const results = exchangesFor(evidence.judged, looking).filter(
        ({ probe, exchange }) => probes(probe) && probe.stage !== 'surplus' && exchange.response,
      );
      const words = results.length === 0 ? undefined : describe(results, evidence);
      return observed(words ?? 'no response showed this', words === undefined ? [] : idsOf(results));
    },
  };
}

/** A check of an open requirement that no response can show. */
export function unobservable(requirement: string, why: string): Check {
  const finding = observed(why, [], 'no response can show this');
  return { requirement, phase: 'functional', probes: () => false, needs: [], judge: () => finding };
}

/** The finding for a requirement that no exchange exercised: the reason why it was not judged. */
export function unexercised(evidence: Evidence, check: Looking): Finding {
  // A refusal by the rate limit says nothing: its probe is sent again. It counts only if nothing else came.
  const candidates = exchangesFor(evidence.judged, check).filter((result) => check.probes(result.probe));
  const answered = candidates.filter(({ exchange }) => exchange.response?.status !== 429);
  const relevant = answered.length > 0 ? answered : candidates;
  const gone = relevant.find(({ outcome }) => outcome === 'removed');
  if (gone) return observed(REMOVED, [gone.exchange.id], 'removed as scheduled');
  const blocked = relevant.find((result) => isBlocking(result, evidence));
  if (blocked) return unjudgeable(blocked);
  const inconclusive = relevant.find(inconclusiveOf);
  const why = inconclusive && inconclusiveOf(inconclusive);
  if (why) return notTested('inconclusive', why.reason, why.cause, [inconclusive.exchange.id]);
  if (relevant.length > 0) return vacuous('no response could have shown a violation', idsOf(relevant));
  const missing = firstUnsent(evidence.unsent, probesFor(evidence.probes, check).filter(check.probes));
  if (missing) return notTested(missing.kind, missing.reason, causeOf(evidence, missing.cause));
  return notTested('not-planned', 'no request of this run tests it');
}

/**
 * Whether a deviation of an exchange keeps other requirements from being judged. With a user's document, two kinds do
 * not: a body that ignores good practice (`should`), and a refusal, because the reason for the refusal says more.
 */
function isBlocking({ deviations, operation, outcome }: Judged, { contract }: Evidence): boolean {
  if (!operation.mayRefuse) return deviations.length > 0;
  if (outcome === 'inconclusive') return false;
  const levels = levelsOf(contract);
  return deviations.some(({ kind, requirement }) => kind !== 'shape' || levels.get(requirement) !== 'should');
}

const REMOVED = 'the operation was removed, as announced';

/**
 * The finding for a requirement that only this exchange could show, if the exchange is wrong or inconclusive, or its operation is
 * removed.
 */
export function unjudgeable(judged: Judged): Finding {
  const [wrong] = judged.deviations;
  const why = inconclusiveOf(judged);
  return notTested(
    wrong ? 'blocked' : 'inconclusive',
    `cannot be judged: ${wrong?.reason ?? why?.reason ?? REMOVED}`,
    wrong?.requirement ?? why?.cause,
    idsOf([judged]),
  );
}

function firstUnsent(unsent: readonly Unsent[], probes: readonly Probe[]): Unsent | undefined {
  const places = placesOfUnsent(unsent);
  const first = probes.reduce((least, { id }) => Math.min(least, places.get(id) ?? least), unsent.length);
  return unsent[first];
}

const placesOfUnsent = rememberingEach(
  (unsent: readonly Unsent[]) => new Map(unsent.map(({ probe }, place) => [probe, place] as const).reverse()),
);

const judgedByProbe = rememberingEach((judged: readonly Judged[]) =>
  groupedBy(judged, ({ probe }) => probe.id),
);

/** The violated requirement that explains why a probe shows nothing: its own response violates it, or that of a probe it needs. */
export function causeOf(evidence: Evidence, probe: string | undefined): string | undefined {
  const seen = new Set<string>();
  // A ledger that was tampered with may name causes in a circle.
  for (let id = probe; id !== undefined && !seen.has(id); ) {
    seen.add(id);
    const sent = judgedByProbe(evidence.judged).get(id) ?? [];
    const [owner] = sent.flatMap(({ deviations }) => deviations);
    const cause = owner?.requirement ?? sent.flatMap((result) => inconclusiveOf(result)?.cause ?? [])[0];
    if (cause !== undefined) return cause;
    id = evidence.unsent[placesOfUnsent(evidence.unsent).get(id) ?? -1]?.cause;
  }
  return undefined;
}

export function idsOf(judged: readonly Judged[]): number[] {
  return judged.map(({ exchange }) => exchange.id);
}
