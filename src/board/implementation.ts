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

/** How many runs a trend of the first page shows. */
const TREND_RUNS = 30;

/** An implementation with what its page shows. */
export interface BoardImplementation {
  /** The name in addresses. */
  slug: string;
  course: Course;
  /** By digest of the report: its certificate, and whether there is a page of it. */
  reports: ReadonlyMap<string, { trust?: Trust | undefined }>;
}

/** What the board says of an implementation in one row. */
export interface Summary {
  slug: string;
  name: string;
  run: PastRun;
  badge: Badge;
  /** By section of the interface. */
  sections: ReadonlyMap<string, EntryStatus>;
  violated: readonly string[];
  runs: number;
  /** Since when it has the verdict. ISO 8601. */
  since: string;
  /** Violations of the last runs. */
  trend: readonly number[];
  trust?: Trust | undefined;
}

/** A name for addresses and files: only a to z, digits and dashes, and different for different names. */
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

/** The worst status of a section decides; what the interface leaves open only where nothing is judged. */
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
    const known = sections.get(section);
    if (known === undefined || WORST.indexOf(status) < WORST.indexOf(known)) sections.set(section, status);
  }
  return sections;
}

/** What the board says of an implementation in one row. */
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

/** The badge of a run. */
export function badgeOf(run: PastRun): Badge {
  return { verdict: run.verdict, words: verdictWordsOf(run), isNarrowed: run.narrowed };
}
