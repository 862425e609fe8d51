import type { Resource } from '../../contract/resources.ts';
import { idPlaces } from '../../contract/things/creation.ts';
import { isSuccess } from '../../model/exchange.ts';
import { type Deviation, type Finding, met, violated } from '../../model/finding.ts';
import { type Json, pointerOf, segmentsOf, stringifyJson } from '../../model/json.ts';
import type { Looking } from '../../model/large/lookups.ts';
import { rememberingEach } from '../../model/remembering.ts';
import { CREATIONS, changedName } from '../../requests/write-names.ts';
import { type Evidence, idsOf, unexercised } from '../evidence/check.ts';
import type { Judged } from '../evidence/judged.ts';
import { common, type WrittenFields } from './fields.ts';

/** What several exchanges show: a deviation, that the requirement held, or nothing. */
export type WrittenResult =
  | { wrong: Omit<Deviation, 'requirement' | 'kind'>; by: Judged[] }
  | { held: Judged[] }
  | undefined;

/** The finding of such a result. @param looking what the requirement is about */
export function writtenFinding(evidence: Evidence, looking: Looking, result: WrittenResult): Finding {
  if (!result) return unexercised(evidence, looking);
  if ('held' in result) return met(idsOf(result.held));
  const exchanges = idsOf(result.by);
  const repetition = { kind: 'in-turn', exchanges } as const;
  const deviating = exchanges.slice(-1);
  return violated({ kind: 'sequence', ...result.wrong, repetition, deviating }, [...deviating, ...exchanges]);
}

/** Finds the exchange of a probe by its operation and the last part of the probe's id. */
export type ExchangeFinder = (operation: { id: string } | undefined, name: string) => Judged | undefined;

export const sentIn = rememberingEach((judged: readonly Judged[]): ExchangeFinder => {
  const byProbe = new Map(judged.map((result) => [result.probe.id, result]));
  return (operation, name) => operation && byProbe.get(`${operation.id}:${name}`);
});

/** The reads of what was created and changed that succeeded. */
export function readsOf(sent: ExchangeFinder, { read, replace }: Resource): Judged[] {
  const changed = replace.map(({ method }) => changedName(method));
  return [...CREATIONS.map(([, reading]) => reading), ...changed].flatMap((name) => {
    const result = sent(read, name);
    return result && isSuccess(result.exchange) ? [result] : [];
  });
}

/** The fields that a request sent and the response shows, without empty ones. */
export function compared(
  resource: Resource,
  writing: Judged,
  reading: Judged,
  { asked, shown }: WrittenFields,
): string[] {
  return telling(common(asked, shown), resource, writing, reading);
}

/** Without the id, which the service may assign, and without fields whose form is wrong, which is a finding already. */
export function telling(
  names: readonly string[],
  resource: Resource,
  { operation }: Judged,
  { deviations }: Judged,
): string[] {
  const ids = idPlaces(resource, operation).map((place) => segmentsOf(place).at(-1));
  const wrong = deviations.flatMap(({ pointer }) => (pointer === undefined ? [] : segmentsOf(pointer)));
  return names.filter((name) => !ids.includes(name) && !wrong.includes(name));
}

/** The deviation of a field whose value is not the one that was sent. */
export function differs(name: string, { asked, shown }: WrittenFields) {
  const what = shown[name] === undefined ? 'is missing' : 'is not what was sent';
  return valueDeviation([name], what, asked[name], shown[name]);
}

/** The deviation of a field that a merge patch changed without naming it. */
export function isReset(path: readonly string[], old: Json | undefined, now: Json | undefined) {
  const what = now === undefined ? 'is missing' : 'is another one';
  return valueDeviation(path, `${what} after a merge patch that does not name it`, old, now);
}

function valueDeviation(
  path: readonly string[],
  what: string,
  expected: Json | undefined,
  received: Json | undefined,
) {
  const name = path.join('.');
  const written = (value: Json | undefined) =>
    value === undefined ? `no ${name}` : `${name}: ${stringifyJson(value)}`;
  return {
    reason: `${name} ${what}`,
    expected: written(expected),
    received: written(received),
    pointer: pointerOf(path),
  };
}
