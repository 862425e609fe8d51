import type { Probe } from '../probes/types.ts';
import type { Sender } from './sender.ts';

/** One request when the time that Retry-After states, and a second for its rounding, is over. */
export async function recover(probe: Probe, sender: Sender): Promise<void> {
  const { exchanges, pace, options } = sender;
  const withKey = exchanges.filter((each) => each.key === 'valid' && each.address === 'baseUrl');
  const refused = withKey.findIndex((each) => each.response?.status === 429);
  const closing = withKey[refused];
  if (!closing) return sender.skip(probe, 'nothing was refused that could recover');
  // A refusal in the middle of the run was waited for, and what came after it shows the recovery.
  if (
    withKey.slice(refused).some((each) => each.response?.status !== 429 && each.sentAt >= closing.receivedAt)
  )
    return;
  if (closing.rate.retryAfter === undefined)
    return sender.skip(probe, 'the 429 did not say when to come back', closing.probe);
  const ms = pace.closedFor(options.clock.now());
  if (await sender.waitFor(ms, 'Retry-After asks to wait')) await sender.send(probe);
  else
    sender.skip(
      probe,
      `Retry-After asks for ${Math.ceil(ms / 1000)} s, longer than --max-wait ${options.maxWait} s`,
    );
}
