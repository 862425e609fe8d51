import type { Change } from '../../changes/change.ts';
import { onAnswer, onVerdict } from '../../changes/changes.ts';
import { countOf, windowOf } from '../../changes/counting.ts';
import { appendHeaders, errorAnswer, headerOf } from '../../http/answer.ts';
import type { OperationId } from '../../http/call.ts';
import { PLANS } from '../../settings.ts';
import { BEYOND_THE_LIMIT, COUNTING, COVERAGE, limitersAllowedBy, PLAN, REMAINING } from '../freedoms.ts';
import { allowedBy, type Variant, variantOf } from '../variant.ts';

/** After this many answers, a node learns how many requests the other node has answered. */
const MERGED_AFTER = 8;
/** With this many requests left as far as a node knows, it asks the other node first. */
const FEW = 2 * MERGED_AFTER;

interface NodeCount {
  /** The requests that it answered in this window. */
  answered: number;
  /** Those of the other node that it knows of. */
  learned: number;
}

/**
 * Two nodes answer in turn. A node knows how many requests it answered, and learns late how many the other node did. Returns
 * how many of `limit` requests remain in this window, as far as the next node knows, after it counted a request.
 */
export function createNodes(limit: number): () => number {
  const nodes: [NodeCount, NodeCount] = [
    { answered: 0, learned: 0 },
    { answered: 0, learned: 0 },
  ];
  return () => {
    const [node, other] = nodes;
    nodes.reverse();
    const isFew = limit - node.answered - node.learned - 1 <= FEW;
    if (isFew) node.learned = other.answered;
    node.answered += 1;
    if (node.answered % MERGED_AFTER === 0) node.learned = other.answered;
    return limit - node.answered - node.learned;
  };
}

const BURST = 10;
const UPGRADED_AFTER = 20;

/** Remaining is what a node knows. The limit holds for both together: near the end, they ask each other. */
const nodes = onVerdict({ key: 'valid' }, (verdict, call) => {
  if (!verdict.allowed) return verdict;
  const next = call.recall(`nodes of ${call.listener} at ${windowOf(call)}`, () =>
    createNodes(verdict.limit),
  );
  return { ...verdict, remaining: next() };
});

/** Announces the requests that are allowed on top of Remaining. */
const announced: Change = {
  around: async (call, next) => {
    const count = call.key === 'valid' ? countOf(call, `burst of ${call.listener}`) : 0;
    const answer = await next(call);
    const beyond = Math.max(0, count - Number(headerOf(answer, 'X-RateLimit-Limit')));
    return appendHeaders(answer, [['X-RateLimit-Burst', String(Math.max(0, BURST - beyond))]]);
  },
};

/** The minute's limit of the next larger plan; after the largest plan, twice the limit. */
function upgradedLimit(limit: number): number {
  return Object.values(PLANS).find(({ minute }) => minute > limit)?.minute ?? 2 * limit;
}

/** The plan is upgraded in the middle of a run. What was used in this minute stays used. */
const upgraded = onVerdict({}, (verdict, call) => {
  const seen = call.recall('requests before the upgrade', () => ({ count: 0 }));
  const isKeyed = call.key === 'valid';
  const used = isKeyed ? countOf(call, `used at ${call.listener}`) : 0;
  if (isKeyed) seen.count += 1;
  if (seen.count <= UPGRADED_AFTER) return verdict;
  const limit = upgradedLimit(verdict.limit);
  return {
    limit,
    allowed: used <= limit,
    remaining: Math.max(0, limit - used),
    resetAt: verdict.resetAt,
    retryAt: (windowOf(call) + 1) * call.minute,
  };
});

/** What a 429 does if fewer requests are left than the request costs. */
type RefusalCost = 'takes nothing' | 'takes the rest' | 'says that none are left';

/** A request counts as many requests as it costs (by default one), and is refused if fewer are left. */
function whole(costs: Partial<Record<OperationId, number>>, refusal: RefusalCost): Change {
  return onVerdict({ key: 'valid' }, (verdict, call) => {
    const used = call.recall(`used at ${call.listener}`, () => new Map<number, number>());
    const before = used.get(windowOf(call)) ?? 0;
    const cost = (call.operation && costs[call.operation]) ?? 1;
    const allowed = before + cost <= verdict.limit;
    const otherwise = refusal === 'takes the rest' ? verdict.limit : before;
    const after = allowed ? before + cost : otherwise;
    used.set(windowOf(call), after);
    const isNone = !allowed && refusal === 'says that none are left';
    return {
      ...verdict,
      allowed,
      remaining: isNone ? 0 : verdict.limit - after,
      retryAt: (windowOf(call) + 1) * call.minute,
    };
  });
}

/** Without a key, an unknown path gets 401 as well. It belongs to no operation, so no operation counts it. */
const unknownNeedsKey = onAnswer(
  { when: ({ operation, key }) => operation === undefined && key !== 'valid' },
  (answer) => ({
    ...answer,
    status: 401,
    body: errorAnswer(401, 'unauthorized', 'an API key is required').body,
  }),
);

/** How requests are counted, in ways that the settings do not offer. */
export const countVariants: readonly Variant[] = [
  ...limitersAllowedBy(COUNTING, {
    'write-costs-five': [
      'an addition or a message counts as five requests',
      { weights: { createPet: 5, sendMessage: 5 } },
    ],
  }),
  variantOf(
    'write-costs-five-whole',
    'an addition or a message counts as five requests, and is refused if fewer are left',
    COUNTING,
    { settings: { limiter: { describes: 'minute' } } },
    whole({ createPet: 5, sendMessage: 5 }, 'takes nothing'),
  ),
  ...limitersAllowedBy(COUNTING, {
    'list-costs-two': ['a list counts as two requests', { weights: { listPets: 2 } }],
    'all-but-orders-cost-two': [
      'everything except GET /store/orders counts as two requests',
      { weights: { listPets: 2, createPet: 2, getPet: 2, sendMessage: 2 } },
    ],
    'animals-cost-two': [
      'requests of animals count as two, messages as one, by token buckets',
      { weights: { listPets: 2, createPet: 2, getPet: 2, getStoreOrders: 2 }, algorithm: 'token-bucket' },
    ],
  }),
  ...limitersAllowedBy(COVERAGE, {
    'covers-list-costs-two': [
      'only GET /pets is limited, and counts as two requests',
      { covers: ['listPets'], weights: { listPets: 2 } },
    ],
  }),
  ...allowedBy(COUNTING, {
    'list-costs-nine-whole': [
      'a list counts as nine requests, and is refused if fewer are left',
      { settings: { limiter: { describes: 'minute' } } },
      whole({ listPets: 9 }, 'takes nothing'),
    ],
    'list-costs-five-rest': [
      'a list counts as five requests; if fewer are left, it is refused and takes them',
      { settings: { limiter: { describes: 'minute' } } },
      whole({ listPets: 5 }, 'takes the rest'),
    ],
    'list-costs-five-none': [
      'a list counts as five requests; if fewer are left, its 429 says that none are',
      { settings: { limiter: { describes: 'minute' } } },
      whole({ listPets: 5 }, 'says that none are left'),
    ],
  }),
  variantOf(
    'two-nodes',
    'two nodes answer in turn and learn of the requests of the other late; near the limit they ask first',
    REMAINING,
    { settings: { limiter: { describes: 'minute' } } },
    nodes,
  ),
  ...allowedBy(COUNTING, {
    'counts-401-per-operation': [
      'requests without a valid key also count, per operation; without a key, an unknown path gets 401, too',
      { settings: { limiter: { counts401: true, scope: 'key-and-operation' } } },
      unknownNeedsKey,
    ],
    burst: [
      'ten more requests are allowed when Remaining is 0; X-RateLimit-Burst announces them',
      { settings: { limiter: { leeway: BURST } } },
      announced,
    ],
  }),
  {
    ...variantOf(
      'upgraded',
      'after twenty requests with the key, the limit is that of the next larger plan',
      PLAN,
      { settings: { limiter: { describes: 'minute' } } },
      upgraded,
    ),
    // A run announces how many requests it sends at most, and the larger limit needs more.
    untested: BEYOND_THE_LIMIT,
  },
];
