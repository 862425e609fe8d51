import { addingVariants } from './animals/adding.ts';
import { fetchingVariants, idsVariants } from './animals/fetching.ts';
import { holdingsVariants } from './animals/holdings.ts';
import { lenientVariants } from './animals/lenient.ts';
import { listingVariants } from './animals/listing.ts';
import { namesVariants } from './animals/names.ts';
import { otherClientVariants } from './animals/other-clients.ts';
import { authenticationVariants } from './authentication.ts';
import { announcementsVariants, deprecationVariants } from './http/announcements.ts';
import { addressVariants, clientsVariants } from './http/clients.ts';
import { connectionsVariants } from './http/connections.ts';
import { errorsVariants } from './http/errors.ts';
import { compressionVariants, framingVariants } from './http/framing.ts';
import { firewallVariants, frontVariants, gatewayVariants } from './http/gateway.ts';
import { headerVariants } from './http/headers.ts';
import { historyVariants } from './http/history.ts';
import { jsonVariants } from './http/json.ts';
import { latencyVariants } from './http/latency.ts';
import { algorithmVariants } from './limiter/algorithms.ts';
import { combinedVariants } from './limiter/combinations.ts';
import { countVariants } from './limiter/counts.ts';
import { coverageVariants, usageVariants } from './limiter/coverage.ts';
import { lateVariants, limiterFigureVariants } from './limiter/figures.ts';
import { limiterHeaderVariants } from './limiter/headers.ts';
import { messagesVariants } from './messages.ts';
import { ordersVariants } from './orders.ts';
import type { Variant } from './variant.ts';

/** Limiters that differ from the reference's and conform. */
export const limiterVariants: readonly Variant[] = [
  ...algorithmVariants,
  ...limiterHeaderVariants,
  ...coverageVariants,
  ...usageVariants,
  ...combinedVariants,
  ...countVariants,
  ...limiterFigureVariants,
  ...lateVariants,
  ...frontVariants,
];

/** Variants that look similar to faults that show only with another value, form or order, and conform. */
export const variedVariants: readonly Variant[] = [
  ...gatewayVariants,
  ...firewallVariants,
  ...namesVariants,
  ...historyVariants,
  ...clientsVariants,
  ...addressVariants,
];

/** Every variant of the catalog. */
export const variants: readonly Variant[] = [
  ...limiterVariants,
  ...listingVariants,
  ...holdingsVariants,
  ...otherClientVariants,
  ...addingVariants,
  ...fetchingVariants,
  ...idsVariants,
  ...ordersVariants,
  ...messagesVariants,
  ...authenticationVariants,
  ...errorsVariants,
  ...jsonVariants,
  ...framingVariants,
  ...compressionVariants,
  ...headerVariants,
  ...connectionsVariants,
  ...latencyVariants,
  ...deprecationVariants,
  ...announcementsVariants,
  ...variedVariants,
  ...lenientVariants,
];

/**
 * Variants that differ where the interface leaves something open, by `open` requirement. Every `open` requirement has
 * variants and no faults.
 */
export const OPEN: Readonly<Record<string, readonly string[]>> = {
  'open.status-default': ['status-default-available', 'status-default-sold', 'animals-without-status'],
  'open.extra-fields': ['extra-fields', 'extra-fields-odd', 'error-extra-fields'],
  'open.unknown-fields': ['unknown-fields-refused', 'unknown-fields-kept'],
  'open.name-bounds': ['names-255'],
  'open.category-exists': ['categories-known', 'int64-extremes-refused'],
  'open.category': ['category-embedded'],
  'open.order-record': ['orders-object', 'orders-null', 'orders-like-error'],
  'open.transitions': ['animals-traded'],
  'open.paging': ['paging-headers', 'pages-short'],
  'open.ordering': ['order-descending', 'order-random'],
  'open.limit-out-of-range': ['limit-clamped', 'limit-ignored', 'limit-422'],
  'open.status-unknown': ['status-unknown-ignored', 'status-unknown-empty', 'status-unknown-422'],
  'open.deprecation': ['deprecation-silent', 'removed-410', 'kept-for-years'],
  'open.pet-id': ['pet-id-non-integer-400', 'pet-id-largest-400', 'ids-negative'],
  'open.orders': ['orders-204', 'orders-string'],
  'open.message-status': ['message-201', 'message-status-sent'],
  'open.message-type': ['message-any-type', 'message-type-422'],
  'open.message-area': ['message-extra-fields', 'message-location'],
  'open.key-origin': ['keys-several'],
  'open.ban': ['bans'],
  'open.events': ['events-announced'],
  'open.error-codes': ['error-code-upper', 'error-code-empty'],
  'open.coverage': ['covers-list', 'per-operation'],
  'open.window': ['headers-day', 'token-bucket-both', 'sliding-log-minute'],
  'open.plan': ['plan-named'],
  'open.backoff': ['backoff-asked-for'],
  'open.stability': ['stability-marked'],
  'open.policy': ['successor-announced'],
  'open.latency': ['slow-2s', 'slow-9s'],
};
