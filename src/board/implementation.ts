import type { Badge } from '../certificate/badge.ts';
import { sha256 } from '../certificate/statement.ts';
import {
  type Course,
  type PastRun,
  type RequirementCourse,
  verdictSince,
  verdictWordsOf,
  violationsByRun,
} from '../history/course.ts';
import type { EntryStatus } from '../history/entry.ts';
import type { Trust } from './reports.ts';

/** Runs in a trend on the front page. */
const TREND_RUNS = 30;

/** An implementation, its runs and its reports, as its page shows them. */
export interface BoardImplementation {
  /** The name of its files, such as the page. */
  slug: string;
  course: Course;
  /** The reports that have a page, by SHA-256, each with its certificate. */
  reports: ReadonlyMap<string, { trust?: Trust | undefined }>;
}

/** An implementation in a row of the front page. */
export interface Summary {
  slug: string;
  name: string;
  run: PastRun;
  badge: Badge;
  /** Statuses by section of the interface. */
  sections: ReadonlyMap<string, EntryStatus>;
  violated: readonly string[];
  runs: number;
  /** When the first run with the same verdict started. ISO 8601. */
  since: string;
  /** Numbers of violations in the latest runs. */
  trend: readonly number[];
  trust?: Trust | undefined;
}

/** A name for addresses and files: only a to z, digits and dashes, and unique to the implementation. */
export function slugOf(name: string): string {
  const words = name
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40)
    .replace(/-+$/, '');
  const digest = sha256(name).slice(0, 10);
  return `${words === '' ? 'implementation' : words}-${digest}`;
}

/** The status of a section is its worst one. `observed` is last: it counts only if nothing in the section is judged. */
const WORST: readonly EntryStatus[] = [
  'violated',
  'advisory',
  'not-tested',
  'met',
  'unexercised',
  'observed',
];

/** The status of each section in the last run. */
export function sectionStatuses(requirements: readonly RequirementCourse[]): Map<string, EntryStatus> {
  const sections = new Map<string, EntryStatus>();
  for (const { section, status } of requirements) {
    if (status === undefined) continue;
    const worst = sections.get(section);
    if (worst === undefined || WORST.indexOf(status) < WORST.indexOf(worst)) sections.set(section, status);
  }
  return sections;
}

/** The summary of an implementation, by its latest run. */
export function summaryOf({ slug, course, reports }: BoardImplementation): Summary {
  const { name, runs, requirements } = course;
  const run = runs.at(-1) ?? runs[0];
  const trust = reports.get(run.report)?.trust;
  return {
    slug,
    name,
    run,
    badge: badgeOf(run),
    sections: sectionStatuses(requirements),
    violated: requirements.filter(({ status }) => status === 'violated').map(({ id }) => id),
    runs: runs.length,
    since: (runs[verdictSince(course)] ?? run).startedAt,
    trend: violationsByRun(course).slice(-TREND_RUNS),
    trust,
  };
}

export function badgeOf(run: PastRun): Badge {
  return { verdict: run.verdict, words: verdictWordsOf(run), isNarrowed: run.narrowed };
}
