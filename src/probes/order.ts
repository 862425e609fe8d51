import type { Contract, Operation } from '../model/contract.ts';
import type { Steps } from '../model/large/steps.ts';
import { isLate, PHASES, type Probe, phaseOf, STAGES, type Stage } from '../model/probe.ts';
import { type Chain, chaining, linked } from './chains.ts';
import { byOperation } from './probe.ts';
import { isWrongKey, readsExisting, rolesIn, sourceOf } from './roles.ts';

/**
 * The order of a run: phase by phase, and within a phase chains of requests first, then the others in the order of derivation.
 * @param seed odd seeds send a read by id right after the accepted message, even seeds a list
 */
export function* ordering(probes: readonly Probe[], seed: number | 'none' = 'none'): Steps<Probe[]> {
  const staged = byStage(probes);
  const last = seed !== 'none' && seed % 2 === 1 && staged.some(isAcceptedMessage) ? lastCreated(staged) : [];
  const start = startOf(staged);
  const later = staged.filter(
    (probe) =>
      phaseOf(probe) > 0 && probe.stage !== 'messages' && probe.burst === undefined && !last.includes(probe),
  );
  const chains = [...start, ...(yield* chaining(later, rolesIn(staged)))];
  const inChains = new Set([...last, ...chains.flat()]);
  return PHASES.flatMap((stages: readonly Stage[], phase) => {
    const isInPhase = (probe: Probe) => phaseOf(probe) === phase;
    const chained = chains.filter(([first]) => first && isInPhase(first));
    const unchained = staged.filter((probe) => isInPhase(probe) && !inChains.has(probe));
    if (stages.includes('messages')) return acceptedLast(unchained, last);
    // A request that should create nothing, but may, comes after the chains of creations.
    return [...linked(chained), ...unchained.filter(isSafe), ...unchained.filter((probe) => !isSafe(probe))];
  });
}

/** The first request alone, then a chain of the other start reads: their responses are compared. */
function startOf(probes: readonly Probe[]): Chain[] {
  const start = probes.filter((probe) => phaseOf(probe) === 0);
  const first = start.filter(({ stage }) => stage === 'first');
  const reads = start.filter((probe) => !first.includes(probe));
  return [...first.map((probe) => [probe]), ...(reads.length > 0 ? [reads] : [])];
}

const isSafe = ({ creates, stage }: Probe) => !creates || stage === 'create';

/** Sorts probes by stage; those of one stage keep their order. */
export function byStage(probes: readonly Probe[]): Probe[] {
  return STAGES.flatMap((stage) => probes.filter((probe) => probe.stage === stage));
}

/**
 * The accepted message comes last, between a wrong key and a read. The other messages go out at the same time: as long as
 * nothing is sent to the base address, other users may take its limit.
 */
function acceptedLast(probes: readonly Probe[], reads: readonly Probe[]): Probe[] {
  const accepted = probes.filter(isAcceptedMessage);
  const wrong = accepted.length > 0 ? probes.filter(isWrongKey).slice(-1) : [];
  const rest = probes.filter((probe) => !isAcceptedMessage(probe) && !wrong.includes(probe));
  return [...rest, ...linked([[...wrong, ...accepted, ...reads]])];
}

const isAcceptedMessage = ({ stage, validity }: Probe) => stage === 'messages' && validity === 'valid';

/** The last read of something whose creation has to be accepted. */
function lastCreated(probes: readonly Probe[]): Probe[] {
  const due = probes.filter(({ creates, expectation }) => creates && expectation.kind === 'due');
  return probes
    .filter((probe) => readsExisting(probe) && due.some(({ id }) => id === sourceOf(probe)))
    .slice(-1);
}

/** Operations at the base address that a run starts with: a single one cannot tell a wrong address from a fault. */
export const STARTING_OPERATIONS = 3;

/** Whether a request needs no value from an earlier response. */
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
 * Marks the reads with which a run starts: the first request, and a read of each of two other operations. Operations that
 * need a key are preferred, since a public one says nothing about the key. In a complete interface the order of requests is
 * a test, so these two are sent at the start only if the first request shows nothing.
 * @param candidates reads that need no earlier response, in the order of the document
 */
export function withStart(
  probes: readonly Probe[],
  candidates: readonly Probe[],
  { operations, isComplete }: Pick<Contract, 'operations' | 'isComplete'>,
): Probe[] {
  const byId = new Map(operations.map((operation) => [operation.id, operation]));
  const isAtBase = ({ operation }: Probe) => byId.get(operation)?.address === 'baseUrl';
  const first = probes.filter((probe) => probe.stage === 'first' && isAtBase(probe));
  const candidatesOf = byOperation(candidates.filter((probe) => isAtBase(probe) && probe.stage !== 'first'));
  const isFirst = ({ id }: Operation) => first.some(({ operation }) => operation === id);
  const otherReads = operations.flatMap((operation) =>
    isFirst(operation) ? [] : candidatesOf(operation.id).slice(0, 1),
  );
  const isSecured = ({ operation }: Probe) => byId.get(operation)?.secured === true;
  const chosen = [
    ...first,
    ...otherReads.filter(isSecured),
    ...otherReads.filter((probe) => !isSecured(probe)),
  ];
  const ids = new Set(chosen.slice(0, STARTING_OPERATIONS).map(({ id }) => id));
  const isStart = isComplete ? 'if-needed' : true;
  return probes.map((probe) => {
    if (!ids.has(probe.id)) return probe;
    return { ...probe, isStart: probe.stage === 'first' ? true : isStart };
  });
}
