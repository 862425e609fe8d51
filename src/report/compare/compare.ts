import type { Level } from '../../model/contract.ts';
import { isProblem } from '../../model/finding.ts';
import { isViolation, type Report, type RequirementResult } from '../../model/report/report.ts';
import { asCounted } from '../facts/verdict.ts';

/** A compared run. */
export interface Column {
  /** A, B, C … in the order of the runs. */
  letter: string;
  /** The file of its report, or the name of its target. */
  name: string;
  /** The folder, beside the comparison, with the page of the run. */
  folder?: string;
  report: Report;
}

/** The results of a requirement in all runs. */
export interface ComparisonRow {
  id: string;
  level: Level;
  section: string;
  statement: string;
  /** One per column; undefined if the run's version of the interface lacks the requirement. */
  results: readonly (RequirementResult | undefined)[];
  /**
   * `regression`: met in the first run, violated in the last (an advisory of a strict run counts). `problem`: violated or with an
   * advisory in some runs, but not the same in all. `observation`: two runs observed different things. `untested`: some run did
   * not test it. `same`: no difference.
   */
  difference: 'regression' | 'problem' | 'observation' | 'untested' | 'same';
}

export interface Comparison {
  columns: readonly Column[];
  /** In the order of `difference`; within a difference, violations come first. */
  rows: readonly ComparisonRow[];
}

/** The headings of the groups, in order. */
const GROUPS: Readonly<Record<ComparisonRow['difference'], string>> = {
  regression: 'Met in the first run, violated in the last',
  problem: 'Not met in some runs',
  observation: 'Observed differently',
  untested: 'Not tested in some runs',
  same: 'The same in all runs',
};

const ORDER = Object.keys(GROUPS) as readonly ComparisonRow['difference'][];

/**
 * Compares runs, requirement by requirement.
 * @param order `in-time`: the runs are from old to new, so a requirement can regress; `side-by-side`: it cannot
 */
export function compareReports(
  runs: readonly Pick<Column, 'name' | 'folder' | 'report'>[],
  order: 'in-time' | 'side-by-side' = 'in-time',
): Comparison {
  const columns = runs.map((run, index) => ({ ...run, letter: letterOf(index) }));
  const byRun = runs.map(
    ({ report }) => new Map(report.requirements.map((result) => [result.id, asCounted(report, result)])),
  );
  const first = new Map<string, RequirementResult>();
  for (const result of runs.flatMap(({ report }) => report.requirements))
    if (!first.has(result.id)) first.set(result.id, result);
  const rows = [...first.values()].map(({ id, level, section, statement }): ComparisonRow => {
    const results = byRun.map((resultsById) => resultsById.get(id));
    return { id, level, section, statement, results, difference: differenceOf(results, order) };
  });
  return { columns, rows: rows.sort((left, right) => weightOf(left) - weightOf(right)) };
}

function weightOf({ difference, results }: ComparisonRow): number {
  const isViolated = results.some((result) => result?.status === 'violated');
  return 2 * ORDER.indexOf(difference) + (isViolated ? 0 : 1);
}

/** A to Z, then AA, AB … */
function letterOf(index: number): string {
  const last = String.fromCharCode('A'.charCodeAt(0) + (index % 26));
  return index < 26 ? last : `${letterOf(Math.floor(index / 26) - 1)}${last}`;
}

function differenceOf(
  results: ComparisonRow['results'],
  order: 'in-time' | 'side-by-side',
): ComparisonRow['difference'] {
  const [first] = results;
  const isViolated = results.at(-1)?.status === 'violated';
  if (order === 'in-time' && first?.status === 'met' && isViolated) return 'regression';
  const isProblemSomewhere = results.some((result) => result && isProblem(result));
  const isSame = new Set(results.map((result) => result?.status)).size === 1;
  if (isProblemSomewhere) return isSame ? 'same' : 'problem';
  // A run that observed nothing does not differ from others.
  const observed = results.flatMap((result) => (result?.exercised ? (result.observed ?? []) : []));
  if (new Set(observed).size > 1) return 'observation';
  return isSame ? 'same' : 'untested';
}

/** The requirements that a run violates, including advisories if it is strict, and the number that it did not test. */
export function countsOf({ report }: Pick<Column, 'report'>): {
  violated: readonly string[];
  untested: number;
} {
  const { requirements } = report;
  return {
    violated: requirements.filter((requirement) => isViolation(report, requirement)).map(({ id }) => id),
    untested: requirements.filter(({ status }) => status === 'not-tested').length,
  };
}

/** Violated requirements of a run that are named. */
const MAX_NAMED = 3;

/** The violated requirements of a run: `2: Pet.id, listPets.200`. */
export function violatedWords(violated: readonly string[]): string {
  if (violated.length === 0) return '0';
  const named = violated.slice(0, MAX_NAMED).join(', ');
  const unnamed = violated.length - MAX_NAMED;
  return `${violated.length}: ${named}${unnamed > 0 ? ` and ${unnamed} more` : ''}`;
}

/** The text of a cell: the observation, or else the status. */
export function cellOf(result: RequirementResult | undefined): string {
  if (!result) return 'not in this interface';
  if (result.status === 'observed') return result.observed ?? '';
  if (result.status === 'not-tested') return 'not tested';
  return result.status === 'met' && !result.exercised ? 'met, not exercised' : result.status;
}

/** The rows by difference, in order, without empty groups. */
export function groupsOf({
  rows,
}: Comparison): { title: string; kind: ComparisonRow['difference']; rows: ComparisonRow[] }[] {
  return ORDER.map((kind) => ({
    kind,
    title: GROUPS[kind],
    rows: rows.filter(({ difference }) => difference === kind),
  })).filter((group) => group.rows.length > 0);
}

/**
 * Reduces the reports of many runs to what a comparison needs: without exchanges, evidence and coverage, and with results
 * that several runs share only once in memory.
 */
export function comparedReports(): (report: Report) => Report {
  const bareResults = new Map<string, RequirementResult>();
  const shared = (result: RequirementResult): RequirementResult => {
    const { curl: _curl, reproduce: _reproduce, ...rest } = result;
    const bare = { ...rest, evidence: [] };
    const key = JSON.stringify(bare);
    const sharedResult = bareResults.get(key) ?? bare;
    bareResults.set(key, sharedResult);
    return sharedResult;
  };
  return ({
    limiters: _limiters,
    coverage: _coverage,
    sensitivity: _sensitivity,
    sections: _sections,
    ...report
  }) => ({
    ...report,
    requirements: report.requirements.map(shared),
    exchanges: [],
  });
}
