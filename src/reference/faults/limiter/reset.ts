import { onVerdict, withHeader } from '../../changes/changes.ts';
import type { Call } from '../../http/call.ts';
import type { Fault } from '../fault.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Half a minute into a fixed window, for faults that its first moments would hide. */
const MIDDLE = '2026-11-21T12:00:30Z';

const RESET = 'X-RateLimit-Reset';

const messages = { listener: 'messages' } as const;
const refused = { status: 429 } as const;

/** The time of the first request, by the reference's own clock. */
const begun = (call: Call) => call.recall('begun', () => call.now);

/** A Reset that is well-formed but wrong. */
export const resetFaults: readonly Fault[] = [
  {
    id: 'reset-milliseconds',
    summary: 'Reset is in milliseconds',
    violates: ['rate-limit.reset'],
    ...withHeader({}, RESET, (old) => `${old}000`),
  },
  {
    id: 'reset-nanoseconds',
    summary: 'Reset is in nanoseconds',
    violates: ['rate-limit.reset'],
    ...withHeader({}, RESET, (old) => `${old}000000000`),
  },
  {
    id: 'reset-seconds-to-go',
    summary: 'Reset is the number of seconds until the reset',
    violates: ['rate-limit.reset'],
    ...onVerdict({}, (verdict, { now }) => ({ ...verdict, resetAt: verdict.resetAt - now })),
  },
  {
    id: 'reset-zero',
    summary: 'Reset is 0',
    violates: ['rate-limit.reset'],
    // Only Reset shows a run that crosses a minute boundary that a new window has begun.
    start: MIDDLE,
    ...onVerdict({}, (verdict) => ({ ...verdict, resetAt: 0 })),
  },
  {
    id: 'reset-hour-ago',
    summary: 'Reset is an hour in the past: local time is taken as UTC',
    violates: ['rate-limit.reset'],
    ...onVerdict({}, (verdict) => ({ ...verdict, resetAt: verdict.resetAt - HOUR_MS })),
  },
  {
    id: 'reset-in-two-hours',
    summary: 'Reset is two hours ahead: UTC is taken as local time',
    violates: ['rate-limit.reset'],
    ...onVerdict({}, (verdict) => ({ ...verdict, resetAt: verdict.resetAt + 2 * HOUR_MS })),
  },
  {
    id: 'reset-in-a-week',
    summary: 'Reset is a week ahead',
    violates: ['rate-limit.reset'],
    ...onVerdict({}, (verdict) => ({ ...verdict, resetAt: verdict.resetAt + 7 * DAY_MS })),
  },
  {
    id: 'reset-window-start',
    summary: 'Reset is the start of the window',
    violates: ['rate-limit.reset'],
    start: MIDDLE,
    ...onVerdict({}, (verdict, { minute }) => ({ ...verdict, resetAt: verdict.resetAt - minute })),
  },
  {
    id: 'reset-uptime',
    summary: 'Reset counts from the start of the service, twelve days ago',
    violates: ['rate-limit.reset'],
    ...onVerdict({}, (verdict, call) => ({
      ...verdict,
      resetAt: 12 * DAY_MS + verdict.resetAt - begun(call),
    })),
  },
  {
    id: 'reset-past-429',
    summary: 'Reset of a 429 is 90 seconds in the past',
    violates: ['rate-limit.reset'],
    ...withHeader(refused, RESET, (_, __, { now }) => String(Math.ceil((now - 1.5 * MINUTE_MS) / SECOND_MS))),
  },
  {
    id: 'reset-milliseconds-message',
    summary: 'Reset of the message address is in milliseconds',
    violates: ['rate-limit.reset'],
    ...withHeader(messages, RESET, (old) => `${old}000`),
  },
  {
    id: 'reset-milliseconds-401',
    summary: 'Reset of a 401 is in milliseconds',
    violates: ['rate-limit.reset'],
    ...withHeader({ status: 401 }, RESET, (old) => `${old}000`),
  },
  {
    id: 'reset-20-late',
    summary: 'Reset is 20 seconds after the window ends; Retry-After is right',
    violates: ['rate-limit.reset'],
    ...onVerdict({}, (verdict) => ({ ...verdict, resetAt: verdict.resetAt + 20 * SECOND_MS })),
  },
  {
    id: 'reset-in-a-minute',
    summary: 'Reset is always a minute ahead, although the window ends at the full minute',
    violates: ['rate-limit.reset'],
    start: MIDDLE,
    ...onVerdict({}, (verdict, { now, minute }) => ({ ...verdict, resetAt: now + minute })),
  },
  {
    id: 'reset-alternates',
    summary: 'every second Reset is ten seconds after the end of the window',
    violates: ['rate-limit.reset'],
    ...onVerdict({}, (verdict, { number }) => ({
      ...verdict,
      resetAt: verdict.resetAt + (number % 2) * 10 * SECOND_MS,
    })),
  },
  {
    id: 'reset-later-created',
    summary: 'Reset is 30 seconds later on responses to additions',
    violates: ['rate-limit.reset'],
    ...withHeader({ operation: 'createPet', status: 201 }, RESET, (old) => String(Number(old) + 30)),
  },
  {
    id: 'reset-later-429',
    summary: 'Reset of a 429 is 30 seconds later than Retry-After says',
    violates: ['rate-limit.reset'],
    ...withHeader(refused, RESET, (old) => String(Number(old) + 30)),
  },
  {
    id: 'reset-jitters',
    summary: 'Reset is up to five seconds early or late',
    violates: ['rate-limit.reset'],
    ...onVerdict({}, (verdict, { number }) => ({
      ...verdict,
      resetAt: verdict.resetAt + (((7 * number) % 11) - 5) * SECOND_MS,
    })),
  },
  {
    id: 'reset-next-at-zero',
    summary: 'when Remaining is 0, Reset is that of the next window',
    violates: ['rate-limit.reset'],
    ...onVerdict({}, (verdict, { minute }) =>
      verdict.remaining === 0 ? { ...verdict, resetAt: verdict.resetAt + minute } : verdict,
    ),
  },
  {
    id: 'reset-now',
    summary: 'Reset is the time of the response',
    violates: ['rate-limit.reset'],
    start: MIDDLE,
    ...onVerdict({}, (verdict, { now }) => ({ ...verdict, resetAt: now })),
  },
  {
    id: 'reset-midnight',
    summary: 'Limit is that of the minute, but Reset is midnight',
    violates: ['rate-limit.reset'],
    settings: { limiter: { describes: 'minute' } },
    ...onVerdict({}, (verdict, { now }) => ({ ...verdict, resetAt: Math.ceil(now / DAY_MS) * DAY_MS })),
  },
];
