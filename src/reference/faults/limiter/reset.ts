import { onVerdict, withHeader } from '../../changes/changes.ts';
import type { Call } from '../../http/call.ts';
import { type Fault, violating } from '../fault.ts';
import { OVER_LIMIT } from '../requests.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Half a minute into a fixed window, for faults that its first moments would hide. */
const MIDDLE = '2026-11-21T12:00:30Z';

const RESET = 'X-RateLimit-Reset';

const messages = { listener: 'messages' } as const;

/** The time of the first request, by the reference's clock. */
const begun = (call: Call) => call.recall('begun', () => call.now);

/** A Reset that is well-formed but wrong. */
export const resetFaults: readonly Fault[] = violating('rate-limit.reset', {
  'reset-milliseconds': ['Reset is in milliseconds', withHeader({}, RESET, (old) => `${old}000`)],
  'reset-nanoseconds': ['Reset is in nanoseconds', withHeader({}, RESET, (old) => `${old}000000000`)],
  'reset-seconds-to-go': [
    'Reset is the number of seconds until the reset',
    onVerdict({}, (verdict, { now }) => ({ ...verdict, resetAt: verdict.resetAt - now })),
  ],
  'reset-zero': [
    'Reset is 0',
    onVerdict({}, (verdict) => ({ ...verdict, resetAt: 0 })),
    {
      // Only Reset shows a run that crosses a minute boundary that a new window has begun.
      start: MIDDLE,
    },
  ],
  'reset-hour-ago': [
    'Reset is an hour in the past: local time is taken as UTC',
    onVerdict({}, (verdict) => ({ ...verdict, resetAt: verdict.resetAt - HOUR_MS })),
  ],
  'reset-in-two-hours': [
    'Reset is two hours ahead: UTC is taken as local time',
    onVerdict({}, (verdict) => ({ ...verdict, resetAt: verdict.resetAt + 2 * HOUR_MS })),
  ],
  'reset-in-a-week': [
    'Reset is a week ahead',
    onVerdict({}, (verdict) => ({ ...verdict, resetAt: verdict.resetAt + 7 * DAY_MS })),
  ],
  'reset-window-start': [
    'Reset is the start of the window',
    onVerdict({}, (verdict, { minute }) => ({ ...verdict, resetAt: verdict.resetAt - minute })),
    { start: MIDDLE },
  ],
  'reset-uptime': [
    'Reset counts from the start of the service, twelve days ago',
    onVerdict({}, (verdict, call) => ({ ...verdict, resetAt: 12 * DAY_MS + verdict.resetAt - begun(call) })),
  ],
  'reset-past-429': [
    'Reset of a 429 is 90 seconds in the past',
    withHeader(OVER_LIMIT, RESET, (_, __, { now }) => String(Math.ceil((now - 1.5 * MINUTE_MS) / SECOND_MS))),
  ],
  'reset-milliseconds-message': [
    'Reset of the message address is in milliseconds',
    withHeader(messages, RESET, (old) => `${old}000`),
  ],
  'reset-milliseconds-401': [
    'Reset of a 401 is in milliseconds',
    withHeader({ status: 401 }, RESET, (old) => `${old}000`),
  ],
  'reset-20-late': [
    'Reset is 20 seconds after the window ends; Retry-After is right',
    onVerdict({}, (verdict) => ({ ...verdict, resetAt: verdict.resetAt + 20 * SECOND_MS })),
  ],
  'reset-in-a-minute': [
    'Reset is always a minute ahead, although the window ends at the full minute',
    onVerdict({}, (verdict, { now, minute }) => ({ ...verdict, resetAt: now + minute })),
    { start: MIDDLE },
  ],
  'reset-alternates': [
    'every second Reset is ten seconds after the end of the window',
    onVerdict({}, (verdict, { number }) => ({
      ...verdict,
      resetAt: verdict.resetAt + (number % 2) * 10 * SECOND_MS,
    })),
  ],
  'reset-later-created': [
    'Reset is 30 seconds later on responses to additions',
    withHeader({ operation: 'createPet', status: 201 }, RESET, (old) => String(Number(old) + 30)),
  ],
  'reset-later-429': [
    'Reset of a 429 is 30 seconds later than Retry-After says',
    withHeader(OVER_LIMIT, RESET, (old) => String(Number(old) + 30)),
  ],
  'reset-jitters': [
    'Reset is up to five seconds early or late',
    onVerdict({}, (verdict, { number }) => ({
      ...verdict,
      resetAt: verdict.resetAt + (((7 * number) % 11) - 5) * SECOND_MS,
    })),
  ],
  'reset-next-at-zero': [
    'when Remaining is 0, Reset is that of the next window',
    onVerdict({}, (verdict, { minute }) =>
      verdict.remaining === 0 ? { ...verdict, resetAt: verdict.resetAt + minute } : verdict,
    ),
  ],
  'reset-now': [
    'Reset is the time of the response',
    onVerdict({}, (verdict, { now }) => ({ ...verdict, resetAt: now })),
    { start: MIDDLE },
  ],
  'reset-midnight': [
    'Limit is that of the minute, but Reset is midnight',
    {
      settings: { limiter: { describes: 'minute' } },
      ...onVerdict({}, (verdict, { now }) => ({ ...verdict, resetAt: Math.ceil(now / DAY_MS) * DAY_MS })),
    },
  ],
});
