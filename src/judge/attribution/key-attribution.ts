import type { Contract } from '../../model/contract.ts';
import { isSuccess } from '../../model/exchange.ts';
import type { Deviation } from '../../model/finding.ts';
import { dueStatus } from '../../model/http/expectation.ts';
import { inconclusiveOf, isAnswered, type Judged, levelsOf, ownedBy } from '../evidence/judged.ts';
import { statusRequirement } from '../exchange/status.ts';

const FIRST = 'authentication.first';
const ACCEPTED = 'authentication.accepted';

/** The first request without the right key that each operation accepted. */
function acceptedByOperation(judged: readonly Judged[]): ReadonlyMap<string, Judged> {
  const letIn = judged.filter(isAcceptedWithoutKey).map((result) => [result.operation.id, result] as const);
  return new Map(letIn.reverse());
}

/** Attributes a 401 for the right key, if other operations that ask for a key accept it. */
export function attributeRefusedKeys(judged: readonly Judged[], contract: Contract): Judged[] {
  if (!levelsOf(contract).has(ACCEPTED)) return [...judged];
  const open = acceptedByOperation(judged);
  const accepted = judged.find(
    ({ probe, exchange, operation }) =>
      probe.key === 'valid' && isSuccess(exchange) && !open.has(operation.id),
  );
  return judged.map((result) => attributeRefusedKey(result, accepted));
}

/**
 * If a request without a key is refused for another mistake, there are two simpler explanations: the operation asks for no key, as it
 * accepts a wrong key or none; or a missing key always gets this status.
 */
export function attributeToOpenness(judged: readonly Judged[]): Judged[] {
  const open = acceptedByOperation(judged);
  const examined = new Set(judged.filter(({ deviations }) => deviations[0]?.requirement === FIRST));
  const openOnes = new Set([...examined].map(({ operation }) => operation.id).filter((id) => open.has(id)));
  const openElsewhere = new Set(judged.filter(isLetInElsewhere).map(({ operation }) => operation.id));
  const usual = new Set(
    judged
      .filter(({ probe }) => probe.key === 'absent' && !probe.spelling && probe.rule !== FIRST)
      .map(({ exchange }) => exchange.response?.status),
  );
  return judged.map((result) => {
    const isExamined = examined.has(result);
    const isOpen = openOnes.has(result.operation.id) && (isExamined || isAcceptedWithoutKey(result));
    const isExplained =
      isExamined && (usual.has(result.exchange.response?.status) || openElsewhere.has(result.operation.id));
    if (!isOpen && !isExplained) return result;
    const owned = ownedBy(result, statusRequirement(result.operation, dueStatus(result.probe.expectation)));
    const letIn = open.get(result.operation.id);
    return letIn && letIn !== result ? shownAfter(letIn, owned) : owned;
  });
}

/** A deviation that shows only beside the response to an earlier exchange. */
function shownAfter(earlier: Judged, judged: Judged): Judged {
  const exchanges = [earlier.exchange.id, judged.exchange.id];
  const repetition = { kind: 'in-turn', exchanges } as const;
  return { ...judged, deviations: judged.deviations.map((deviation) => ({ ...deviation, repetition })) };
}

function isAcceptedWithoutKey({ probe, exchange }: Judged): boolean {
  return probe.key !== 'valid' && !probe.spelling && isSuccess(exchange);
}

/** Whether a request without a key is let in at another spelling of its address. */
function isLetInElsewhere({ probe, deviations }: Judged): boolean {
  return probe.spelling !== undefined && deviations.length > 0;
}

/**
 * A refused key is a finding of its own if the interface leaves open what else the request gets. Otherwise the status that
 * was due owns it.
 */
function attributeRefusedKey(judged: Judged, accepted: Judged | undefined): Judged {
  const { probe, exchange } = judged;
  const answered = isAnswered(judged);
  if (probe.key !== 'valid' || judged.outcome === 'removed' || !exchange.response) return judged;
  if (exchange.response.status !== 401)
    return answered ? { ...judged, met: [...judged.met, ACCEPTED] } : judged;
  if (!accepted) return judged;
  const refusal: Deviation = {
    requirement: ACCEPTED,
    kind: 'status',
    reason: `${probe.title}: the key was rejected, although other operations accept it`,
    expected: 'a status other than 401',
    received: 'status 401',
  };
  // Over the limit a 429 was due.
  const isOwned = !answered || inconclusiveOf(judged)?.cause !== undefined || probe.stage === 'exhaust';
  if (isOwned) return { ...judged, hidden: [...judged.hidden, refusal] };
  return shownAfter(accepted, {
    ...judged,
    outcome: 'deviant',
    met: [],
    deviations: [refusal],
    hidden: [...judged.deviations, ...judged.hidden],
  });
}
