import { isServerError } from '../../model/exchange.ts';
import { dueStatus } from '../../model/http/expectation.ts';
import { usesUpLimit } from '../../model/probe.ts';
import type { Judged } from '../evidence/judged.ts';
import { isSound, ownedBy, tellsNothing } from '../evidence/judged.ts';
import { statusRequirement } from './status.ts';

/** A failure of at most this share of the valid reads of an operation is rare. */
export const RARE = 1 / 4;

/** A read that got a 5xx although the same read succeeded as well lacks the success: its parameter is not refused. */
export function attributeIntermittent(judged: readonly Judged[]): Judged[] {
  const succeeding = new Set(judged.filter((each) => isJudgedRead(each) && isSound(each)).map(urlOf));
  return judged.map((each) => {
    const { probe, operation, exchange, deviations } = each;
    const isIntermittent = isJudgedRead(each) && isServerError(exchange) && succeeding.has(urlOf(each));
    return isIntermittent && deviations[0]?.requirement === probe.rule
      ? ownedBy(each, statusRequirement(operation, dueStatus(probe.expectation)))
      : each;
  });
}

const urlOf = ({ exchange }: Judged) => exchange.url;
const isJudgedRead = ({ exchange, probe }: Judged) =>
  exchange.method === 'GET' && probe.key === 'valid' && probe.expectation.kind !== 'open';

/** Attributes failures of open requests to the valid reads of the operation, if a few of these fail in the same way. */
export function attributeOpen(judged: readonly Judged[]): Judged[] {
  const ownerOf = (open: Judged): string | undefined => {
    const reads = judged.filter((each) => isJudgedRead(each) && each.operation === open.operation);
    const owners = reads
      .filter(({ exchange }) => exchange.response?.status === open.exchange.response?.status)
      .flatMap(({ deviations: [first] }) => (first?.kind === 'status' ? [first.requirement] : []));
    return owners.length <= RARE * reads.filter(isSound).length ? owners[0] : undefined;
  };
  return judged.map((each) => {
    const [first] = each.deviations;
    const { stage, expectation } = each.probe;
    if (!usesUpLimit(stage) || expectation.kind !== 'open' || first?.kind !== 'status') return each;
    const cause = ownerOf(each);
    if (cause === undefined || cause === first.requirement) return each;
    const reason = 'the operation fails now and then, whatever is asked for';
    return tellsNothing(each, { reason, cause }, [...each.deviations, ...each.hidden]);
  });
}
