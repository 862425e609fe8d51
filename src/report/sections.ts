import type { Check } from '../judge/evidence/check.ts';
import type { Contract } from '../model/contract.ts';
import type { Exchange } from '../model/exchange.ts';
import { checksLookingAt } from '../model/large/looking.ts';
import type { Probe } from '../model/probe.ts';
import type { SectionCount } from '../model/report/report.ts';

/** Tells the sections of the interface with a requirement that a probe puts to the test. */
export function sectionsTestedBy(
  { requirements }: Pick<Contract, 'requirements'>,
  checks: readonly Check[],
): (probe: Probe) => ReadonlySet<string> {
  const sectionOf = new Map(requirements.map(({ id, section }) => [id, section]));
  const looking = checksLookingAt(checks);
  return (probe) => new Set(looking(probe).flatMap(({ requirement }) => sectionOf.get(requirement) ?? []));
}

/** Counts for each section of the interface the requests that put one of its requirements to the test. */
export function countSections(
  contract: Pick<Contract, 'requirements'>,
  checks: readonly Check[],
  probes: Pick<ReadonlyMap<string, Probe>, 'get'>,
): { add(exchange: Pick<Exchange, 'probe'>): void; result(): SectionCount[] } {
  const sectionsOf = sectionsTestedBy(contract, checks);
  const counts = new Map(contract.requirements.map(({ section }) => [section, 0]));
  const known = new Map<string, ReadonlySet<string>>();
  const testedBy = (id: string) => {
    const probe = probes.get(id);
    return probe ? sectionsOf(probe) : new Set<string>();
  };
  return {
    add({ probe }) {
      const sections = known.get(probe) ?? testedBy(probe);
      known.set(probe, sections);
      for (const section of sections) counts.set(section, (counts.get(section) ?? 0) + 1);
    },
    result: () => [...counts].map(([name, requests]) => ({ name, requests })),
  };
}
