import type { Steps } from '../model/large/steps.ts';
import { PHASES, type Probe, phaseOf, STAGES, type Stage } from '../model/probe.ts';
import { type Chain, linked } from './chains.ts';
import { isWrongKey, readsExisting, rolesIn, sourceOf } from './roles.ts';
import { chaining } from './transitions.ts';

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
