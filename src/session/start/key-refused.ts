import type { Contract, Operation } from '../../model/contract.ts';
import type { Probe } from '../../model/probe.ts';
import { isKeyRefusal } from '../../probes/key-rejections.ts';
import { needsNothing } from '../../probes/order.ts';
import type { Parts } from '../parts/parts.ts';

/** A key that so many operations refuse is refused by all: more requests with it may get it banned. */
const MAX_TRIED = 10;

/**
 * Which operations refuse the key, in words, if all do that need one: that is the user's to fix. If those that were asked
 * refuse it, others are asked, until one does not.
 */
export async function refusingKey(
  plan: readonly Probe[],
  contract: Contract,
  { learnt, sender, options }: Pick<Parts, 'learnt' | 'sender' | 'options'>,
): Promise<string | undefined> {
  const operations = new Map(contract.operations.map((each) => [each.id, each]));
  const asked = learnt.exchanges.filter(
    ({ key, operation }) => key === 'valid' && operations.get(operation)?.secured,
  );
  const isRefused = (operation: string, status: number | undefined) =>
    isKeyRefusal(operations.get(operation) ?? {}, status);
  if (asked.length === 0 || !asked.every((each) => isRefused(each.operation, each.response?.status)))
    return undefined;
  // A page in front of the service may refuse everything with 403.
  if (options.setUpProblem?.(learnt.exchanges)) return undefined;
  const others = otherProbes(plan, operations, new Set(asked.map(({ operation }) => operation)));
  const tried = others.slice(0, Math.max(0, MAX_TRIED - asked.length));
  for (const probe of tried) {
    const exchange = await sender.send(probe);
    if (exchange && !isRefused(exchange.operation, exchange.response?.status)) return undefined;
  }
  return tried.length < others.length
    ? `each of the first ${MAX_TRIED} operations that need one`
    : 'every operation that needs one';
}

/**
 * A request of each other operation that needs the key. In a document of the user's, several kinds of keys come in turn: the
 * key may be one of any kind.
 */
function otherProbes(
  plan: readonly Probe[],
  operations: ReadonlyMap<string, Operation>,
  asked: ReadonlySet<string>,
): Probe[] {
  const found = new Map<string, Probe>();
  const counts = new Map<string, number>();
  const ranked: { probe: Probe; rank: number }[] = [];
  for (const probe of plan) {
    const operation = operations.get(probe.operation);
    const isMeant = operation?.secured && operation.address === 'baseUrl' && !asked.has(operation.id);
    if (!isMeant || found.has(operation.id) || !isOrdinary(probe)) continue;
    found.set(operation.id, probe);
    const kind = JSON.stringify(operation.credential ?? {});
    const rank = counts.get(kind) ?? 0;
    counts.set(kind, rank + 1);
    ranked.push({ probe, rank });
  }
  return ranked.sort((one, other) => one.rank - other.rank).map(({ probe }) => probe);
}

/** A request that may be accepted, and needs nothing that another one tells. */
function isOrdinary(probe: Probe): boolean {
  const { key, validity, onlyIf, isWriting, stage } = probe;
  const isLast = stage === 'exhaust' || stage === 'recover';
  return key === 'valid' && validity !== 'invalid' && !onlyIf && !isWriting && !isLast && needsNothing(probe);
}
