import type { Contract, Operation } from '../../model/contract.ts';
import { isLate, OWN_LENGTH, type Probe, type RequestVariation } from '../../model/probe.ts';
import { variedProbe } from '../../requests/varied-probe.ts';
import { byOperation } from '../probe.ts';
import { surelyWrongIn } from '../validity.ts';
import { drawFrom } from '../variations/random.ts';
import { furtherQueries, furtherReads } from './further-reads.ts';
import { generatedProbe } from './generated.ts';
import { alternated, merged } from './merged.ts';
import { openPaths, openQueries } from './open-queries.ts';
import { readsAgain, readsBack } from './reads-of-created.ts';
import { ofRight, type RightRequest } from './right-request.ts';
import { furtherWrongBodies } from './wrong-bodies.ts';

/**
 * How many probes of each kind are sent for one with share 1, roughly in proportion to the faults that no other request of a run
 * finds: 84 for bodies, 34 for lists, 19 for ids.
 */
const SHARES = {
  again: 5,
  back: 2,
  bodies: 5,
  queries: 2,
  valid: 1.6,
  paths: 1,
  reads: 1,
  onceMore: 1 / 4,
};

/**
 * The probes that a run sends while it uses up the limit, instead of repeating one read, in order of value: requests that it has
 * not sent before, wrong ones and valid ones. Each is sent at most once, except for reads of what the run created.
 * @param planned the plan, in which the plainest valid request of each operation controls these probes
 */
export function surplusProbes(contract: Contract, planned: readonly Probe[], seed: number): Probe[] {
  const draw = drawFrom(seed);
  const { operations } = contract;
  const again = readsAgain(planned, 0);
  const onceMore = readsAgain(planned, 1);
  const valid = (operation: Operation, right: RightRequest) => furtherQueries(operation, right, draw);
  const probes = merged([
    { share: SHARES.again, values: again },
    { share: SHARES.back, values: readsBack(planned) },
    { share: SHARES.bodies, values: operations.flatMap(furtherWrongBodies) },
    { share: SHARES.queries, values: alternated(ofRight(operations, planned, openQueries)) },
    { share: SHARES.valid, values: ofRight(operations, planned, valid).flat() },
    { share: SHARES.paths, values: ofRight(operations, planned, openPaths).flat() },
    { share: SHARES.reads, values: furtherReads(contract, planned, draw) },
    { share: SHARES.onceMore, values: onceMore },
  ]);
  const textOf = requestTexts(contract);
  const seenTexts = plannedTexts(contract, planned);
  const isNew = (probe: Probe) => {
    const text = textOf(probe);
    return (
      again.includes(probe) ||
      onceMore.includes(probe) ||
      (!seenTexts.has(text) && seenTexts.add(text) !== undefined)
    );
  };
  return withControls(probes.filter(surelyWrongIn(contract)).filter(isNew), planned).map((probe) => ({
    ...probe,
    stage: 'surplus',
  }));
}

/**
 * A drawn request, for when the surplus probes are used up.
 * @param path its place, and the steps that make it smaller
 */
export function drawnProbe(
  contract: Contract,
  planned: readonly Probe[],
  seed: number,
  path: readonly number[],
): Probe | undefined {
  const drawn = generatedProbe(contract, planned, seed, path);
  const [probe] = withControls(drawn ? [{ ...drawn, stage: 'surplus' }] : [], planned);
  return probe;
}

/** Makes the plainest valid request of an operation a control of these probes. */
function withControls(probes: readonly Probe[], planned: readonly Probe[]): Probe[] {
  const controls = byOperation(
    planned.filter(
      ({ expectation, validity, key, onlyIf }) =>
        expectation.kind === 'due' && validity === 'valid' && key === 'valid' && !onlyIf,
    ),
  );
  return probes.map((probe) => {
    const [plainest] = controls(probe.operation);
    return plainest ? { ...probe, controls: [plainest.id, ...probe.controls] } : probe;
  });
}

/** Makes texts that identify requests: two probes have the same text if and only if they send the same request. */
export function requestTexts({
  operations,
}: Contract): (probe: Probe, variations?: readonly RequestVariation[]) => string {
  const byId = new Map(operations.map((operation) => [operation.id, operation]));
  return (probe, variations = probe.variations ?? []) => {
    const operation = byId.get(probe.operation);
    const { path, query, body } = operation ? variedProbe(probe, operation, variations) : probe;
    const forms = body
      ? variations.flatMap((variation) => (variation.kind === 'lenient' ? variation.form : []))
      : [];
    return JSON.stringify([probe.operation, path, query, body, ...forms], shownAs);
  };
}

/** Replaces large integers, which JSON lacks, and short texts: these are not unique, and only their length is known. */
function shownAs(_name: string, value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}n`;
  const isShort =
    isLate(value) && value.late === 'own' && value.as === 'text' && value.like.length < OWN_LENGTH;
  return isShort ? `text of ${value.like.length}` : value;
}

/** The texts of planned requests with the right key, including the rounds of requests that use up the limit. */
export function plannedTexts(contract: Contract, planned: readonly Probe[]): Set<string> {
  const textOf = requestTexts(contract);
  const valid = planned.filter(({ key }) => key === 'valid');
  return new Set(
    valid.flatMap((probe) => [textOf(probe), ...(probe.rounds ?? []).map((round) => textOf(probe, round))]),
  );
}
