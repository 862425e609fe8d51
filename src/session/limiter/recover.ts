import type { Probe } from '../../model/probe.ts';
import type { Sender } from '../sender.ts';

/** Sends one request after the time that Retry-After states, and a second for its rounding. */
export async function recover(probe: Probe, sender: Sender): Promise<void> {
  const { exchanges, pace, options, end } = sender;
  const kind = 'not-recoverable';
  const withKey = exchanges.filter((each) => each.key === 'valid' && each.address === 'baseUrl');
  const refused = withKey.findIndex((each) => each.response?.status === 429);
  const closing = withKey[refused];
  if (!closing) return sender.skip(probe, { kind, reason: 'no request was refused, so none can recover' });
  // If the limiter refused a request earlier, petspec waited then, and the responses since show the recovery.
  if (
    withKey.slice(refused).some((each) => each.response?.status !== 429 && each.sentAt >= closing.receivedAt)
  )
    return;
  if (closing.rate.retryAfter === undefined)
    return sender.skip(probe, {
      kind,
      reason: 'the 429 has no Retry-After to wait for',
      cause: closing.probe,
    });
  const ms = pace.closedFor(options.clock.now());
  const unwaited = ms <= 0 ? undefined : await end.waitFor(ms, 'Retry-After asks to wait');
  if (unwaited === undefined) await sender.send(probe);
  else sender.skip(probe, unwaited);
}
