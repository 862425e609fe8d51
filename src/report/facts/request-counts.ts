import { type CreatedThings, countThings } from '../../contract/things/things.ts';
import type { Check } from '../../judge/evidence/check.ts';
import type { Contract } from '../../model/contract.ts';
import type { Exchange } from '../../model/exchange.ts';
import { checksLookingAt } from '../../model/large/lookups.ts';
import type { Probe } from '../../model/probe.ts';
import {
  counted,
  type RecordingResult,
  type Report,
  type SectionCount,
  type ThingsResult,
} from '../../model/report/report.ts';
import { clip } from '../../model/visible.ts';

/** The longest id that is shown, in characters. An int64 has at most 19 digits, but a target may send anything. */
const MAX_ID = 100;

/** Counts the requests of a run, one exchange at a time. */
export function countUp(contract: Contract): { add(exchange: Exchange): void; result(): Report['requests'] } {
  const byPurpose: Record<string, number> = {};
  const created: string[] = [];
  const things = countThings(contract);
  let total = 0;
  let withKey = 0;
  let exchanges = 0;
  let lastId = 0;
  return {
    add(exchange) {
      const { id, stage, key, isRepeated } = exchange;
      const requests = isRepeated ? 2 : 1;
      byPurpose[stage] = (byPurpose[stage] ?? 0) + requests;
      total += requests;
      if (key === 'valid') withKey += requests;
      exchanges += 1;
      lastId = Math.max(lastId, id);
      const added = things.add(exchange);
      if (added) created.push(clip(added.id ?? 'unknown', MAX_ID));
    },
    result() {
      // The ledger does not keep every exchange of a long exhaustion, so gaps in the ids are counted as requests.
      const missing = byPurpose.exhaust === undefined ? 0 : lastId - exchanges;
      const exhaust = missing === 0 ? {} : { exhaust: (byPurpose.exhaust ?? 0) + missing };
      return {
        total: total + missing,
        withKey: withKey + missing,
        byPurpose: { ...byPurpose, ...exhaust },
        created,
        things: countsOf(things.result(), contract),
      };
    },
  };
}

function countsOf(
  { created, removed, unaddressed, othersRemoved, uncertain }: CreatedThings,
  { isComplete }: Contract,
): ThingsResult {
  return {
    created,
    removed,
    stillThere: created - removed,
    ...(isComplete || unaddressed.length === 0 ? {} : { withoutAddress: unaddressed.length }),
    ...(othersRemoved.length === 0 ? {} : { othersRemoved: othersRemoved.length }),
    mayHaveBeenCreated: uncertain.length,
  };
}

/** The requests of a run by kind, as the announcement names them. */
export function requestsByKind({ total, byPurpose, areKeyless }: Report['requests']): string {
  if (areKeyless) return counted(total, 'request');
  const { keys = 0, messages = 0 } = byPurpose;
  const kinds = [
    `${total - keys - messages} with the key`,
    ...(keys === 0 ? [] : [`${keys} with wrong keys`]),
    ...(messages === 0 ? [] : [counted(messages, 'message')]),
  ];
  return `${counted(total, 'request')} (${kinds.join(', ')})`;
}

/** The number of requests of a run, a client or a recording, in words. */
export function requestWords({ suite, client, recording, requests }: Report): string {
  if (recording) {
    const exchanges = counted(requests.total, 'recorded exchange');
    return requests.areKeyless ? exchanges : `${exchanges}, ${keyWords(recording.keys)}`;
  }
  if (client)
    return `${counted(requests.total, 'request')} in ${counted(client.scenarios.length, 'scenario')}`;
  return [requestsByKind(requests), ...thingWords({ suite, requests })].join(', ');
}

/** What a run created and removed, and may have created. Most runs by a user's document create nothing, so nothing is said. */
export function thingWords({ suite, requests }: Pick<Report, 'suite' | 'requests'>): string[] {
  const { interface: interfaceTitle, noun = 'thing' } = suite;
  const { created, things } = requests;
  const verb = interfaceTitle === undefined ? 'added' : 'created';
  const {
    removed = 0,
    stillThere = 0,
    mayHaveBeenCreated = 0,
    withoutAddress = 0,
    othersRemoved = 0,
  } = things ?? {};
  const unknownAddresses = withoutAddress === 0 ? '' : ` (${withoutAddress} without a known address)`;
  return [
    ...(interfaceTitle !== undefined && created.length === 0
      ? []
      : [`${counted(created.length, noun)} ${verb}`]),
    // The bundled interface has no operation that removes animals.
    ...(interfaceTitle === undefined || removed === 0 ? [] : [`${removed} removed`]),
    ...(interfaceTitle === undefined || stillThere === 0
      ? []
      : [`${stillThere} still there${unknownAddresses}`]),
    ...(othersRemoved === 0 ? [] : [`${othersRemoved} removed that the run did not create`]),
    ...(mayHaveBeenCreated === 0 ? [] : [`${counted(mayHaveBeenCreated, noun)} may have been ${verb}`]),
  ];
}

function keyWords(keys: number): string {
  return keys === 0 ? 'no key recognized' : counted(keys, 'key');
}

/** A line for each recording, and for each reason why entries of it were not judged. */
export function recordingLines(recording: RecordingResult | undefined): string[] {
  return (recording?.files ?? []).flatMap(({ name, entries, judged, omitted }) => [
    `${name}: ${judged} of ${counted(entries, 'entry', 'entries')} judged`,
    ...omitted.map(({ count, text }) => `- ${count}: ${text}`),
  ]);
}

/** For a probe, the sections of the interface with requirements that it tests. */
export function sectionsTestedBy(
  { requirements }: Pick<Contract, 'requirements'>,
  checks: readonly Check[],
): (probe: Probe) => ReadonlySet<string> {
  const sectionOf = new Map(requirements.map(({ id, section }) => [id, section]));
  const looking = checksLookingAt(checks);
  return (probe) => new Set(looking(probe).flatMap(({ requirement }) => sectionOf.get(requirement) ?? []));
}

/** Counts, for each section of the interface, the requests that test one of its requirements. */
export function countSections(
  contract: Pick<Contract, 'requirements'>,
  checks: readonly Check[],
  probes: Pick<ReadonlyMap<string, Probe>, 'get'>,
): { add(exchange: Pick<Exchange, 'probe'>): void; result(): SectionCount[] } {
  const sectionsOf = sectionsTestedBy(contract, checks);
  const counts = new Map(contract.requirements.map(({ section }) => [section, 0]));
  const sectionsByProbe = new Map<string, ReadonlySet<string>>();
  const testedBy = (id: string) => {
    const probe = probes.get(id);
    return probe ? sectionsOf(probe) : new Set<string>();
  };
  return {
    add({ probe }) {
      const sections = sectionsByProbe.get(probe) ?? testedBy(probe);
      sectionsByProbe.set(probe, sections);
      for (const section of sections) counts.set(section, (counts.get(section) ?? 0) + 1);
    },
    result: () => [...counts].map(([name, requests]) => ({ name, requests })),
  };
}
