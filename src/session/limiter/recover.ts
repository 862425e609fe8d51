import type { Probe } from '../../model/probe.ts';
import type { Sender } from '../sender.ts';

/** One request when the time that Retry-After states, and a second for its rounding, is over. */
export async function recover(probe: Probe, sender: Sender): Promise<void> {
  const { exchanges, pace, options } = sender;
  const withKey = exchanges.filter((each) => each.key === 'valid' && each.address === 'baseUrl');
  const refused = withKey.findIndex((each) => each.response?.status === 429);
  const closing = withKey[refused];
  if (!closing) return sender.skip(probe, { reason: 'nothing was refused that could recover' });
  // A refusal in the middle of the run was waited for, and what came after it shows the recovery.
  if (
    withKey.slice(refused).some((each) => each.response?.status !== 429 && each.sentAt >= closing.receivedAt)
  )
    return;
  if (closing.rate.retryAfter === undefined)
    return sender.skip(probe, { reason: 'the 429 did not say when to come back', cause: closing.probe });
  const ms = pace.closedFor(options.clock.now());
  const unwaited = ms <= 0 ? undefined : await sender.waitFor(ms, 'Retry-After asks to wait');
  if (unwaited === undefined) await sender.send(probe);
  else sender.skip(probe, { reason: unwaited });
}
