import type { Contract } from '../../../model/contract.ts';
import { isSuccess } from '../../../model/exchange.ts';
import type { Deviation } from '../../../model/finding.ts';
import { dueStatus } from '../../../model/http/expectation.ts';
import { inconclusiveOf, isAnswered, type Judged, levelsOf, ownedBy } from '../../evidence/judged.ts';
import { statusRequirement } from '../status.ts';

const FIRST = 'authentication.first';
const ACCEPTED = 'authentication.accepted';

/** The first request that each operation let in without the right key. */
function letInByOperation(judged: readonly Judged[]): ReadonlyMap<string, Judged> {
  const letIn = judged.filter(isLetIn).map((each) => [each.operation.id, each] as const);
  return new Map(letIn.reverse());
}

/** The right key that an operation refuses although others, which ask for a key, accept it. */
export function attributeRefusedKeys(judged: readonly Judged[], contract: Contract): Judged[] {
  if (!levelsOf(contract).has(ACCEPTED)) return [...judged];
  const open = letInByOperation(judged);
  const accepted = judged.find(
    ({ probe, exchange, operation }) =>
      probe.key === 'valid' && isSuccess(exchange) && !open.has(operation.id),
  );
  return judged.map((each) => attributeRefusedKey(each, accepted));
}

/**
 * A request without a key that is refused for another mistake has two simpler explanations: the operation accepts a wrong key or
 * none, so it asks for none; or a missing key gets this status even if nothing else is wrong with the request.
 */
export function attributeToOpenness(judged: readonly Judged[]): Judged[] {
  const open = letInByOperation(judged);
  const examined = new Set(judged.filter(({ deviations }) => deviations[0]?.requirement === FIRST));
  const openOnes = new Set([...examined].map(({ operation }) => operation.id).filter((id) => open.has(id)));
  const openElsewhere = new Set(judged.filter(isLetInElsewhere).map(({ operation }) => operation.id));
  const usual = new Set(
    judged
      .filter(({ probe }) => probe.key === 'absent' && !probe.spelling && probe.rule !== FIRST)
      .map(({ exchange }) => exchange.response?.status),
  );
  return judged.map((each) => {
    const isExamined = examined.has(each);
    const isOpen = openOnes.has(each.operation.id) && (isExamined || isLetIn(each));
    const isExplained =
      isExamined && (usual.has(each.exchange.response?.status) || openElsewhere.has(each.operation.id));
    if (!isOpen && !isExplained) return each;
    const owned = ownedBy(each, statusRequirement(each.operation, dueStatus(each.probe.expectation)));
    const letIn = open.get(each.operation.id);
    return letIn && letIn !== each ? shownAfter(letIn, owned) : owned;
  });
}

/** A deviation that is visible only beside the response to another exchange. */
function shownAfter(other: Judged, judged: Judged): Judged {
  const exchanges = [other.exchange.id, judged.exchange.id];
  const repetition = { kind: 'in-turn', exchanges } as const;
  return { ...judged, deviations: judged.deviations.map((each) => ({ ...each, repetition })) };
}

function isLetIn({ probe, exchange }: Judged): boolean {
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
function attributeRefusedKey(each: Judged, accepted: Judged | undefined): Judged {
  const { probe, exchange } = each;
  const answered = isAnswered(each);
  if (probe.key !== 'valid' || each.outcome === 'removed' || !exchange.response) return each;
  if (exchange.response.status !== 401) return answered ? { ...each, met: [...each.met, ACCEPTED] } : each;
  if (!accepted) return each;
  const refusal: Deviation = {
    requirement: ACCEPTED,
    kind: 'status',
    reason: `${probe.title}: the key was rejected, although other operations accept it`,
    expected: 'a status other than 401',
    received: 'status 401',
  };
  // Over the limit a 429 was due.
  const isOwned = !answered || inconclusiveOf(each)?.cause !== undefined || probe.stage === 'exhaust';
  if (isOwned) return { ...each, hidden: [...each.hidden, refusal] };
  return shownAfter(accepted, {
    ...each,
    outcome: 'deviant',
    met: [],
    deviations: [refusal],
    hidden: [...each.deviations, ...each.hidden],
  });
}
