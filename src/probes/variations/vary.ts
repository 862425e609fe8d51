import type { Contract, Operation } from '../../model/contract.ts';
import { groupedBy } from '../../model/large/lookups.ts';
import type { Steps } from '../../model/large/steps.ts';
import { LENIENT_VARIATIONS, lateValuesIn, type Probe, type RequestVariation } from '../../model/probe.ts';
import { hasFreeText, leftOutMembers } from '../../requests/varied-probe.ts';
import { coveringPairs, type Factor } from './covering.ts';
import { lenientVariations } from './lenient.ts';
import { type Draw, drawFrom, shuffled } from './random.ts';
import { roundsOf } from './rounds.ts';
import { dealTexts } from './texts.ts';

/**
 * Adds variations to probes, a different combination to each valid one. These are surely valid, so a conformant service
 * responds as to the plain request. Probes that no check needs also get a variation that a service may refuse.
 */
export function* varying(probes: readonly Probe[], { operations }: Contract, seed: number): Steps<Probe[]> {
  const draw = drawFrom(seed);
  const byId = new Map(operations.map((operation) => [operation.id, operation]));
  const carriers = probes.flatMap((probe) => {
    const operation = byId.get(probe.operation);
    return operation && isCarrier(probe) ? [{ probe, operation }] : [];
  });
  const texts = textsFor(carriers, probes, draw);
  const rows = carriers.map(({ probe, operation }) => ({
    operation: operation.id,
    factors: factorsOf(probe, operation, texts.get(probe.id) ?? []),
  }));
  const chosen = yield* coveringPairs(rows, draw);
  const completed = completedBodies(carriers);
  const certain = new Map(
    carriers.map(({ probe }, index) => [
      probe.id,
      [...(chosen[index] ?? []), ...(texts.get(probe.id) ?? []), ...(completed.get(probe.id) ?? [])],
    ]),
  );
  const lenient = lenientVariations(probes, seed);
  return probes.map((probe) => {
    const variations = [...(certain.get(probe.id) ?? []), ...(lenient.get(probe.id) ?? [])];
    if (probe.stage === 'exhaust' && byId.get(probe.operation)?.mayRefuse) return probe;
    if (probe.stage === 'exhaust') return withRounds(probe, byId.get(probe.operation), probes, draw);
    return variations.length === 0 ? probe : { ...probe, variations: variations };
  });
}

/** Adds rounds to a probe that is sent until the limit is reached. All valid requests of its operation control it. */
function withRounds(
  probe: Probe,
  operation: Operation | undefined,
  probes: readonly Probe[],
  draw: Draw,
): Probe {
  const rounds = operation && probe.validity === 'valid' ? roundsOf(operation, draw) : [];
  if (rounds.length === 0) return probe;
  const simpler = probes.filter((other) => other.operation === probe.operation && isCarrier(other));
  const controls = [...new Set([...probe.controls, ...simpler.map(({ id }) => id)])];
  return { ...probe, rounds, lenient: shuffled(LENIENT_VARIATIONS, draw), controls };
}

/** The first request says whether there is a service at all; those that use up the limit are all alike. */
const PLAIN_STAGES: readonly Probe['stage'][] = ['first', 'exhaust', 'recover'];

function isCarrier({ validity, key, stage }: Probe): boolean {
  return validity === 'valid' && key === 'valid' && !PLAIN_STAGES.includes(stage);
}

interface Carrier {
  probe: Probe;
  operation: Operation;
}

/** Texts for the probes whose texts are free, by the id of the probe. */
function textsFor(
  carriers: readonly Carrier[],
  probes: readonly Probe[],
  draw: Draw,
): ReadonlyMap<string, RequestVariation[]> {
  const shared = new Set(
    probes.flatMap(({ id, body }) =>
      lateValuesIn(body).flatMap((late) => (late.late === 'own' && late.of !== id ? late.of : [])),
    ),
  );
  const free = carriers.filter(
    ({ probe, operation }) => !probe.form && hasFreeText(probe, operation) && !shared.has(probe.id),
  );
  const groups = [...groupedBy(free, ({ operation }) => operation.id).values()].map((group) => ({
    due: group.filter(({ probe }) => isDue(probe)),
    others: group.filter(({ probe }) => !isDue(probe)),
  }));
  return new Map(
    groups.flatMap(({ due, others }) => {
      const dealt = dealTexts(due.length, others.length, draw);
      return [...due, ...others].map(({ probe }, index) => [probe.id, dealt[index] ?? []] as const);
    }),
  );
}

/** Whether a service has to accept a request. */
function isDue({ expectation }: Probe): boolean {
  return expectation.kind === 'due';
}

/**
 * Adds members of enumerations to bodies that lack them, so that more lists show what these create. Bodies that have to be
 * accepted stay without them, as that is a test.
 */
function completedBodies(carriers: readonly Carrier[]): ReadonlyMap<string, RequestVariation[]> {
  const free = carriers.filter(
    ({ probe, operation: { body } }) =>
      !isDue(probe) &&
      !probe.isDuplicate &&
      !probe.form &&
      Object.keys(leftOutMembers(probe, body?.schema, 0)).length > 0,
  );
  return new Map(
    free.map(({ probe }, index) => [
      probe.id,
      [{ id: 'optional-fields', kind: 'optional-fields', variety: index }],
    ]),
  );
}

/** The properties of a request that can vary without changing its meaning. */
function factorsOf(probe: Probe, operation: Operation, texts: readonly RequestVariation[]): Factor[] {
  const factors: Factor[] = [
    {
      name: 'header-names',
      levels: [
        undefined,
        { id: 'header-names:title', kind: 'header-names', style: 'title' },
        { id: 'header-names:upper', kind: 'header-names', style: 'upper' },
      ],
    },
  ];
  if (new Set(probe.query.map(([name]) => name)).size > 1)
    factors.push({ name: 'query-order', levels: [undefined, { id: 'query-order', kind: 'query-order' }] });
  const isJson =
    probe.body !== undefined && 'json' in probe.body && /json$/.test(operation.body?.mediaType ?? '');
  return isJson ? [...factors, ...jsonFactors(probe, texts)] : factors;
}

function jsonFactors(probe: Probe, texts: readonly RequestVariation[]): Factor[] {
  const { body } = probe;
  const fields =
    body && 'json' in body && typeof body.json === 'object' && body.json ? Object.keys(body.json) : [];
  const has = (sign: RegExp) =>
    texts.some((variation) => variation.kind === 'text' && sign.test(variation.text));
  const unicode = { id: 'json-escapes:unicode', kind: 'json-escapes', style: 'unicode' } as const;
  const escapes = [
    undefined,
    unicode,
    // What fails with them must have to be accepted.
    ...(isDue(probe) ? [{ id: 'json-escapes:names', kind: 'json-escapes', style: 'names' } as const] : []),
    ...(has(/\//) ? [{ id: 'json-escapes:solidus', kind: 'json-escapes', style: 'solidus' } as const] : []),
  ];
  return [
    {
      name: 'json-space',
      levels: [
        undefined,
        { id: 'json-space:spaces', kind: 'json-space', style: 'spaces' },
        { id: 'json-space:lines', kind: 'json-space', style: 'lines' },
      ],
    },
    // A character that takes two escapes shows whether a parser joins them.
    { name: 'json-escapes', levels: has(/[\u{10000}-\u{10ffff}]/u) ? [unicode] : escapes },
    ...(fields.length > 1
      ? [{ name: 'field-order', levels: [undefined, { id: 'field-order', kind: 'field-order' } as const] }]
      : []),
  ];
}
