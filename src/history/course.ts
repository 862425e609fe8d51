import { counted } from '../model/report/report.ts';
import type { EntryStatus, HistoryEntry } from './entry.ts';

/** A requirement flickers if it changed this often in its last judged runs. */
const FLICKER_RUNS = 20;
const FLICKER_CHANGES = 2;

/** One character per status, so that many runs fit into memory. */
const LETTERS = {
  met: 'm',
  unexercised: 'u',
  violated: 'v',
  advisory: 'a',
  observed: 'o',
  'not-tested': 'n',
} as const satisfies Record<EntryStatus, string>;
const STATUS_OF = Object.fromEntries(Object.entries(LETTERS).map(([status, letter]) => [letter, status]));
const ABSENT = '-';

/** A run without its requirements. */
export interface PastRun extends Omit<HistoryEntry, 'schemaVersion' | 'name' | 'sections'> {
  /** ms since the epoch. */
  time: number;
}

/** How a requirement changed from run to run. */
export interface RequirementCourse {
  id: string;
  section: string;
  /** One per run; an advisory of a strict run counts as violated. Undefined if the run lacks the requirement. */
  statuses: readonly (EntryStatus | undefined)[];
  /** In the last run. */
  status: EntryStatus | undefined;
  /** `worse`: the last run violates it, the run that judged it before did not. `better`: the opposite. */
  change?: 'better' | 'worse' | undefined;
  /** Index of the first run of the latest streak of violations. Undefined if the last run that judged it met it. */
  violatedSince?: number | undefined;
  /** How often it changed between met and violated in its last runs. Undefined if it does not flicker. */
  flickers?: number | undefined;
}

/** How an implementation changed from run to run. */
export interface Course {
  name: string;
  /** Oldest first; at least one. */
  runs: readonly [PastRun, ...PastRun[]];
  requirements: readonly RequirementCourse[];
}

/** Collects the entries of one implementation, at a few hundred bytes per run. */
export interface CourseBuilder {
  add(entry: HistoryEntry): void;
  /** The course of at most `most` newest runs; undefined without runs. */
  course(most?: number): Course | undefined;
}

/** @param name of the implementation */
export function courseBuilder(name: string): CourseBuilder {
  const index = new Map<string, number>();
  const sections: string[] = [];
  const packed: { run: PastRun; letters: string }[] = [];
  let before: Partial<Pick<HistoryEntry, 'sections' | 'strict'>> & { letters: string } = { letters: '' };
  const lettersOf = (sectionStatuses: HistoryEntry['sections'], isStrict: boolean) => {
    const letters: string[] = [];
    for (const { name: section, statuses } of sectionStatuses)
      for (const [status, ids] of Object.entries(statuses))
        for (const id of ids) {
          const at = index.get(id) ?? index.size;
          index.set(id, at);
          sections[at] ??= section;
          letters[at] =
            (isStrict && status === 'advisory' ? LETTERS.violated : LETTERS[status as EntryStatus]) ?? ABSENT;
        }
    return Array.from(letters, (letter) => letter ?? ABSENT).join('');
  };
  return {
    add({ schemaVersion: _version, name: _name, sections: sectionStatuses, ...rest }) {
      const { strict } = rest;
      if (sectionStatuses !== before.sections || strict !== before.strict)
        before = { sections: sectionStatuses, strict, letters: lettersOf(sectionStatuses, strict) };
      packed.push({ run: { ...rest, time: Date.parse(rest.startedAt) }, letters: before.letters });
    },
    course(most = Number.POSITIVE_INFINITY) {
      packed.sort((left, right) => left.run.time - right.run.time);
      const newest = packed.slice(Math.max(0, packed.length - most));
      const [first, ...later] = newest.map(({ run }) => run);
      if (!first) return undefined;
      const runs = [first, ...later] as const;
      const rows = newest.map(({ letters }) => letters);
      // Most requirements have the same statuses in every run.
      const byColumn = new Map<string, StatusHistory>();
      const requirements = [...index].map(([id, at]) => {
        let column = '';
        for (const row of rows) column += row[at] ?? ABSENT;
        const statusHistory = byColumn.get(column) ?? statusHistoryOf(column);
        byColumn.set(column, statusHistory);
        return { id, section: sections[at] ?? '', ...statusHistory };
      });
      return { name, runs: [...runs], requirements };
    },
  };
}

type StatusHistory = Omit<RequirementCourse, 'id' | 'section'>;

/** @param column the letter of one requirement in each run */
function statusHistoryOf(column: string): StatusHistory {
  const statuses = Array.from(column, (letter) => STATUS_OF[letter] as EntryStatus | undefined);
  const judged = violatedByRun(statuses).flatMap((isBad, run) =>
    isBad === undefined ? [] : [{ run, isBad }],
  );
  const last = judged.at(-1);
  const before = judged.at(-2);
  const isOfLastRun = last?.run === statuses.length - 1;
  const change =
    isOfLastRun && before && last.isBad !== before.isBad ? (last.isBad ? 'worse' : 'better') : undefined;
  const lastGood = judged.findLastIndex(({ isBad }) => !isBad);
  const violatedSince = last?.isBad ? judged[lastGood + 1]?.run : undefined;
  const recent = judged.slice(-FLICKER_RUNS);
  const changes = recent.filter(({ isBad }, at) => at > 0 && recent[at - 1]?.isBad !== isBad).length;
  return {
    statuses,
    status: statuses.at(-1),
    change,
    violatedSince,
    flickers: changes >= FLICKER_CHANGES ? changes : undefined,
  };
}

/** The verdict of a run in words. A narrowed verdict says how much it covers. */
export function verdictWordsOf({ verdict, judged, narrowed }: PastRun): string {
  if (!narrowed) return verdict;
  return `${verdict} (${judged.requirements} of ${counted(judged.of, 'requirement')} judged)`;
}

/** For each run, whether the requirement was violated; undefined if the run did not judge it. */
export function violatedByRun(statuses: RequirementCourse['statuses']): (boolean | undefined)[] {
  return statuses.map((status) =>
    status === undefined || status === 'observed' || status === 'not-tested'
      ? undefined
      : status === 'violated',
  );
}

/** The index of the first run of the latest streak with the same verdict. */
export function verdictSince({ runs }: Pick<Course, 'runs'>): number {
  const last = runs.at(-1)?.verdict;
  return runs.findLastIndex(({ verdict }) => verdict !== last) + 1;
}

/** How many requirements each run violates. */
export function violationsByRun({ runs, requirements }: Course): number[] {
  return runs.map((_, run) => requirements.filter(({ statuses }) => statuses[run] === 'violated').length);
}
