import { type FollowedPages, followedPages } from '../../contract/things/followed-pages.ts';
import type { Contract } from '../../model/contract.ts';
import { headerValues } from '../../model/exchange.ts';
import { type Finding, met, notTested, violated } from '../../model/finding.ts';
import { type Json, stringifyJson } from '../../model/json.ts';
import type { Looking } from '../../model/large/looking.ts';
import { type NextNamed, nextNamed, nextPage } from '../../requests/learnt/next-page.ts';
import { FOLLOWED, MOST_PAGES } from '../../requests/write-names.ts';
import { type Check, idsOf, unexercised } from '../evidence/check.ts';
import type { Judged } from '../evidence/judged.ts';
import { quote } from '../evidence/quote.ts';
import { hasId, isFields } from './fields.ts';
import { entriesIn } from './list-checks.ts';

/** So many pages without an entry, one after the other, do not end: a service may have a few of them between others. */
const MOST_EMPTY = 5;

/** Whether whoever follows the pages of a list gets each entry once, and comes to an end. */
export function followedChecks(contract: Contract): Check[] {
  return contract.operations.flatMap((operation) =>
    followedPages(operation).map((own) => checkOf(own, operation.id)),
  );
}

function checkOf(own: FollowedPages, operation: string): Check {
  const idOf = (part: string) => `${operation}:${own.name}=${part}`;
  const pages = Array.from({ length: MOST_PAGES }, (_, index) => idOf(FOLLOWED.page(index + 1)));
  const ids = new Set([idOf(FOLLOWED.before), ...pages, idOf(FOLLOWED.after)]);
  const looking: Looking = {
    requirement: own.requirement,
    operations: new Set([operation]),
    probes: ({ id }) => ids.has(id),
  };
  return {
    phase: 'functional',
    ...looking,
    needs: [],
    judge(evidence) {
      const of = (id: string) =>
        evidence.judged
          .filter(({ probe, exchange }) => probe.id === id && exchange.response?.status === 200)
          .at(-1);
      const all = pages.map(of);
      const missing = all.indexOf(undefined);
      const sent = all.slice(0, missing < 0 ? all.length : missing).flatMap((each) => each ?? []);
      const [before, after] = [of(idOf(FOLLOWED.before)), of(idOf(FOLLOWED.after))];
      return judged({ own, sent, before, after }) ?? unexercised(evidence, looking);
    },
  };
}

/** What is known of a list: its pages, each the next one of the one before, and what it had before and after them. */
interface FollowedList {
  own: FollowedPages;
  sent: readonly Judged[];
  before: Judged | undefined;
  after: Judged | undefined;
}

interface FollowedPage {
  judged: Judged;
  entries: readonly Json[];
  named: NextNamed;
}

/** Undefined if the pages say nothing. */
function judged({ own, sent, before, after }: FollowedList): Finding | undefined {
  const [earlier, later] = [before, after].map((each) => each && entriesIn(own, each));
  const pages = sent.map((each): FollowedPage => pageOf(own, each));
  const [first] = pages;
  const last = pages.at(-1);
  // A page that is too long is a finding of its own.
  if (!first || !last || isLonger(own, pages)) return undefined;
  if (pages.length === 1 && nextPage(own.by, last.named) === 'elsewhere')
    return untold('the next page is not at the address of the list, so petspec does not follow it', pages);
  if (earlier && later && !isSameList(earlier, later))
    return untold('the list changed while its pages were followed', pages);
  // The cursor of a page may be its own.
  const isPromised = own.by.place === 'link' || first.named.isPromise === true;
  if (!isPromised && (turnOf(pages) > 0 || (pages[1] && isSameList(first.entries, pages[1].entries))))
    return undefined;
  const filled = pages.filter(({ entries }) => entries.length > 0);
  return (
    endless(own, pages) ??
    twice(own, pages, earlier ?? []) ??
    (earlier && later ? lost(own, pages, { before, earlier }) : undefined) ??
    (filled.length > 1 ? met(idsOf(sent)) : undefined)
  );
}

function pageOf(own: FollowedPages, each: Judged): FollowedPage {
  const { url, response } = each.exchange;
  const named = nextNamed(url, response?.headers ?? [], each.value);
  return { judged: each, entries: entriesIn(own, each) ?? [], named };
}

function isLonger({ size }: FollowedPages, pages: readonly FollowedPage[]): boolean {
  return pages.some(({ judged: { exchange }, entries }) => {
    const stated = size && new URL(exchange.url).searchParams.get(size.name);
    return stated && entries.length > Number(stated);
  });
}

function untold(reason: string, pages: readonly FollowedPage[]): Finding {
  return notTested('inconclusive', reason, undefined, idsOf(pages.map((each) => each.judged)));
}

/** The first page that was there before, by its address; -1 if none was. */
function turnOf(pages: readonly FollowedPage[]): number {
  const urls = pages.map(({ judged: { exchange } }) => exchange.url);
  return urls.findIndex((each, index) => urls.indexOf(each) < index);
}

/** Pages that lead back to an earlier one, or on and on without an entry. */
function endless(own: FollowedPages, pages: readonly FollowedPage[]): Finding | undefined {
  const turn = turnOf(pages);
  if (turn > 0) {
    const urls = pages.map(({ judged: { exchange } }) => exchange.url);
    const back = urls.indexOf(urls[turn] ?? '');
    // A feed may give the place to ask at again, once there is no more.
    if (pages[back]?.entries.length === 0) return undefined;
    return wrong(
      pages.slice(0, turn + 1),
      `the pages by ${own.name} have no end: the one after page ${turn} is page ${back + 1} again`,
      'a last page that names no next one',
      `page ${turn} names page ${back + 1} as the next one`,
    );
  }
  const filled = pages.findLastIndex(({ entries }) => entries.length > 0) + 1;
  const last = pages.at(-1);
  const isOpen = last !== undefined && nextPage(own.by, last.named) !== undefined;
  if (filled === 0 || pages.length - filled < MOST_EMPTY || !isOpen) return undefined;
  return wrong(
    pages,
    `the pages by ${own.name} have no end: ${pages.length - filled} without an entry follow the last one with entries`,
    'a last page that names no next one',
    `page ${pages.length}, without an entry, names a next one`,
  );
}

/** A thing with an id in two pages; a list may have what has none twice, such as events and prices, and what it has twice by itself. */
function twice(
  own: FollowedPages,
  pages: readonly FollowedPage[],
  earlier: readonly Json[],
): Finding | undefined {
  const usual = counted(earlier);
  const seen = new Map<string, number>();
  for (const [index, { entries }] of pages.entries()) {
    for (const text of entries.filter(hasId).map((each) => stringifyJson(each))) {
      const before = seen.get(text) ?? index;
      seen.set(text, before);
      if (before < index && (usual.get(text) ?? 0) < 2)
        return wrong(
          pages.slice(0, index + 1),
          `an entry is in two of the pages by ${own.name}`,
          'each entry once',
          `${quote(text)} in pages ${before + 1} and ${index + 1}`,
        );
    }
  }
  return undefined;
}

/**
 * An entry that the list has before and after, and that no page has: after the last page, or where later ones of the list were in
 * pages already.
 */
function lost(
  own: FollowedPages,
  pages: readonly FollowedPage[],
  { before, earlier }: { before: Judged | undefined; earlier: readonly Json[] },
): Finding | undefined {
  const places = new Map<string, number>();
  for (const each of pages.flatMap(({ entries }) => entries))
    for (const key of keysOf(each)) if (!places.has(key)) places.set(key, places.size);
  const found = earlier.map((each) => {
    const [place] = keysOf(each).flatMap((key) => places.get(key) ?? []);
    return place;
  });
  const known = found.flatMap((each) => each ?? []);
  const isInOrder = known.every((each, index) => index === 0 || (known[index - 1] ?? 0) < each);
  const until = isAtEnd(own, pages)
    ? found.length
    : isInOrder
      ? found.findLastIndex((each) => each !== undefined)
      : 0;
  const place = found.findIndex(
    (each, index) => each === undefined && index < until && isFields(earlier[index]),
  );
  if (place < 0) return undefined;
  return wrong(
    [...(before ? [pageOf(own, before)] : []), ...pages],
    `an entry of the list is in none of the pages by ${own.name}`,
    'each entry once',
    `${quote(stringifyJson(earlier[place] ?? null))} in the list, and in none of ${pages.length} pages`,
  );
}

/** Whether the last page says that it is the last one. One page alone has to say so; after others, it names no next one. */
function isAtEnd({ by }: FollowedPages, pages: readonly FollowedPage[]): boolean {
  const last = pages.at(-1);
  if (!last || nextPage(by, last.named) !== undefined) return false;
  const { response } = last.judged.exchange;
  return (
    pages.length > 1 ||
    (by.place === 'link'
      ? headerValues(response?.headers ?? [], 'Link').length > 0
      : last.named.isLast === true)
  );
}

function wrong(pages: readonly FollowedPage[], reason: string, expected: string, received: string): Finding {
  const exchanges = idsOf(pages.map((each) => each.judged));
  const repetition = { kind: 'in-turn', exchanges } as const;
  return violated(
    { kind: 'sequence', reason, expected, received, repetition, deviating: exchanges.slice(-1) },
    exchanges.toReversed(),
  );
}

function isSameList(one: readonly Json[], other: readonly Json[]): boolean {
  return (
    one.length === other.length &&
    one.every((each, index) => keysOf(each).some((key) => keysOf(other[index] ?? null).includes(key)))
  );
}

function counted(entries: readonly Json[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const each of entries) {
    const text = stringifyJson(each);
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return counts;
}

/** What an entry is known by: its id, if it has one, and all of it. */
function keysOf(entry: Json): string[] {
  const id = isFields(entry) ? (entry.id ?? entry._id ?? entry.uuid) : undefined;
  const isId = typeof id === 'string' || typeof id === 'number' || typeof id === 'bigint';
  return [...(isId ? [`id ${id}`] : []), stringifyJson(entry)];
}
