import type { Baseline, BaselineEntry } from '../baseline/baseline.ts';
import type { InterfaceChanges } from './changes.ts';

/** What a change does to a baseline of known violations. */
export interface BaselineEffect {
  entries: number;
  /** Entries whose requirements are gone: petspec refuses a baseline that names them. */
  void: readonly BaselineEntry[];
  /** Entries whose requirements allow more: the violation may be over. */
  looser: readonly BaselineEntry[];
  /** Entries whose requirements ask for more, or for something else. */
  tighter: readonly BaselineEntry[];
  /** Requirements of level must that appear or tighten, and that the baseline does not name. */
  unknown: readonly string[];
}

/** What is told from a baseline: which violations are known, and nothing else. */
export function effectOn(
  { entries }: Baseline,
  { service }: Pick<InterfaceChanges, 'service'>,
): BaselineEffect {
  const changeOf = new Map(service.map((each) => [each.id, each.change]));
  const named = new Set(entries.map(({ requirement }) => requirement));
  const of = (...kinds: readonly string[]) =>
    entries.filter(({ requirement }) => kinds.includes(changeOf.get(requirement) ?? ''));
  return {
    entries: entries.length,
    void: of('goes'),
    looser: of('loosens'),
    tighter: of('tightens', 'changes'),
    unknown: service.filter(({ id, breaks }) => breaks && !named.has(id)).map(({ id }) => id),
  };
}
