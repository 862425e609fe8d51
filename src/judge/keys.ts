import type { Contract } from '../contract/types.ts';
import { isSuccess } from '../session/exchange.ts';
import type { Deviation } from './finding.ts';
import type { Judged } from './judged.ts';
import { statusRequirement } from './status.ts';

const FIRST = 'authentication.first';
const ACCEPTED = 'authentication.accepted';

/** What only several exchanges tell of keys: whether an operation asks for one at all, and whether it knows the right one. */
export function owedKeys(judged: readonly Judged[], contract: Contract): Judged[] {
  const asked = judged.map((each) => owedOpenness(each, judged));
  const isJudged = contract.requirements.some(({ id }) => id === ACCEPTED);
  const isKnown = asked.some((each) => isAccepted(each) && !isOpen(each.operation.id, asked));
  return isJudged ? asked.map((each) => owedAcceptance(each, isKnown)) : asked;
}

/**
 * That a request without a key is refused for what else is wrong with it has two other explanations, which come first: its
 * operation asks for no key, as it takes a wrong one; or a missing key gets this status wherever it is missing.
 */
function owedOpenness(each: Judged, judged: readonly Judged[]): Judged {
  const { probe, operation, exchange } = each;
  const own = judged.filter((other) => other.operation.id === operation.id);
  const keyless = own.find(({ deviations }) => deviations[0]?.requirement === FIRST);
  if (!keyless || probe.key === 'valid') return each;
  const due = statusRequirement(operation, probe.acceptable.at(-1));
  if (isOpen(operation.id, own)) return isLetIn(each) || each === keyless ? ownedBy(each, due) : each;
  const isUsual = judged.some(
    (other) =>
      other.probe.key === 'absent' &&
      other.probe.rule !== FIRST &&
      other.exchange.response?.status === exchange.response?.status,
  );
  return each === keyless && isUsual ? ownedBy(each, due) : each;
}

/** An exchange whose wrong status belongs to another of the requirements that it contradicts. */
function ownedBy(judged: Judged, requirement: string): Judged {
  const all = [...judged.deviations, ...judged.hidden];
  const owner = all.find((each) => each.requirement === requirement);
  return owner ? { ...judged, deviations: [owner], hidden: all.filter((each) => each !== owner) } : judged;
}

function isLetIn({ probe, exchange }: Judged): boolean {
  return probe.key !== 'valid' && isSuccess(exchange);
}

function isOpen(operation: string, judged: readonly Judged[]): boolean {
  return judged.some((each) => each.operation.id === operation && isLetIn(each));
}

function isAccepted({ probe, exchange }: Judged): boolean {
  return probe.key === 'valid' && isSuccess(exchange);
}

/**
 * That the key is refused is a finding of its own where the interface leaves open what else a request gets; where it does
 * not, the status that was due owns it.
 */
function owedAcceptance(each: Judged, isKnown: boolean): Judged {
  const { probe, exchange, answered, removed } = each;
  if (probe.key !== 'valid' || removed || !exchange.response) return each;
  if (exchange.response.status !== 401) return answered ? { ...each, met: [...each.met, ACCEPTED] } : each;
  if (!isKnown) return each;
  const refusal: Deviation = {
    requirement: ACCEPTED,
    kind: 'status',
    reason: `${probe.title}: the key is refused, though other operations accept it`,
    expected: 'a status other than 401',
    received: 'status 401',
  };
  // Over the limit it is a 429 that was due.
  const isOwned = !answered || each.inconclusive?.cause !== undefined || probe.stage === 'exhaust';
  if (isOwned) return { ...each, hidden: [...each.hidden, refusal] };
  return {
    ...each,
    met: [],
    deviations: [refusal],
    hidden: [...each.deviations, ...each.hidden],
    answered: false,
    sound: false,
  };
}
