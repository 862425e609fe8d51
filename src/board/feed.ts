import { sha256 } from '../certificate/statement.ts';
import { type Course, verdictWordsOf, violatedByRun } from '../history/course.ts';
import { clip, shown } from '../model/visible.ts';
import { xmlOf } from '../report/formats/xml.ts';

/** The latest runs of an implementation whose changes may be in the feed. */
const MAX_RUNS = 20;

/** How a run of an implementation differs from the run before. */
export interface ImplementationChange {
  slug: string;
  name: string;
  /** SHA-256 of report.json. */
  report: string;
  startedAt: string;
  time: number;
  release?: string;
  verdict: string;
  /** The verdict in words; if options narrow it, with how much it covers. */
  words: string;
  /** Ids of requirements that are violated now. */
  worse: string[];
  /** Ids of requirements that are no longer violated. */
  better: string[];
  /** The verdict of the run before; undefined if this is the first. */
  before?: string;
}

/** The latest runs of an implementation that changed its verdict or a requirement. */
export function changesOf(slug: string, { name, runs, requirements }: Course): ImplementationChange[] {
  const changing = requirements
    .map(({ id, statuses }) => ({ id, isBad: violatedByRun(statuses) }))
    .filter(({ isBad }) => isBad.includes(true) && isBad.includes(false));
  const first = Math.max(0, runs.length - MAX_RUNS);
  return runs.slice(first).flatMap((current, offset) => {
    const run = first + offset;
    const { report, startedAt, time, release, verdict } = current;
    const before = runs[run - 1]?.verdict;
    const worse = changedIds(changing, run, true);
    const better = changedIds(changing, run, false);
    if (before === verdict && worse.length + better.length === 0) return [];
    const words = verdictWordsOf(current);
    const change = { slug, name, report, startedAt, time, verdict, words, worse, better };
    return [{ ...change, ...(release === undefined ? {} : { release }), ...(before ? { before } : {}) }];
  });
}

/**
 * The requirements whose violation begins or ends with a run, compared with the last run before that judged them.
 * @param isNowBad true: violated by this run; false: met
 */
function changedIds(
  requirements: readonly { id: string; isBad: readonly (boolean | undefined)[] }[],
  run: number,
  isNowBad: boolean,
): string[] {
  return requirements
    .filter(
      ({ isBad }) =>
        isBad[run] === isNowBad &&
        isBad.slice(0, run).findLast((judgment) => judgment !== undefined) === !isNowBad,
    )
    .map(({ id }) => id);
}

/** The most entries of the feed. */
const MAX_ENTRIES = 100;

/** The most ids that an entry names. */
const MAX_IDS = 20;

/** The changes that the feed has, newest first. */
export function newestChanges(changes: readonly ImplementationChange[]): ImplementationChange[] {
  return [...changes].sort((left, right) => right.time - left.time).slice(0, MAX_ENTRIES);
}

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
  const newest = newestChanges(changes);
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
      entry: newest.map((change) => entryElement(change, base)),
    },
  });
}

function entryElement(change: ImplementationChange, base: string) {
  const { slug, name, verdict, words, before, report, startedAt, release } = shown(change);
  const verdictChange =
    before === undefined ? `first run: ${words}` : before === verdict ? `still ${words}` : `now ${words}`;
  const releaseWords = release === undefined ? '' : ` (release ${clip(release, 60)})`;
  const lines = [
    ...(change.worse.length > 0 ? [`Worse: ${named(change.worse)}`] : []),
    ...(change.better.length > 0 ? [`Better: ${named(change.better)}`] : []),
  ];
  return {
    id: uuidOf(`${change.name} ${report}`),
    title: `${clip(name, 120)}${releaseWords}: ${verdictChange}`,
    updated: dateOf(startedAt),
    link: { '@rel': 'alternate', '@type': 'text/html', '@href': `${base}implementations/${slug}.html` },
    content: { '@type': 'text', '#text': shown(lines.join('. ') || `${verdictChange}.`) },
  };
}

function named(ids: readonly string[]): string {
  const unnamed = ids.length - MAX_IDS;
  return `${ids
    .slice(0, MAX_IDS)
    .map((id) => clip(id, 100))
    .join(', ')}${unnamed > 0 ? ` and ${unnamed} more` : ''}`;
}

/** RFC 3339, in UTC. */
function dateOf(text: string): string {
  return new Date(text).toISOString();
}

/** The same text gives the same name (RFC 9562, version 8). */
function uuidOf(text: string): string {
  const digits = sha256(text);
  return `urn:uuid:${digits.slice(0, 8)}-${digits.slice(8, 12)}-8${digits.slice(13, 16)}-a${digits.slice(17, 20)}-${digits.slice(20, 32)}`;
}
