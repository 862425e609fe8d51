import {
  behaviorOf,
  type Check,
  headerValues,
  idsOf,
  inferRatePlan,
  judgeConstant,
  judgeCount,
  judgeEarly,
  judgeEnforced,
  judgeFalls,
  judgePlan,
  judgeRecovery,
  judgeRemaining,
  judgeReset,
  met,
  noRefusal,
  observe,
  type Probe,
  parseHttpDate,
  unobservable,
  violated,
  windowOf,
} from '../src/suite.ts';

/** The example of RFC 9110 section 5.6.7. */
const PREFERRED = 'Retry-After: Sun, 06 Nov 1994 08:49:37 GMT, or seconds';

const withKey = (probe: Probe) => probe.key === 'valid';
const untilLimit = (probe: Probe) => withKey(probe) && (probe.stage === 'exhaust' || probe.stage === 'first');
const afterLimit = (probe: Probe) => untilLimit(probe) || probe.stage === 'recover';

/** Limits: what the headers state, whether the limiter behaves accordingly, and whether it enforces the limit. */
export const rateLimits: readonly Check[] = [
  {
    requirement: 'rate-limit.remaining',
    phase: 'limiter',
    probes: withKey,
    needs: [],
    judge: judgeRemaining,
  },
  { requirement: 'rate-limit.constant', phase: 'limiter', probes: withKey, needs: [], judge: judgeConstant },
  {
    requirement: 'rate-limit.plan',
    phase: 'limiter',
    probes: withKey,
    needs: [],
    judge: judgePlan,
  },
  { requirement: 'rate-limit.reset', phase: 'limiter', probes: withKey, needs: [], judge: judgeReset },
  { requirement: 'rate-limit.falls', phase: 'limiter', probes: withKey, needs: [], judge: judgeFalls },
  {
    requirement: 'rate-limit.count',
    phase: 'limiter',
    probes: withKey,
    needs: [
      'rate-limit.plan',
      'rate-limit.constant',
      'rate-limit.remaining',
      'rate-limit.falls',
      'rate-limit.reset',
      'TooManyRequests',
      'rate-limit.recovery',
      'rate-limit.early',
    ],
    judge: judgeCount,
  },
  { requirement: 'TooManyRequests', phase: 'limiter', probes: untilLimit, needs: [], judge: judgeEnforced },
  {
    requirement: 'rate-limit.early',
    phase: 'limiter',
    probes: untilLimit,
    // A refusal after the wait is a missing recovery, not an early refusal.
    needs: [
      'rate-limit.remaining',
      'rate-limit.falls',
      'rate-limit.reset',
      'rate-limit.plan',
      'rate-limit.recovery',
    ],
    judge: judgeEarly,
  },
  {
    requirement: 'rate-limit.recovery',
    phase: 'limiter',
    probes: afterLimit,
    needs: [],
    judge: judgeRecovery,
  },

  {
    requirement: 'rate-limit.http-date',
    phase: 'limiter',
    probes: untilLimit,
    needs: [],
    judge(evidence) {
      const refused = evidence.judged.filter(({ exchange }) => exchange.response?.status === 429);
      const stated = refused.flatMap(({ exchange }) =>
        headerValues(exchange.response?.headers ?? [], 'Retry-After'),
      );
      const obsolete = stated.find(
        (value) => (parseHttpDate(value, evidence.today)?.form ?? 'imf-fixdate') !== 'imf-fixdate',
      );
      if (obsolete === undefined) return refused.length > 0 ? met(idsOf(refused)) : noRefusal(evidence);
      const received = `Retry-After: ${obsolete}`;
      return violated(
        {
          headers: ['Retry-After'],
          kind: 'header',
          reason: 'Retry-After has an obsolete date format',
          expected: PREFERRED,
          received,
        },
        idsOf(refused),
      );
    },
  },

  observe('open.plan', withKey, (seen, { plan, limits, contract }) => {
    const inferred = inferRatePlan(
      seen.map(({ exchange }) => exchange),
      contract.ratePlans,
    );
    const figures = limits
      ? `${limits.minute ?? 'unknown'} per minute, ${limits.day ?? 'unknown'} per day`
      : 'figures unknown';
    return `${plan ? `stated: ${plan}` : inferred ? `inferred from the headers: ${inferred.name}` : 'the headers do not show it'} (${figures})`;
  }),
  observe('open.window', withKey, (seen, evidence) => {
    const windows = [
      ...new Set(
        seen
          .map(({ exchange }) => windowOf(exchange, evidence.limits))
          .filter((window) => window !== undefined),
      ),
    ];
    if (windows.length === 0) return undefined;
    const behavior = behaviorOf(evidence);
    return `the headers describe the ${windows.join(' or the ')}${behavior ? `; behaves as: ${behavior}` : ''}`;
  }),
  observe('open.coverage', withKey, (seen) => {
    const falling = new Set<string>();
    for (const [index, { exchange }] of seen.entries()) {
      const before = seen[index - 1]?.exchange.rate.remaining;
      if (before !== undefined && exchange.rate.remaining !== undefined && exchange.rate.remaining < before)
        falling.add(exchange.operation);
    }
    return falling.size === 0 ? undefined : `Remaining falls on ${[...falling].join(', ')}`;
  }),
  unobservable('open.backoff', 'this binds clients, petspec among them'),
];
