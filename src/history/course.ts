import { counted } from '../model/report/report.ts';
import type { EntryStatus, HistoryEntry } from './entry.ts';

/** How many of the last judged runs decide whether a requirement flickers, and the changes that it takes. */
const FLICKER_RUNS = 20;
const FLICKER_CHANGES = 2;

/** A status as one character. */
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
  /** By run, an advisory of a strict one as violated; undefined where the run does not have the requirement. */
  statuses: readonly (EntryStatus | undefined)[];
  /** In the last run. */
  status: EntryStatus | undefined;
  /** `worse`: the last run violates it, and the one that judged it before did not. `better`: the opposite. */
  change?: 'better' | 'worse' | undefined;
  /** Index of the first run of those in a row that violate it, if the last one that judged it does. */
  violatedSince?: number | undefined;
  /** How often it changed between met and violated, if it went and came back in the last runs. */
  flickers?: number | undefined;
}

/** How an implementation changed from run to run. */
export interface Course {
  name: string;
  /** From old to new; at least one. */
  runs: readonly [PastRun, ...PastRun[]];
  requirements: readonly RequirementCourse[];
}

/** Collects the entries of one implementation. A run takes a few hundred bytes. */
export interface CourseBuilder {
  add(entry: HistoryEntry): void;
  /** The course of the newest runs; undefined without any. */
  course(most?: number): Course | undefined;
}

/** @param name of the implementation */
export function courseBuilder(name: string): CourseBuilder {
  const index = new Map<string, number>();
  const sections: string[] = [];
  const packed: { run: PastRun; letters: string }[] = [];
  let before: Partial<Pick<HistoryEntry, 'sections' | 'strict'>> & { letters: string } = { letters: '' };
  const lettersOf = (own: HistoryEntry['sections'], isStrict: boolean) => {
    const letters: string[] = [];
    for (const { name: section, statuses } of own)
      for (const [status, ids] of Object.entries(statuses))
        for (const id of ids) {
          const at = index.get(id) ?? index.size;
          index.set(id, at);
          sections[at] ??= section;
          letters[at] =
            (isStrict && status === 'advisory' ? LETTERS.violated : LETTERS[status as EntryStatus]) ?? ABSENT;
        }
    return Array.from(letters, (each) => each ?? ABSENT).join('');
  };
  return {
    add({ schemaVersion: _version, name: _name, sections: own, ...rest }) {
      const { strict } = rest;
      if (own !== before.sections || strict !== before.strict)
        before = { sections: own, strict, letters: lettersOf(own, strict) };
      packed.push({ run: { ...rest, time: Date.parse(rest.startedAt) }, letters: before.letters });
    },
    course(most = Number.POSITIVE_INFINITY) {
      packed.sort((left, right) => left.run.time - right.run.time);
      const newest = packed.slice(Math.max(0, packed.length - most));
      const [first, ...others] = newest.map(({ run }) => run);
      if (!first) return undefined;
      const runs = [first, ...others] as const;
      const rows = newest.map(({ letters }) => letters);
      // Most requirements went the same way.
      const known = new Map<string, Went>();
      const requirements = [...index].map(([id, at]) => {
        let column = '';
        for (const row of rows) column += row[at] ?? ABSENT;
        const went = known.get(column) ?? wentAs(column);
        known.set(column, went);
        return { id, section: sections[at] ?? '', ...went };
      });
      return { name, runs: [...runs], requirements };
    },
  };
}

type Went = Omit<RequirementCourse, 'id' | 'section'>;

function wentAs(column: string): Went {
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

/** The verdict of a run in words. A narrowed one says how much it covers. */
export function verdictWordsOf({ verdict, judged, narrowed }: PastRun): string {
  if (!narrowed) return verdict;
  return `${verdict} (${judged.requirements} of ${counted(judged.of, 'requirement')} judged)`;
}

/** Whether each run judges a requirement as violated; undefined where it judges nothing. */
export function violatedByRun(statuses: RequirementCourse['statuses']): (boolean | undefined)[] {
  return statuses.map((status) =>
    status === undefined || status === 'observed' || status === 'not-tested'
      ? undefined
      : status === 'violated',
  );
}

/** The index of the first run of those in a row that have the verdict of the last. */
export function verdictSince({ runs }: Pick<Course, 'runs'>): number {
  const last = runs.at(-1)?.verdict;
  return runs.findLastIndex(({ verdict }) => verdict !== last) + 1;
}

/** How many requirements each run violates. */
export function violationsByRun({ runs, requirements }: Course): number[] {
  return runs.map((_, run) => requirements.filter(({ statuses }) => statuses[run] === 'violated').length);
}
