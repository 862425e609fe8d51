import { type FollowedPages, followedPages } from '../../contract/things/followed-pages.ts';
import { isFitting } from '../../contract/validation/parameter-bounds.ts';
import type { Probe } from '../../model/probe.ts';
import { ENTRIES, FOLLOWED, MOST_PAGES } from '../../requests/write-names.ts';
import { linked } from '../chains.ts';
import { probe } from '../probe.ts';
import type { Readable } from './find-reads.ts';

/**
 * What follows the pages of a list, each page as the one before names it. A plain request before and after them shows what the
 * list has meanwhile.
 */
export function followingReads(read: Readable): Probe[] {
  return linked(followedPages(read.operation).map((own) => followed(read, own)));
}

function followed({ operation, ...sent }: Readable, { name, by, size }: FollowedPages): Probe[] {
  const idOf = (part: string) => `${operation.id}:${name}=${part}`;
  const probeOf = (part: string, title: string, fields: Partial<Probe> = {}) =>
    probe(operation, `${name}=${part}`, 'list', {
      title,
      validity: 'open',
      controls: [`${operation.id}:plain`],
      ...sent,
      ...fields,
    });
  const cursor = by.place === 'body' ? by.parameter : undefined;
  const entries = Math.max(ENTRIES, Number(size?.schema.minimum ?? 0));
  const bound = size && isFitting(size.schema, entries) ? [[size.name, String(entries)] as const] : [];
  const others = sent.query.filter(([each]) => each !== cursor && !bound.some(([own]) => own === each));
  const query = [...others, ...bound];
  const pages = Array.from({ length: MOST_PAGES }, (_, index) => {
    const before = idOf(FOLLOWED.page(index));
    return probeOf(FOLLOWED.page(index + 1), `page ${index + 1} by ${name}`, {
      query,
      ...(index === 0 ? {} : { onlyIf: { succeeded: before }, nextOf: { probe: before, by } }),
    });
  });
  return [
    probeOf(FOLLOWED.before, `before pages by ${name}`),
    ...pages,
    probeOf(FOLLOWED.after, `after pages by ${name}`, { onlyIf: { succeeded: idOf(FOLLOWED.page(1)) } }),
  ];
}
