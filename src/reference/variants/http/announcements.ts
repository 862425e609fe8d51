import { onCall, withAnotherHeader, withField, withHeader } from '../../changes/changes.ts';
import type { Where } from '../../changes/where.ts';
import { type Variant, variantOf } from '../variant.ts';

const all: Where = {};

/** The key of another client. */
const ANOTHER_KEY = 'key-of-another-client';

/** Services that show things outside the interface: other clients' keys, plans, events, later versions. */
export const announcementsVariants: readonly Variant[] = [
  variantOf(
    'keys-several',
    'the key of another client is also accepted',
    'Authentication: keys are "generated from an account", and there may be several',
    onCall({ key: 'invalid' }, (call) =>
      call.headers.authorization === `Bearer ${ANOTHER_KEY}` ? { ...call, key: 'valid' } : call,
    ),
  ),
  variantOf(
    'plan-named',
    'each response names the plan of the key',
    'Rate limits by plan: Enterprise is "custom"; whether a response names a plan is not shown',
    withHeader(all, 'X-Plan', 'enterprise'),
  ),
  variantOf(
    'backoff-asked-for',
    'the 429 asks for an exponential backoff or a larger plan',
    'Rate limit headers: what to do after a 429 binds only clients',
    withField({ status: 429 }, 'message', 'Back off exponentially, or ask for a larger plan.'),
  ),
  variantOf(
    'events-announced',
    'each response links to an event feed',
    'Events: "not shown"',
    withAnotherHeader(all, 'Link', '<https://events.example.com/animals>; rel="monitor"'),
  ),
  variantOf(
    'stability-marked',
    'responses of GET /store/orders and the message address have a stability marker',
    'Versioning: which operations carry a stability marker "is not stated here"',
    withHeader({ operation: ['getStoreOrders', 'sendMessage'] }, 'X-Stability', 'beta'),
  ),
  variantOf(
    'address-nested',
    'the base address has more path segments before the version',
    'Addresses: "The address ends with the path segment `/v1`."',
    { settings: { basePath: '/stores/7/animals/v1' } },
  ),
  variantOf(
    'successor-announced',
    'each response links to a later version (RFC 5829 section 3.4)',
    'Versioning: "General policy for introducing new versions or for notice periods: not shown."',
    withAnotherHeader(all, 'Link', '</v2>; rel="successor-version"'),
  ),
];
