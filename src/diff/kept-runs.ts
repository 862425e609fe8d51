import type { RequirementChange } from '../contract/changes/requirement-changes.ts';
import type { Requirement } from '../model/contract.ts';

/** A run that a file holds, without its exchanges: what it says of each requirement. */
export interface KeptRun {
  /** The service or the implementation, with its release. */
  name: string;
  /** ISO 8601. */
  startedAt: string;
  met: ReadonlySet<string>;
  /** Requirements of level should that it did not keep. */
  advised: ReadonlySet<string>;
}

/** What a run says of the newer version: of its requirements of level must, by id. */
export interface Covered extends Pick<KeptRun, 'name' | 'startedAt'> {
  /** How many there are. */
  of: number;
  met: number;
  /** What it violates: it did not keep what was good practice, and that is a must now. */
  broken: readonly string[];
  /** What nobody tested, as it is new. */
  fresh: readonly string[];
  /** What asks for more, or for something else, than what the run kept. */
  tighter: readonly string[];
  /** What the run did not show, though the older version asks for it, too. */
  untested: readonly string[];
}

/** What a run by the older version says of the newer one. */
export function coveredBy(
  { name, startedAt, met, advised }: KeptRun,
  changes: readonly RequirementChange[],
  requirements: readonly Pick<Requirement, 'id' | 'level'>[],
): Covered {
  const changeOf = new Map(changes.map((each) => [each.id, each]));
  const musts = requirements.filter(({ level }) => level === 'must').map(({ id }) => id);
  const of = (kind: ReturnType<typeof standingOf>) =>
    musts.filter((id) => standingOf(id, changeOf.get(id), { met, advised }) === kind);
  return {
    name,
    startedAt,
    of: musts.length,
    met: of('met').length,
    broken: of('broken'),
    fresh: of('fresh'),
    tighter: of('tighter'),
    untested: of('untested'),
  };
}

function standingOf(
  id: string,
  change: RequirementChange | undefined,
  { met, advised }: Pick<KeptRun, 'met' | 'advised'>,
): 'met' | 'broken' | 'fresh' | 'tighter' | 'untested' {
  // Only its level rose: what was advice is a violation.
  if (change?.change === 'tightens' && advised.has(id)) return 'broken';
  if (change?.change === 'appears') return 'fresh';
  const isSame = change === undefined || change.change === 'loosens';
  if (!isSame) return 'tighter';
  return met.has(id) ? 'met' : 'untested';
}
