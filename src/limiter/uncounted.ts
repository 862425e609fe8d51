import type { Exchange } from '../model/exchange.ts';
import { type Fall, fallsOf } from './unseen.ts';

/** So many wrong keys without effect show that none counts. */
const STEADY = 3;

/**
 * Which requests are seen not to be counted with one's own: wrong keys for which Remaining does not fall, and requests at
 * another address with a Remaining of its own.
 * @param isOwn whether an exchange is counted together with the request in question
 */
export function uncountedBy(
  exchanges: readonly Exchange[],
  isOwn: (exchange: Exchange) => boolean,
): (exchange: Exchange) => boolean {
  const own = exchanges.filter(isOwn);
  const addresses = new Set(own.map(({ address }) => address));
  const areWrongKeysFree = uncountedWrongKeys(fallsOf(exchanges, isOwn)) >= STEADY;
  const elsewhere = exchanges.filter(({ address }) => !addresses.has(address));
  const isApart = elsewhere.some((each) => isCountedApart(each, own));
  return (exchange) =>
    addresses.has(exchange.address) ? areWrongKeysFree && exchange.key !== 'valid' : isApart;
}

/** How many wrong keys were sent for which Remaining did not fall. Others may have used some meanwhile. */
function uncountedWrongKeys(falls: readonly Fall[]): number {
  return falls
    .filter(({ wrongKeys, excess }) => 2 * Math.max(0, excess) < wrongKeys)
    .reduce((sum, { wrongKeys, excess }) => sum + wrongKeys - Math.max(0, excess), 0);
}

/** Whether more remain by this response than by the ones before and after it, which rules out a common count. */
function isCountedApart(
  { key, response, rate, sentAt, receivedAt }: Exchange,
  own: readonly Exchange[],
): boolean {
  const told = own.filter((each) => each.key === 'valid' && each.rate.remaining !== undefined);
  const before = told.findLast((each) => each.receivedAt <= sentAt)?.rate.remaining;
  const after = told.find((each) => each.sentAt >= receivedAt)?.rate.remaining;
  if (key !== 'valid' || response?.status === 429 || rate.remaining === undefined) return false;
  return before !== undefined && after !== undefined && rate.remaining > before && after <= before;
}
