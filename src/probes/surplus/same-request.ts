import type { Contract } from '../../model/contract.ts';
import { isLate, OWN_LENGTH, type Probe, type RequestVariation } from '../../model/probe.ts';
import { variedProbe } from '../../requests/varied-probe.ts';

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
