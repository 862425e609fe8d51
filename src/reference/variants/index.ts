import { addingVariants } from './animals/adding.ts';
import { fetchingVariants } from './animals/fetching.ts';
import { holdingsVariants } from './animals/holdings.ts';
import { idsVariants } from './animals/ids.ts';
import { lenientVariants } from './animals/lenient.ts';
import { listingVariants } from './animals/listing.ts';
import { othersVariants } from './animals/other-clients.ts';
import { authenticationVariants } from './authentication.ts';
import { announcementsVariants } from './http/announcements.ts';
import { compressionVariants } from './http/compression.ts';
import { connectionsVariants } from './http/connections.ts';
import { deprecationVariants } from './http/deprecation.ts';
import { errorsVariants } from './http/errors.ts';
import { framingVariants } from './http/framing.ts';
import { httpVariants } from './http/headers.ts';
import { jsonVariants } from './http/json.ts';
import { latencyVariants } from './http/latency.ts';
import { limiterVariants } from './limiter/limiter.ts';
import { messagesVariants } from './messages.ts';
import { ordersVariants } from './orders.ts';
import type { Variant } from './variant.ts';
import { variedVariants } from './varied.ts';

/** Every variant of the catalog. */
export const variants: readonly Variant[] = [
  ...limiterVariants,
  ...listingVariants,
  ...holdingsVariants,
  ...othersVariants,
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
  ...httpVariants,
  ...connectionsVariants,
  ...latencyVariants,
  ...deprecationVariants,
  ...announcementsVariants,
  ...variedVariants,
  ...lenientVariants,
];
