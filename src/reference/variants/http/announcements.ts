import type { Change, Where } from '../../changes/change.ts';
import {
  onAnswer,
  onCall,
  withAnotherHeader,
  withField,
  withHeader,
  withoutHeader,
} from '../../changes/changes.ts';
import type { Answer } from '../../http/answer.ts';
import { withoutHeaderOf } from '../../http/answer.ts';
import type { BigIntJson } from '../../http/json.ts';
import { allowedBy, type Variant, variantOf } from '../variant.ts';

const REMOVAL =
  'Versioning: "`GET /pets/{petId}` is marked deprecated and will be removed on 5 December 2030."';
const ZONE = `${REMOVAL} The time zone and the hour are not said`;
const AFTER = `${REMOVAL} The response after the removal is not shown`;
const HEADERS = 'GET /pets/{petId} (getPet) - deprecated: no response header announces it';

/** The operation was removed: the same response with or without a key. The rate limit headers stay. */
function gone(
  status: number,
  body: BigIntJson | undefined,
  ...headers: [name: string, value: string][]
): Change {
  return onAnswer({ operation: 'getPet' }, (answer) => {
    const replaced = ['Content-Type', 'Deprecation', 'Sunset', 'WWW-Authenticate'];
    const bare = replaced.reduce<Answer>(withoutHeaderOf, answer);
    return { status, headers: [...bare.headers, ...headers], body };
  });
}

const JSON_TYPE: [string, string] = ['Content-Type', 'application/json'];
const errorOf = (status: number): BigIntJson => ({
  code: 'removed',
  message: 'use GET /pets',
  status: BigInt(status),
});

const removed: readonly (readonly [name: string, how: string, change: Change])[] = [
  ['404', 'returns 404', gone(404, errorOf(404), JSON_TYPE)],
  ['410', 'returns 410', gone(410, errorOf(410), JSON_TYPE)],
  ['405', 'returns 405', gone(405, errorOf(405), JSON_TYPE, ['Allow', 'DELETE'])],
  [
    '404-html',
    'returns 404 with an HTML page',
    gone(404, '<h1>Not found</h1>', ['Content-Type', 'text/html']),
  ],
  ['404-empty', 'returns 404 without a body', gone(404, undefined)],
  ['403', 'is unknown to the gateway, which returns 403', gone(403, { message: 'Missing Token' }, JSON_TYPE)],
  ['301', 'redirects to the list', gone(301, undefined, ['Location', '/v1/pets'])],
];

const days: readonly (readonly [name: string, start: string])[] = [
  ['eve', '2030-12-04T10:00:00Z'],
  ['day', '2030-12-05T00:00:00Z'],
  ['after', '2030-12-06'],
];

/** The deprecated operation: announced, removed, or kept. */
export const deprecationVariants: readonly Variant[] = [
  ...removed.map(([name, how, change]) => ({
    ...variantOf(`removed-${name}`, `on the day after its removal, GET /pets/{petId} ${how}`, AFTER, change),
    start: '2030-12-06',
  })),
  ...days.map(([name, start]) => ({
    ...variantOf(
      `removed-${name}-410`,
      `on ${start}, GET /pets/{petId} is removed`,
      ZONE,
      gone(410, errorOf(410), JSON_TYPE),
    ),
    start,
  })),
  ...days.map(([name, start]) => ({
    ...variantOf(`kept-${name}`, `on ${start}, GET /pets/{petId} still works`, ZONE),
    start,
  })),
  {
    ...variantOf('kept-for-years', 'in 2040, GET /pets/{petId} still works', REMOVAL),
    start: '2040-01-01',
  },
  ...allowedBy(HEADERS, {
    'deprecation-silent': [
      'no header announces the removal',
      withoutHeader({ operation: 'getPet' }, 'Deprecation'),
      withoutHeader({ operation: 'getPet' }, 'Sunset'),
    ],
    'deprecation-true': [
      'Deprecation is "true", as in its drafts',
      withHeader({ operation: 'getPet' }, 'Deprecation', 'true'),
      withoutHeader({ operation: 'getPet' }, 'Sunset'),
    ],
    'sunset-end-of-day': [
      'Sunset is the last second of the day',
      withHeader({ operation: 'getPet' }, 'Sunset', 'Thu, 05 Dec 2030 23:59:59 GMT'),
    ],
    'deprecation-everywhere': [
      'every animal operation links to the policy',
      withHeader({ listener: 'animals' }, 'Link', '<https://example.com/policy>; rel="deprecation"'),
    ],
  }),
];

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
