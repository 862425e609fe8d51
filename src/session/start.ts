import type { Contract, Operation } from '../model/contract.ts';
import type { Exchange } from '../model/exchange.ts';
import type { Probe } from '../model/probe.ts';
import type { Chain } from '../probes/chains.ts';
import { isKeyRefusal } from '../probes/key-rejections.ts';
import { needsNothing, STARTING_OPERATIONS } from '../probes/order.ts';
import { waitForWholePlan } from './limiter/room/window-room.ts';
import type { Parts } from './parts/parts.ts';

/**
 * Sends the first reads, and decides by their responses whether there is a service, whether it accepts the key, and whether the
 * window is long enough. The first read is sent alone: if nothing listens, nothing else is sent.
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
  // An earlier part of the run decided, but the window is a new one.
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
  const unsent = plan.filter((probe) => probe.stage === 'first' || !starting.includes(probe));
  const first = learnt.exchanges.find(({ stage }) => stage === 'first') ?? last;
  await waitForWholePlan(parts, unsent, first);
}

function stopIfUnreachable(exchange: Exchange | undefined, { end }: Pick<Parts, 'end'>): void {
  const { failure } = exchange ?? {};
  if (failure?.kind === 'refused' || failure?.kind === 'unreachable' || failure?.kind === 'tls')
    end.stop({ kind: 'unreachable', message: `the base address cannot be reached: ${failure.message}` });
}

/**
 * Ends the run if something else responds in place of the service. If too few operations were requested to tell a wrong address
 * from a fault, each is requested twice; all are requested again after the time that a 503 states.
 */
async function stopIfElsewhere(starting: readonly Probe[], parts: Parts): Promise<void> {
  const { learnt, end, options, sender } = parts;
  const findProblem = () =>
    options.setUpProblem?.(learnt.exchanges.filter(({ probe }) => starting.some(({ id }) => id === probe)));
  if (!findProblem()) return;
  for (const probe of starting)
    if (!learnt.exchanges.some((exchange) => exchange.probe === probe.id)) await sender.send(probe);
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

/** A key that this many operations refuse is refused by all: more requests may get the key banned. */
const MAX_TRIED = 10;

/**
 * Words for the operations that refuse the key, if all that need a key do: the user has to fix that. If the operations that were
 * requested refuse it, others are requested until one accepts it.
 */
export async function refusingKey(
  plan: readonly Probe[],
  contract: Contract,
  { learnt, sender, options }: Pick<Parts, 'learnt' | 'sender' | 'options'>,
): Promise<string | undefined> {
  const operations = new Map(contract.operations.map((operation) => [operation.id, operation]));
  const asked = learnt.exchanges.filter(
    ({ key, operation }) => key === 'valid' && operations.get(operation)?.secured,
  );
  const isRefused = (operation: string, status: number | undefined) =>
    isKeyRefusal(operations.get(operation) ?? {}, status);
  const areRefused = asked.every(({ operation, response }) => isRefused(operation, response?.status));
  if (asked.length === 0 || !areRefused) return undefined;
  // A page in front of the service may refuse everything with 403.
  if (options.setUpProblem?.(learnt.exchanges)) return undefined;
  const otherReads = otherProbes(plan, operations, new Set(asked.map(({ operation }) => operation)));
  const tried = otherReads.slice(0, Math.max(0, MAX_TRIED - asked.length));
  for (const probe of tried) {
    const exchange = await sender.send(probe);
    if (exchange && !isRefused(exchange.operation, exchange.response?.status)) return undefined;
  }
  return tried.length < otherReads.length
    ? `each of the first ${MAX_TRIED} operations that need one`
    : 'every operation that needs one';
}

/**
 * A request of each other operation that needs the key. If a document has several kinds of keys, the kinds take turns, because
 * the key may be of any kind.
 */
function otherProbes(
  plan: readonly Probe[],
  operations: ReadonlyMap<string, Operation>,
  asked: ReadonlySet<string>,
): Probe[] {
  const chosen = new Map<string, Probe>();
  const counts = new Map<string, number>();
  const ranked: { probe: Probe; rank: number }[] = [];
  for (const probe of plan) {
    const operation = operations.get(probe.operation);
    const isMeant = operation?.secured && operation.address === 'baseUrl' && !asked.has(operation.id);
    if (!isMeant || chosen.has(operation.id) || !isOrdinary(probe)) continue;
    chosen.set(operation.id, probe);
    const kind = JSON.stringify(operation.credential ?? {});
    const rank = counts.get(kind) ?? 0;
    counts.set(kind, rank + 1);
    ranked.push({ probe, rank });
  }
  return ranked.sort((left, right) => left.rank - right.rank).map(({ probe }) => probe);
}

/** Whether a request may be accepted, and needs no value of another response. */
function isOrdinary(probe: Probe): boolean {
  const { key, validity, onlyIf, isWriting, stage } = probe;
  const isLast = stage === 'exhaust' || stage === 'recover';
  return key === 'valid' && validity !== 'invalid' && !onlyIf && !isWriting && !isLast && needsNothing(probe);
}
