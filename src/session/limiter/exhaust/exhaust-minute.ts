import type { Probe } from '../../../model/probe.ts';
import type { Parts } from '../../parts.ts';
import { chooseLimited, fallsOn, lastOf, MOST_SENT, minuteLimit } from '../limited-operation.ts';
import { waitForWholeLimit } from '../window-room.ts';
import { MOST_TOGETHER } from './fill.ts';
import { MinuteExhaustion } from './minute-exhaustion.ts';

/**
 * Sends until the limiter refuses a request, and no more than shows that it does not. If the headers count down, they
 * say when the limit is reached: the next request has to be refused. If not (they describe the day, or are wrong), our
 * own count says so; if a new window begins meanwhile, that takes up to twice as many requests.
 *
 * @param candidates the same read of several operations: the first that the limit covers is used
 * @returns the probe that used up the limit; undefined if the limit cannot be used up
 */
export async function exhaustMinute(candidates: readonly Probe[], parts: Parts): Promise<Probe | undefined> {
  const { learnt, clock, unsent } = parts;
  const refused = learnt.exchanges.find(
    (each) => each.key === 'valid' && each.address === 'baseUrl' && each.response?.status === 429,
  );
  if (refused) return candidates.find((each) => each.operation === refused.operation) ?? candidates[0];
  const limited = await chooseLimited(candidates, parts, 'minute', minuteLimit(learnt));
  if (!limited) return undefined;
  const { probe, limit } = limited;
  const startedAt = clock.now();
  if (lastOf(learnt.exchanges, probe.operation)?.response?.status === 429) return probe;
  await waitForWholeLimit(parts, probe.operation, limit);
  const exhaustion = new MinuteExhaustion(probe, limit, parts, startedAt);
  switch (await exhaustion.run()) {
    case 'uncounted':
      return exhaustAnother(probe, candidates, parts);
    case 'budget-used-up':
      if (!exhaustion.isDone) unsent.skipAll(candidates, MOST_SENT);
      return probe;
    case 'too-slow':
      return unsent.skipAll(candidates, {
        kind: 'not-exhaustible',
        reason: `petspec cannot send ${limit} requests a minute: the responses take too long${atMost(parts.options)}`,
      });
    case 'done':
      return probe;
  }
}

/**
 * A limit may leave out what a cache responds to: then repeating one request uses up nothing, though other requests
 * make Remaining fall. The interface does not show which requests count.
 */
function exhaustAnother(
  uncounted: Probe,
  candidates: readonly Probe[],
  parts: Parts,
): Promise<Probe | undefined> | undefined {
  const { learnt, unsent } = parts;
  const others = candidates.filter((each) => each !== uncounted && fallsOn(learnt.exchanges, each.operation));
  if (others.length > 0) return exhaustMinute(others, parts);
  return unsent.skipAll(candidates, {
    kind: 'not-exhaustible',
    reason:
      'Remaining does not change when the same request is repeated: the limit does not count repetitions',
  });
}

/** What the user allows to go out together, where that is why the limit is not reached. */
function atMost({ concurrency }: Parts['options']): string {
  if (concurrency >= MOST_TOGETHER) return '';
  return concurrency === 1
    ? ' one at a time (--concurrency allows more at once)'
    : `, ${concurrency} at a time (--concurrency allows more at once)`;
}
