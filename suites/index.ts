import { checksOf } from '../src/judge/checks-of.ts';
import type { Check, Contract } from '../src/suite.ts';
import { adding } from './adding.ts';
import { authentication, errors, resources, versioning } from './every-operation.ts';
import { fetching } from './fetching.ts';
import { listing } from './listing.ts';
import { messages, storeOrders } from './orders-and-messages.ts';
import { rateLimits } from './rate-limits.ts';

/** The checks of what OpenAPI cannot state, by section of the interface document. */
export const checks: readonly Check[] = [
  ...resources,
  ...listing,
  ...adding,
  ...fetching,
  ...storeOrders,
  ...messages,
  ...authentication,
  ...errors,
  ...rateLimits,
  ...versioning,
];

/** Every check of the bundled interface. */
export function allChecks(contract: Contract): readonly Check[] {
  return checksOf(contract, checks);
}
