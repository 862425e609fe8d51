import type { Level } from '../../model/contract.ts';
import type { Report, RequirementResult } from '../../model/report/report.ts';

/** A run among those that are compared. */
export interface Column {
  /** A, B, C … in the order in which the runs were given. */
  letter: string;
  /** Where its report came from. */
  name: string;
  report: Report;
}

/** A requirement, in each of the runs. */
export interface Row {
  id: string;
  level: Level;
  section: string;
  statement: string;
  /** By column; undefined where the run's version of the interface does not have it. */
  results: readonly (RequirementResult | undefined)[];
  /**
   * `regression`: met in the first run, violated in the last. `status`: not the same everywhere. `observation`: what
   * the interface leaves open is done differently. `same`: none of these.
   */
  difference: 'regression' | 'status' | 'observation' | 'same';
}

export interface Comparison {
  columns: readonly Column[];
  /** Differences first: regressions, statuses (violations before others), observations; then what is the same. */
  rows: readonly Row[];
}

const ORDER: readonly Row['difference'][] = ['regression', 'status', 'observation', 'same'];

/**
 * Compares runs, requirement by requirement.
 * @param order `in-time`: the first is the oldest, so that something can have become worse; `side-by-side`: it cannot
 */
export function compareReports(
  runs: readonly { name: string; report: Report }[],
  order: 'in-time' | 'side-by-side' = 'in-time',
): Comparison {
  const columns = runs.map((run, index) => ({ ...run, letter: letterOf(index) }));
  const byRun = runs.map(({ report }) => new Map(report.requirements.map((each) => [each.id, each])));
  const requirements = new Map(
    runs.flatMap(({ report }) => report.requirements.map((each) => [each.id, each] as const)).reverse(),
  );
  const ids = [...new Set(runs.flatMap(({ report }) => report.requirements.map(({ id }) => id)))];
  const rows = ids.flatMap((id): Row[] => {
    const known = requirements.get(id);
    if (!known) return [];
    const { level, section, statement } = known;
    const results = byRun.map((results) => results.get(id));
    return [{ id, level, section, statement, results, difference: differenceOf(results, order) }];
  });
  const ordered = rows.sort((left, right) => weightOf(left) - weightOf(right));
  return { columns, rows: ordered };
}

function weightOf({ difference, results }: Row): number {
  const isViolated = results.some((each) => each?.status === 'violated');
  return 2 * ORDER.indexOf(difference) + (isViolated ? 0 : 1);
}

/** A to Z, then AA, AB … */
function letterOf(index: number): string {
  const last = String.fromCharCode('A'.charCodeAt(0) + (index % 26));
  return index < 26 ? last : `${letterOf(Math.floor(index / 26) - 1)}${last}`;
}

function differenceOf(results: Row['results'], order: 'in-time' | 'side-by-side'): Row['difference'] {
  const first = results[0];
  const last = results.at(-1);
  if (order === 'in-time' && first?.status === 'met' && last?.status === 'violated') return 'regression';
  if (new Set(results.map((each) => each?.status)).size > 1) return 'status';
  return new Set(results.map((each) => each?.observed)).size > 1 ? 'observation' : 'same';
}

/** What a cell says: the status; of an observation, what was observed. */
export function cellOf(result: RequirementResult | undefined): string {
  if (!result) return 'not in its interface';
  if (result.status === 'observed') return result.observed ?? '';
  return result.status === 'met' && !result.exercised ? 'met, not exercised' : result.status;
}

/** The headings of the groups, in the order in which rows come. */
export const GROUPS: Readonly<Record<Row['difference'], string>> = {
  regression: 'Met in the first run, violated in the last',
  status: 'Different',
  observation: 'Observed differently',
  same: 'The same in all',
};

/** Rows by what is different, in order; none are empty. */
export function groupsOf({ rows }: Comparison): { title: string; kind: Row['difference']; rows: Row[] }[] {
  return ORDER.map((kind) => ({
    kind,
    title: GROUPS[kind],
    rows: rows.filter(({ difference }) => difference === kind),
  })).filter((group) => group.rows.length > 0);
}
