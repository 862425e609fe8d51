import type { Check } from '../src/judge/check.ts';
import { derivedChecks } from '../src/judge/derived-checks.ts';
import { generalChecks, withMissingValues } from '../src/judge/general-checks.ts';
import type { Contract } from '../src/model/contract.ts';
import { adding } from './adding.ts';
import { authentication } from './authentication.ts';
import { errors } from './errors.ts';
import { fetching } from './fetching.ts';
import { listing } from './listing.ts';
import { messages } from './messages.ts';
import { rateLimits } from './rate-limits.ts';
import { resources } from './resources.ts';
import { storeOrders } from './store-orders.ts';
import { versioning } from './versioning.ts';

const known = new WeakMap<Contract, readonly Check[]>();

/**
 * Every check: those that the OpenAPI document implies and, by section of the interface, those that it cannot state. Checks
 * of requirements that a newer set adds are left out.
 */
export function allChecks(contract: Contract): readonly Check[] {
  const checks = known.get(contract) ?? checksOf(contract);
  known.set(contract, checks);
  return checks;
}

function checksOf(contract: Contract): Check[] {
  if (contract.file !== undefined)
    return withMissingValues([...derivedChecks(contract), ...generalChecks(contract)], contract);
  const newer = new Set(contract.newer.map(({ id }) => id));
  const all = [
    ...derivedChecks(contract),
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
  return all.filter(({ requirement }) => !newer.has(requirement));
}
