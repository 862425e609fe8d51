import type { Variant } from '../variant.ts';
import { START, variant } from './freedoms.ts';

/** Requests of others, before the run and during it. */
export const usageVariants: readonly Variant[] = [
  variant('five-left', 'the key has five requests left in the first minute', START, { used: { left: 5 } }),
  variant('none-left', 'the key has no requests left in the first minute', START, { used: { left: 0 } }),
  variant('five-left-sliding', 'five requests are left; the others become available all at once', START, {
    used: { left: 5 },
    algorithm: 'sliding-log',
  }),
  variant('none-left-bucket', 'no requests are left; they become available one by one', START, {
    used: { left: 0 },
    algorithm: 'token-bucket',
  }),
  // One before each of ours would look like a limiter that counts every request twice.
  variant('shared-key-by-request', 'another client sends three requests for every two of ours', START, {
    background: { perSecond: 0, perRequest: 1.5 },
  }),
  variant('shared-key-by-second', 'another client sends two requests a second', START, {
    background: { perSecond: 2, perRequest: 0 },
  }),
];
