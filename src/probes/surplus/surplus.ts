import type { Contract } from '../../model/contract.ts';
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
import { furtherWrongBodies } from './wrong-bodies.ts';

/**
 * How many of each kind come for each one of another, roughly as they find faults that no other request of a run finds:
 * 84 for bodies, 34 for lists, 19 for ids.
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
 * What a run sends in place of repeating one read while it uses up the limit, in order of value: requests that it has not
 * sent before, wrong ones and valid ones. Each is sent at most once; only what the run created is read again.
 * @param planned what the run sends in any case: the plainest valid request of each operation controls the others
 */
export function surplusProbes(contract: Contract, planned: readonly Probe[], seed: number): Probe[] {
  const draw = drawFrom(seed);
  const { operations } = contract;
  const again = readsAgain(planned, 0);
  const onceMore = readsAgain(planned, 1);
  const probes = merged([
    { share: SHARES.again, values: again },
    { share: SHARES.back, values: readsBack(planned) },
    { share: SHARES.bodies, values: operations.flatMap(furtherWrongBodies) },
    { share: SHARES.queries, values: alternated(operations.map(openQueries)) },
    { share: SHARES.valid, values: operations.flatMap((operation) => furtherQueries(operation, draw)) },
    { share: SHARES.paths, values: operations.flatMap(openPaths) },
    { share: SHARES.reads, values: furtherReads(contract, planned, draw) },
    { share: SHARES.onceMore, values: onceMore },
  ]);
  const textOf = requestTexts(contract);
  const known = plannedTexts(contract, planned);
  const isNew = (each: Probe) => {
    const text = textOf(each);
    return (
      again.includes(each) || onceMore.includes(each) || (!known.has(text) && known.add(text) !== undefined)
    );
  };
  return withControls(probes.filter(surelyWrongIn(contract)).filter(isNew), planned).map((each) => ({
    ...each,
    stage: 'surplus',
  }));
}

/**
 * A request that a seed draws, for the place where the others end.
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

/** The plainest valid request of an operation is a control of all its others. */
function withControls(probes: readonly Probe[], planned: readonly Probe[]): Probe[] {
  const controls = byOperation(
    planned.filter(
      ({ expectation, validity, key, onlyIf }) =>
        expectation.kind === 'due' && validity === 'valid' && key === 'valid' && !onlyIf,
    ),
  );
  return probes.map((each) => {
    const [plainest] = controls(each.operation);
    return plainest ? { ...each, controls: [plainest.id, ...each.controls] } : each;
  });
}

/** Tells requests apart: two probes have the same text if and only if they ask for the same. */
export function requestTexts({
  operations,
}: Contract): (probe: Probe, variations?: readonly RequestVariation[]) => string {
  const byId = new Map(operations.map((each) => [each.id, each]));
  return (probe, variations = probe.variations ?? []) => {
    const operation = byId.get(probe.operation);
    const { path, query, body } = operation ? variedProbe(probe, operation, variations) : probe;
    const forms = body ? variations.flatMap((each) => (each.kind === 'lenient' ? each.form : [])) : [];
    return JSON.stringify([probe.operation, path, query, body, ...forms], shownAs);
  };
}

/** JSON has no large integers. Of a text that is too short to be unique only the length is known. */
function shownAs(_name: string, value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}n`;
  const isShort =
    isLate(value) && value.late === 'own' && value.as === 'text' && value.like.length < OWN_LENGTH;
  return isShort ? `text of ${value.like.length}` : value;
}

/** The texts of what a run sends in any case with the right key, the rounds of an exhaustion included. */
export function plannedTexts(contract: Contract, planned: readonly Probe[]): Set<string> {
  const textOf = requestTexts(contract);
  const valid = planned.filter(({ key }) => key === 'valid');
  return new Set(
    valid.flatMap((each) => [textOf(each), ...(each.rounds ?? []).map((round) => textOf(each, round))]),
  );
}
