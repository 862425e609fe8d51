import type { Exchange } from '../../model/exchange.ts';

/**
 * Whether requests with wrong keys are seen to use up nothing of the limit of the right key. Remaining has to stay the same on one
 * that follows the right key at the same operation, and must not fall by more than one with the next right key. Bursts show no
 * order.
 */
export function areWrongKeysFree(exchanges: readonly Exchange[]): boolean {
  const inTurn = exchanges.filter(({ address, burst }) => address === 'baseUrl' && !burst);
  if (inTurn.some(({ key, response }) => key !== 'valid' && response?.status === 429)) return false;
  const falls = inTurn.flatMap((each, index) => {
    const [before, after] = [inTurn[index - 1], inTurn[index + 1]];
    if (each.key === 'valid' || before?.key !== 'valid') return [];
    const then = after?.key === 'valid' ? fall(before, after) : undefined;
    return [fall(before, each), then === undefined ? undefined : then - 1].filter((by) => by !== undefined);
  });
  return falls.length > 0 && falls.every((by) => by <= 0);
}

/** How much less remains of the same window of an operation; undefined if the headers do not tell. */
function fall(before: Exchange, after: Exchange): number | undefined {
  const { remaining, reset } = before.rate;
  const isSame = before.operation === after.operation && reset === after.rate.reset;
  if (!isSame || remaining === undefined || after.rate.remaining === undefined) return undefined;
  return remaining - after.rate.remaining;
}
