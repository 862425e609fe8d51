import { sha256 } from '../certificate/statement.ts';
import { clip, shown } from '../model/visible.ts';
import { xmlOf } from '../report/xml.ts';
import type { ImplementationChange } from './changes.ts';

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
