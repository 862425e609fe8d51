import { namesVariants } from './animals/names.ts';
import { addressVariants } from './http/addresses.ts';
import { clientsVariants } from './http/clients.ts';
import { firewallVariants } from './http/firewall.ts';
import { gatewayVariants } from './http/gateway.ts';
import { historyVariants } from './http/history.ts';
import type { Variant } from './variant.ts';

/** Variants that look similar to faults that show only with another value, form or order, and conform. */
export const variedVariants: readonly Variant[] = [
  ...gatewayVariants,
  ...firewallVariants,
  ...namesVariants,
  ...historyVariants,
  ...clientsVariants,
  ...addressVariants,
];
