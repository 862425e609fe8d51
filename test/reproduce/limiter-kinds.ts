import type { Served } from './in-bash.ts';
import type { Kind } from './kind.ts';
import { answers, contradicts, isOverrun, lastStatus, records } from './printed-answers.ts';

/** The first request is over the limit already, and the limit is over soon. */
const SOON: Served = { window: 8, changes: ['first-request-window-both', 'none-left'] };

/** Deviations of the limiter and its headers. */
export const LIMITER_KINDS: readonly Kind[] = [
  {
    kind: 'the limit is not enforced',
    fault: 'never-refuses',
    requirement: 'TooManyRequests',
    usesUpLimit: true,
    shows: isOverrun,
  },
  {
    kind: 'each path has a limit of its own',
    fault: 'late-per-path',
    requirement: 'TooManyRequests',
    usesUpLimit: true,
    shows: isOverrun,
  },
  {
    kind: 'a request over the limit gets another status',
    fault: 'refused-503',
    requirement: 'TooManyRequests',
    usesUpLimit: true,
    shows: (printed) => answers(printed).some(({ status }) => status === 503),
  },
  {
    kind: 'a request is refused early',
    fault: 'early-sixth',
    requirement: 'rate-limit.early',
    usesUpLimit: true,
    shows: (printed) => {
      const [before, refused] = answers(printed).slice(-2);
      return refused?.status === 429 && (before?.remaining ?? 0) > 3;
    },
  },
  {
    kind: 'a request is refused early because other operations were used',
    fault: 'early-told-per-operation',
    requirement: 'rate-limit.early',
    usesUpLimit: true,
    shows: contradicts('rate-limit.early'),
  },
  {
    kind: 'Remaining never reaches 0',
    fault: 'remaining-at-least-one',
    requirement: 'rate-limit.count',
    usesUpLimit: true,
    shows: contradicts('rate-limit.count'),
  },
  {
    kind: 'Remaining is wrong in some responses',
    fault: 'remaining-whole-404',
    requirement: 'rate-limit.count',
    usesUpLimit: true,
    // The last one is the 404; without a key, the whole limit remains of any.
    shows: (printed) => answers(printed).at(-1)?.remaining === 60,
  },
  {
    kind: 'Reset differs in some responses',
    fault: 'reset-later-created',
    requirement: 'rate-limit.reset',
    usesUpLimit: true,
    shows: contradicts('rate-limit.reset'),
  },
  {
    kind: 'additions are not limited',
    fault: 'late-additions',
    requirement: 'TooManyRequests',
    usesUpLimit: true,
    shows: isOverrun,
  },
  {
    kind: 'X-Forwarded-For gets around the limit',
    fault: 'late-per-forwarded',
    requirement: 'TooManyRequests',
    usesUpLimit: true,
    shows: contradicts('TooManyRequests'),
  },
  {
    kind: 'another spelling has a count of its own',
    fault: 'late-per-spelling',
    requirement: 'rate-limit.count',
    usesUpLimit: true,
    shows: contradicts('rate-limit.count'),
  },
  {
    kind: 'the body of a refusal is not an Error',
    fault: '429-code-missing',
    requirement: 'Error.code',
    usesUpLimit: true,
    shows: (printed) => lastStatus(printed) === 429 && !('code' in (records(printed).at(-1) ?? {})),
  },
  {
    kind: 'requests are still refused after Retry-After',
    fault: 'never-reopens',
    requirement: 'rate-limit.recovery',
    usesUpLimit: true,
    served: SOON,
    shows: (printed) => printed.out.includes('then one more') && lastStatus(printed) === 429,
  },
  {
    kind: 'Retry-After is a date in the past',
    fault: 'retry-after-date-behind',
    requirement: 'rate-limit.recovery',
    usesUpLimit: true,
    served: SOON,
    shows: (printed) => printed.out.includes('waiting 0 s') && lastStatus(printed) === 429,
  },
  {
    kind: 'Limit changes after a refusal',
    fault: 'limit-punished',
    requirement: 'rate-limit.constant',
    usesUpLimit: true,
    served: SOON,
    shows: ({ out }) =>
      new Set([...out.matchAll(/X-RateLimit-Limit: (\d+)/g)].map(([, limit]) => limit)).size > 1,
  },
  {
    kind: 'Remaining never falls',
    fault: 'remaining-constant',
    requirement: 'rate-limit.falls',
    shows: (printed) => new Set(answers(printed).map(({ remaining }) => remaining)).size === 1,
  },
  {
    kind: 'Remaining rises',
    fault: 'remaining-is-used',
    requirement: 'rate-limit.falls',
    shows: (printed) => {
      const [first, second] = answers(printed);
      return (second?.remaining ?? 0) > (first?.remaining ?? 0);
    },
  },
  {
    kind: 'Limit changes',
    fault: 'limit-random',
    requirement: 'rate-limit.constant',
    shows: (printed) => new Set(answers(printed).map(({ limit }) => limit)).size > 1,
  },
];
