import type { Exchange } from '../../model/exchange.ts';
import type { Probe } from '../../model/probe.ts';
import type { Parts } from '../parts/parts.ts';

/** Whether a request with the key was let through after one that the limit refused. */
export function hasRecovered(exchanges: readonly Exchange[]): boolean {
  const withKey = exchanges.filter((each) => each.key === 'valid' && each.address === 'baseUrl');
  const closing = withKey.find(({ response }) => response?.status === 429);
  return withKey.some(
    ({ response, sentAt }) =>
      closing !== undefined && response?.status !== 429 && sentAt >= closing.receivedAt,
  );
}

/** Sends one request after the time that Retry-After states, and a second for its rounding. */
export async function recover(
  probe: Probe,
  {
    learnt,
    pace,
    clock,
    end,
    unsent,
    sender,
  }: Pick<Parts, 'learnt' | 'pace' | 'clock' | 'end' | 'unsent' | 'sender'>,
): Promise<void> {
  const kind = 'not-recoverable';
  const withKey = learnt.exchanges.filter((each) => each.key === 'valid' && each.address === 'baseUrl');
  const closing = withKey.find(({ response }) => response?.status === 429);
  if (!closing) return unsent.skip(probe, { kind, reason: 'no request was refused, so none can recover' });
  // If the limiter refused a request earlier, petspec waited then, and the responses since show the recovery.
  if (hasRecovered(learnt.exchanges)) return;
  if (closing.rate.retryAfter === undefined)
    return unsent.skip(probe, {
      kind,
      reason: 'the 429 has no valid Retry-After to wait for',
      cause: closing.probe,
    });
  const ms = pace.closedFor(clock.now());
  const unwaited = ms <= 0 ? undefined : await end.waitFor(ms, 'Retry-After asks to wait');
  if (unwaited === undefined) await sender.send(probe);
  else unsent.skip(probe, unwaited);
}
