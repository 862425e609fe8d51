import type { Contract } from '../../model/contract.ts';
import type { Exchange } from '../../model/exchange.ts';
import type { Probe } from '../../model/probe.ts';
import type { Chain } from '../../probes/chains.ts';
import { STARTING_OPERATIONS } from '../../probes/order.ts';
import { waitForWholePlan } from '../limiter/window-room.ts';
import type { Parts } from '../parts/parts.ts';
import { refusingKey } from './key-refused.ts';

/**
 * Sends the first reads, and decides by their responses whether there is a service, whether it accepts the key, and whether
 * the window is long enough. The first one is alone: where nothing listens, nothing else is sent.
 */
export async function start(
  chains: readonly Chain[],
  plan: readonly Probe[],
  contract: Contract,
  parts: Parts,
  send: (chain: Chain) => Promise<void>,
): Promise<void> {
  const { end, learnt } = parts;
  for (const chain of chains) {
    await send(chain);
    if (!learnt.exchanges.some(({ response }) => response)) stopIfUnreachable(learnt.exchanges.at(-1), parts);
  }
  if (end.stopped) return;
  const starting = plan.filter(({ isStart }) => isStart);
  const last = learnt.exchanges.at(-1);
  if (!last) return;
  // The part of the run before this one decided, but the window is another one now.
  if (!starting.some(({ id }) => id === last.probe)) return waitForWholePlan(parts, plan, last);
  const refusing = await refusingKey(plan, contract, parts);
  if (refusing !== undefined) {
    const { keyFrom = 'it' } = parts.options;
    end.stop({
      kind: 'key-refused',
      message: `the key is refused by ${refusing}: check ${keyFrom}, and that it belongs to this address`,
    });
  } else await stopIfElsewhere(starting, parts);
  if (end.stopped) return;
  const left = plan.filter((each) => each.stage === 'first' || !starting.includes(each));
  const first = learnt.exchanges.find(({ stage }) => stage === 'first') ?? last;
  await waitForWholePlan(parts, left, first);
}

function stopIfUnreachable(exchange: Exchange | undefined, { end }: Pick<Parts, 'end'>): void {
  const { failure } = exchange ?? {};
  if (failure?.kind === 'refused' || failure?.kind === 'unreachable' || failure?.kind === 'tls')
    end.stop({ kind: 'unreachable', message: `the base address cannot be reached: ${failure.message}` });
}

/**
 * Ends the run if something else responds in place of the service. Where fewer operations were asked than tell a wrong
 * address from a fault, each is asked twice; and all are asked again after the time that a 503 states.
 */
async function stopIfElsewhere(starting: readonly Probe[], parts: Parts): Promise<void> {
  const { learnt, end, options, sender } = parts;
  const findProblem = () =>
    options.setUpProblem?.(learnt.exchanges.filter(({ probe }) => starting.some(({ id }) => id === probe)));
  if (!findProblem()) return;
  for (const probe of starting)
    if (!learnt.exchanges.some((each) => each.probe === probe.id)) await sender.send(probe);
  const problem = findProblem();
  if (!problem) return;
  const { retryAfter } = problem;
  const unwaited =
    retryAfter === undefined
      ? undefined
      : await end.waitFor(retryAfter * 1000, 'the service is not available; its Retry-After asks to wait');
  if (end.stopped) return;
  let last: { message: string } | undefined = problem;
  const isAskedAgain = retryAfter !== undefined || starting.length < STARTING_OPERATIONS;
  if (isAskedAgain && !unwaited) {
    const again: Exchange[] = [];
    for (const probe of starting) {
      const exchange = await sender.send(probe, undefined, { variations: [], attempt: 1 });
      if (exchange) again.push(exchange);
    }
    last = options.setUpProblem?.(again);
  }
  if (last)
    end.stop({
      kind: 'not-the-service',
      message: unwaited ? `${last.message} (${unwaited.reason})` : last.message,
    });
}
