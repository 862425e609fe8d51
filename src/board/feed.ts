import { sha256 } from '../certificate/statement.ts';
import { type Course, verdictWordsOf, violatedByRun } from '../history/course.ts';
import { clip, shown } from '../model/visible.ts';
import { xmlOf } from '../report/xml.ts';

/** The last runs of an implementation that the feed looks at. */
const MAX_RUNS = 20;

/** What a run changed. */
export interface ImplementationChange {
  slug: string;
  name: string;
  /** Digest of the report. */
  report: string;
  startedAt: string;
  time: number;
  release?: string;
  verdict: string;
  /** The verdict, and how much it covers if options narrow it. */
  words: string;
  /** Ids of requirements. */
  worse: string[];
  better: string[];
  /** The verdict of the run before; undefined if this is the first. */
  before?: string;
}

/** What the last runs of an implementation changed: the verdict, or requirements. */
export function changesOf(slug: string, { name, runs, requirements }: Course): ImplementationChange[] {
  const eventful = requirements
    .map(({ id, statuses }) => ({ id, isBad: violatedByRun(statuses) }))
    .filter(({ isBad }) => isBad.includes(true) && isBad.includes(false));
  const first = Math.max(0, runs.length - MAX_RUNS);
  return runs.slice(first).flatMap((own, offset) => {
    const run = first + offset;
    const { report, startedAt, time, release, verdict } = own;
    const before = runs[run - 1]?.verdict;
    const worse = idsOf(eventful, run, true);
    const better = idsOf(eventful, run, false);
    if (before === verdict && worse.length + better.length === 0) return [];
    const words = verdictWordsOf(own);
    const change = { slug, name, report, startedAt, time, verdict, words, worse, better };
    return [{ ...change, ...(release === undefined ? {} : { release }), ...(before ? { before } : {}) }];
  });
}

/** The requirements that a run judges as violated, or as met, and the last run that judged them before as the opposite. */
function idsOf(
  requirements: readonly { id: string; isBad: readonly (boolean | undefined)[] }[],
  run: number,
  isSought: boolean,
): string[] {
  return requirements
    .filter(
      ({ isBad }) =>
        isBad[run] === isSought && isBad.slice(0, run).findLast((each) => each !== undefined) === !isSought,
    )
    .map(({ id }) => id);
}

/** The most entries of the feed. */
export const MAX_ENTRIES = 100;

/** The most ids that an entry names. */
const MAX_IDS = 20;

/**
 * An Atom feed (RFC 4287) of changes, the newest first.
 * @param url the address of the board, which ends with a slash; without it, links are relative
 */
export function renderFeed(
  title: string,
  changes: readonly ImplementationChange[],
  now: string,
  url?: string,
): string {
  const newest = [...changes].sort((left, right) => right.time - left.time).slice(0, MAX_ENTRIES);
  const base = url ?? '';
  return xmlOf({
    feed: {
      '@xmlns': 'http://www.w3.org/2005/Atom',
      id: url ?? uuidOf(`board ${title}`),
      title: shown(title),
      updated: newest[0] ? dateOf(newest[0].startedAt) : now,
      author: { name: 'petspec' },
      link: [
        { '@rel': 'self', '@type': 'application/atom+xml', '@href': `${base}feed.xml` },
        { '@rel': 'alternate', '@type': 'text/html', '@href': `${base}index.html` },
      ],
      entry: newest.map((each) => entryElement(each, base)),
    },
  });
}

function entryElement(change: ImplementationChange, base: string) {
  const { slug, name, verdict, words, before, report, startedAt, release } = shown(change);
  const what =
    before === undefined ? `first run: ${words}` : before === verdict ? `still ${words}` : `now ${words}`;
  const of = release === undefined ? '' : ` (release ${clip(release, 60)})`;
  const lines = [
    ...(change.worse.length > 0 ? [`Worse: ${named(change.worse)}`] : []),
    ...(change.better.length > 0 ? [`Better: ${named(change.better)}`] : []),
  ];
  return {
    id: uuidOf(`${change.name} ${report}`),
    title: `${clip(name, 120)}${of}: ${what}`,
    updated: dateOf(startedAt),
    link: { '@rel': 'alternate', '@type': 'text/html', '@href': `${base}implementations/${slug}.html` },
    content: { '@type': 'text', '#text': shown(lines.join('. ') || `${what}.`) },
  };
}

function named(ids: readonly string[]): string {
  const left = ids.length - MAX_IDS;
  return `${ids
    .slice(0, MAX_IDS)
    .map((id) => clip(id, 100))
    .join(', ')}${left > 0 ? ` and ${left} more` : ''}`;
}

/** RFC 3339, in UTC. */
function dateOf(text: string): string {
  return new Date(text).toISOString();
}

/** A name that stays the same as long as the text does (RFC 9562, version 8). */
function uuidOf(text: string): string {
  const digits = sha256(text);
  return `urn:uuid:${digits.slice(0, 8)}-${digits.slice(8, 12)}-8${digits.slice(13, 16)}-a${digits.slice(17, 20)}-${digits.slice(20, 32)}`;
}
