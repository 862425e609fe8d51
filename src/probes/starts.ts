import type { Contract, Operation } from '../model/contract.ts';
import { isLate, type Probe } from '../model/probe.ts';
import { byOperation } from './probe.ts';

/** The operations at the base address that a run begins with: one alone cannot tell a wrong address from a fault. */
export const STARTING_OPERATIONS = 3;

/** Whether a request can be sent before any response told a value. */
export function needsNothing({ path, headers = [] }: Probe): boolean {
  const values = [...Object.values(path), ...headers.map(([, value]) => value)];
  return !values.some(
    (value) =>
      isLate(value) &&
      (value.late === 'response' || value.late === 'validator') &&
      value.otherwise === undefined,
  );
}

/**
 * Marks the reads with which a run begins: the first one, and one of each of two other operations. Operations that need a
 * key come first, since a public one says nothing of the key. Where each request has its place in an order that is a test,
 * the others come at the start only if the first one shows nothing.
 * @param candidates reads that need nothing, in the order of the document
 */
export function withStart(
  probes: readonly Probe[],
  candidates: readonly Probe[],
  { operations, isComplete }: Pick<Contract, 'operations' | 'isComplete'>,
): Probe[] {
  const byId = new Map(operations.map((each) => [each.id, each]));
  const isAtBase = ({ operation }: Probe) => byId.get(operation)?.address === 'baseUrl';
  const first = probes.filter((each) => each.stage === 'first' && isAtBase(each));
  const ofOthers = byOperation(candidates.filter((each) => isAtBase(each) && each.stage !== 'first'));
  const isFirst = ({ id }: Operation) => first.some(({ operation }) => operation === id);
  const others = operations.flatMap((each) => (isFirst(each) ? [] : ofOthers(each.id).slice(0, 1)));
  const isSecured = ({ operation }: Probe) => byId.get(operation)?.secured === true;
  const chosen = [...first, ...others.filter(isSecured), ...others.filter((each) => !isSecured(each))];
  const ids = new Set(chosen.slice(0, STARTING_OPERATIONS).map(({ id }) => id));
  const isStart = isComplete ? 'if-needed' : true;
  return probes.map((each) => {
    if (!ids.has(each.id)) return each;
    return { ...each, isStart: each.stage === 'first' ? true : isStart };
  });
}
