import { usesUpLimit } from '../../model/probe.ts';
import type { Judged } from '../judged.ts';
import { isSound, tellsNothing } from '../judged.ts';

/** A failure of at most this share of the valid reads of an operation is rare. */
const RARE = 1 / 4;

/**
 * A failure that strikes few requests of an operation, whatever they ask for, is one failure: those about which the interface
 * says nothing belong to the valid reads that fail in the same way.
 */
export function attributeRare(judged: readonly Judged[]): Judged[] {
  const isRead = ({ exchange, probe }: Judged) =>
    exchange.method === 'GET' && probe.key === 'valid' && probe.acceptable.length > 0;
  const ownerOf = (open: Judged): string | undefined => {
    const reads = judged.filter((each) => isRead(each) && each.operation === open.operation);
    const failed = reads.filter(
      ({ exchange, deviations }) =>
        exchange.response?.status === open.exchange.response?.status && deviations[0]?.kind === 'status',
    );
    const isRare = failed.length <= RARE * reads.filter(isSound).length;
    return isRare ? failed[0]?.deviations[0]?.requirement : undefined;
  };
  return judged.map((each) => {
    const [first] = each.deviations;
    const { stage, acceptable } = each.probe;
    const isOpen = usesUpLimit(stage) && acceptable.length === 0;
    const cause = isOpen && first?.kind === 'status' ? ownerOf(each) : undefined;
    if (cause === undefined || cause === first?.requirement) return each;
    const reason = 'the operation fails now and then, whatever is asked for';
    return tellsNothing(each, { reason, cause }, [...each.deviations, ...each.hidden]);
  });
}
