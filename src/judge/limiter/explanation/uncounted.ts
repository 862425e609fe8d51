import type { Exchange } from '../../../model/exchange.ts';
import { fallsOf } from './unseen.ts';

/** So many times, Remaining fell by no more than the requests with the key explain, although wrong keys were sent. */
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
  const withoutEffect = fallsOf(exchanges, isOwn).filter(
    ({ wrongKeys, excess }) => wrongKeys > 0 && excess <= 0,
  );
  const areWrongKeysFree = withoutEffect.length >= STEADY;
  const elsewhere = exchanges.filter(({ address }) => !addresses.has(address));
  const isApart = elsewhere.some((each) => isCountedApart(each, own));
  return (exchange) =>
    addresses.has(exchange.address) ? areWrongKeysFree && exchange.key !== 'valid' : isApart;
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
