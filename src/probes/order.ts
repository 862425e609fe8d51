import type { Contract, Operation } from '../model/contract.ts';
import type { Steps } from '../model/large/steps.ts';
import { isLate, PHASES, type Probe, phaseOf, STAGES, type Stage } from '../model/probe.ts';
import { type Chain, chaining, linked } from './chains.ts';
import { byOperation } from './probe.ts';
import { isWrongKey, readsExisting, rolesIn, sourceOf } from './roles.ts';

/**
 * The order of a run: phase by phase, and within a phase in the order of derivation, except for requests that follow each
 * other because of what a service may keep of the one before.
 * @param seed an even one has a list right after the message that is accepted, an odd one a read by id
 */
export function* ordering(probes: readonly Probe[], seed: number | 'none' = 'none'): Steps<Probe[]> {
  const staged = byStage(probes);
  const last = seed !== 'none' && seed % 2 === 1 && staged.some(isAcceptedMessage) ? lastCreated(staged) : [];
  const start = startOf(staged);
  const later = staged.filter(
    (each) =>
      phaseOf(each) > 0 && each.stage !== 'messages' && each.burst === undefined && !last.includes(each),
  );
  const chains = [...start, ...(yield* chaining(later, rolesIn(staged)))];
  const linkedOnes = new Set([...last, ...chains.flat()]);
  return PHASES.flatMap((stages: readonly Stage[], phase) => {
    const isOwn = (each: Probe) => phaseOf(each) === phase;
    const own = chains.filter(([first]) => first && isOwn(first));
    const others = staged.filter((each) => isOwn(each) && !linkedOnes.has(each));
    if (stages.includes('messages')) return acceptedLast(others, last);
    // What may create something comes after the creations that follow each other.
    return [...linked(own), ...others.filter(isSafe), ...others.filter((each) => !isSafe(each))];
  });
}

/** The first request alone, and then one read after the other: what they get is compared. */
function startOf(probes: readonly Probe[]): Chain[] {
  const start = probes.filter((each) => phaseOf(each) === 0);
  const first = start.filter(({ stage }) => stage === 'first');
  const others = start.filter((each) => !first.includes(each));
  return [...first.map((each) => [each]), ...(others.length > 0 ? [others] : [])];
}

const isSafe = ({ creates, stage }: Probe) => !creates || stage === 'create';

/** Stage by stage; within a stage as they are. */
export function byStage(probes: readonly Probe[]): Probe[] {
  return STAGES.flatMap((stage) => probes.filter((each) => each.stage === stage));
}

/**
 * What is accepted at the message address comes last, so that a read follows it, and after a wrong key. The others are sent
 * at the same time: while nothing goes to the base address, others may use its limit.
 */
function acceptedLast(probes: readonly Probe[], reads: readonly Probe[]): Probe[] {
  const accepted = probes.filter(isAcceptedMessage);
  const wrong = accepted.length > 0 ? probes.filter(isWrongKey).slice(-1) : [];
  const others = probes.filter((each) => !isAcceptedMessage(each) && !wrong.includes(each));
  return [...others, ...linked([[...wrong, ...accepted, ...reads]])];
}

const isAcceptedMessage = ({ stage, validity }: Probe) => stage === 'messages' && validity === 'valid';

/** The read of the last creation that has to be accepted. */
function lastCreated(probes: readonly Probe[]): Probe[] {
  const due = probes.filter(({ creates, expectation }) => creates && expectation.kind === 'due');
  return probes
    .filter((each) => readsExisting(each) && due.some(({ id }) => id === sourceOf(each)))
    .slice(-1);
}

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
