import { addingVariants } from './adding.ts';
import { announcementsVariants } from './announcements.ts';
import { authenticationVariants } from './authentication.ts';
import { compressionVariants } from './compression.ts';
import { connectionsVariants } from './connections.ts';
import { deprecationVariants } from './deprecation.ts';
import { errorsVariants } from './errors.ts';
import { fetchingVariants } from './fetching.ts';
import { framingVariants } from './framing.ts';
import { holdingsVariants } from './holdings.ts';
import { httpVariants } from './http.ts';
import { idsVariants } from './ids.ts';
import { jsonVariants } from './json.ts';
import { latencyVariants } from './latency.ts';
import { limiterVariants } from './limiters.ts';
import { listingVariants } from './listing.ts';
import { messagesVariants } from './messages.ts';
import { ordersVariants } from './orders.ts';
import type { Variant } from './variant.ts';

/** Every variant of the catalogue. */
export const variants: readonly Variant[] = [
  ...limiterVariants,
  ...listingVariants,
  ...holdingsVariants,
  ...addingVariants,
  ...fetchingVariants,
  ...idsVariants,
  ...ordersVariants,
  ...messagesVariants,
  ...authenticationVariants,
  ...errorsVariants,
  ...jsonVariants,
  ...httpVariants,
  ...framingVariants,
  ...compressionVariants,
  ...connectionsVariants,
  ...latencyVariants,
  ...deprecationVariants,
  ...announcementsVariants,
];
