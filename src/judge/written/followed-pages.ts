import { type FollowedPages, followedPages } from '../../contract/things/lists.ts';
import type { Contract } from '../../model/contract.ts';
import { headerValues } from '../../model/exchange.ts';
import { type Finding, met, notTested, violated } from '../../model/finding.ts';
import { type Json, stringifyJson } from '../../model/json.ts';
import type { Looking } from '../../model/large/lookups.ts';
import { quote } from '../../model/visible.ts';
import { type NextNamed, nextNamed, nextPage } from '../../requests/learnt/next-page.ts';
import { FOLLOWED, MOST_PAGES } from '../../requests/write-names.ts';
import { type Check, idsOf, unexercised } from '../evidence/check.ts';
import type { Judged } from '../evidence/judged.ts';
import { hasId, isFields } from './fields.ts';
import { entriesIn } from './list-checks.ts';

/** After so many empty pages in a row, a list has no end. A service may send a few between filled pages. */
const MOST_EMPTY = 5;

/** Whether a client that follows the pages of a list gets each entry once, and reaches an end. */
export function followedChecks(contract: Contract): Check[] {
  return contract.operations.flatMap((operation) =>
    followedPages(operation).map((list) => checkOf(list, operation.id)),
  );
}

function checkOf(list: FollowedPages, operation: string): Check {
  const idOf = (part: string) => `${operation}:${list.name}=${part}`;
  const pages = Array.from({ length: MOST_PAGES }, (_, index) => idOf(FOLLOWED.page(index + 1)));
  const ids = new Set([idOf(FOLLOWED.before), ...pages, idOf(FOLLOWED.after)]);
  const looking: Looking = {
    requirement: list.requirement,
    operations: new Set([operation]),
    probes: ({ id }) => ids.has(id),
  };
  return {
    phase: 'functional',
    ...looking,
    needs: [],
    judge(evidence) {
      const lastSuccess = (id: string) =>
        evidence.judged
          .filter(({ probe, exchange }) => probe.id === id && exchange.response?.status === 200)
          .at(-1);
      const results = pages.map(lastSuccess);
      const missing = results.indexOf(undefined);
      const sent = results.slice(0, missing < 0 ? results.length : missing).flatMap((page) => page ?? []);
      const [before, after] = [lastSuccess(idOf(FOLLOWED.before)), lastSuccess(idOf(FOLLOWED.after))];
      return findingOf({ own: list, sent, before, after }) ?? unexercised(evidence, looking);
    },
  };
}

/** A list: its pages in the order of their links, and the whole list before and after them. */
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

/** Undefined if the pages show nothing. */
function findingOf({ own: list, sent, before, after }: FollowedList): Finding | undefined {
  const [earlier, later] = [before, after].map((result) => result && entriesIn(list, result));
  const pages = sent.map((result) => pageOf(list, result));
  const [first] = pages;
  const last = pages.at(-1);
  // A page that is too long is another finding.
  if (!first || !last || areTooLong(list, pages)) return undefined;
  if (pages.length === 1 && nextPage(list.by, last.named) === 'elsewhere')
    return untested('the next page is not at the address of the list, so petspec does not follow it', pages);
  if (earlier && later && !isSameList(earlier, later))
    return untested('the list changed while its pages were followed', pages);
  // A cursor in a page may point to the page itself.
  const isPromised = list.by.place === 'link' || first.named.isPromise === true;
  if (!isPromised && (indexOfReturn(pages) > 0 || (pages[1] && isSameList(first.entries, pages[1].entries))))
    return undefined;
  const filled = pages.filter(({ entries }) => entries.length > 0);
  return (
    // A cursor that every page has promises nothing: a client stops at an empty page.
    (isPromised ? endlessPages(list, pages) : undefined) ??
    repeatedEntry(list, pages, earlier ?? []) ??
    (earlier && later ? lostEntry(list, pages, { before, earlier }) : undefined) ??
    (filled.length > 1 ? met(idsOf(sent)) : undefined)
  );
}

function pageOf(list: FollowedPages, result: Judged): FollowedPage {
  const { url, response } = result.exchange;
  const named = nextNamed(url, response?.headers ?? [], result.value);
  return { judged: result, entries: entriesIn(list, result) ?? [], named };
}

function areTooLong({ size }: FollowedPages, pages: readonly FollowedPage[]): boolean {
  return pages.some(({ judged: { exchange }, entries }) => {
    const stated = size && new URL(exchange.url).searchParams.get(size.name);
    return stated && entries.length > Number(stated);
  });
}

function untested(reason: string, pages: readonly FollowedPage[]): Finding {
  return notTested('inconclusive', reason, undefined, idsOf(pages.map((page) => page.judged)));
}

/** The index of the first page whose address came before; -1 if there is none. */
function indexOfReturn(pages: readonly FollowedPage[]): number {
  const urls = pages.map(({ judged: { exchange } }) => exchange.url);
  return urls.findIndex((url, index) => urls.indexOf(url) < index);
}

/** The violation of pages that lead back to an earlier page, or to empty pages without end. */
function endlessPages(list: FollowedPages, pages: readonly FollowedPage[]): Finding | undefined {
  const turn = indexOfReturn(pages);
  if (turn > 0) {
    const urls = pages.map(({ judged: { exchange } }) => exchange.url);
    const back = urls.indexOf(urls[turn] ?? '');
    // The last page of a feed may link to the place to poll.
    if (pages[back]?.entries.length === 0) return undefined;
    return wrongPages(
      pages.slice(0, turn + 1),
      `the pages by ${list.name} have no end: the one after page ${turn} is page ${back + 1} again`,
      'a last page that names no next one',
      `page ${turn} names page ${back + 1} as the next one`,
    );
  }
  const filled = pages.findLastIndex(({ entries }) => entries.length > 0) + 1;
  const last = pages.at(-1);
  const isOpen = last !== undefined && nextPage(list.by, last.named) !== undefined;
  if (filled === 0 || pages.length - filled < MOST_EMPTY || !isOpen) return undefined;
  return wrongPages(
    pages,
    `the pages by ${list.name} have no end: ${pages.length - filled} without an entry follow the last one with entries`,
    'a last page that names no next one',
    `page ${pages.length}, without an entry, names a next one`,
  );
}

/** An entry with an id in two pages. Entries without an id, such as events, may be alike, and the list itself may repeat an entry. */
function repeatedEntry(
  list: FollowedPages,
  pages: readonly FollowedPage[],
  earlier: readonly Json[],
): Finding | undefined {
  const usual = counted(earlier);
  const firstPages = new Map<string, number>();
  for (const [index, { entries }] of pages.entries()) {
    for (const text of entries.filter(hasId).map((entry) => stringifyJson(entry))) {
      const before = firstPages.get(text) ?? index;
      firstPages.set(text, before);
      if (before < index && (usual.get(text) ?? 0) < 2)
        return wrongPages(
          pages.slice(0, index + 1),
          `an entry is in two of the pages by ${list.name}`,
          'each entry once',
          `${quote(text)} in pages ${before + 1} and ${index + 1}`,
        );
    }
  }
  return undefined;
}

/**
 * An entry that the list has before and after, but no page has, although the pages have ended or have later entries of the list.
 */
function lostEntry(
  list: FollowedPages,
  pages: readonly FollowedPage[],
  { before, earlier }: { before: Judged | undefined; earlier: readonly Json[] },
): Finding | undefined {
  const places = new Map<string, number>();
  for (const entry of pages.flatMap(({ entries }) => entries))
    for (const key of keysOf(entry)) if (!places.has(key)) places.set(key, places.size);
  const foundPlaces = earlier.map((entry) => {
    const [place] = keysOf(entry).flatMap((key) => places.get(key) ?? []);
    return place;
  });
  const knownPlaces = foundPlaces.flatMap((place) => place ?? []);
  const isInOrder = knownPlaces.every((place, index) => index === 0 || (knownPlaces[index - 1] ?? 0) < place);
  const end = isAtEnd(list, pages)
    ? foundPlaces.length
    : isInOrder
      ? foundPlaces.findLastIndex((place) => place !== undefined)
      : 0;
  const place = foundPlaces.findIndex(
    (place, index) => place === undefined && index < end && isFields(earlier[index]),
  );
  if (place < 0) return undefined;
  return wrongPages(
    [...(before ? [pageOf(list, before)] : []), ...pages],
    `an entry of the list is in none of the pages by ${list.name}`,
    'each entry once',
    `${quote(stringifyJson(earlier[place] ?? null))} in the list, and in none of ${pages.length} pages`,
  );
}

/** Whether the last page says that it is the last. A single page has to say so; after other pages, it only names no next page. */
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

function wrongPages(
  pages: readonly FollowedPage[],
  reason: string,
  expected: string,
  received: string,
): Finding {
  const exchanges = idsOf(pages.map((page) => page.judged));
  const repetition = { kind: 'in-turn', exchanges } as const;
  return violated(
    { kind: 'sequence', reason, expected, received, repetition, deviating: exchanges.slice(-1) },
    exchanges.toReversed(),
  );
}

function isSameList(left: readonly Json[], right: readonly Json[]): boolean {
  return (
    left.length === right.length &&
    left.every((entry, index) => keysOf(entry).some((key) => keysOf(right[index] ?? null).includes(key)))
  );
}

function counted(entries: readonly Json[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const entry of entries) {
    const text = stringifyJson(entry);
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return counts;
}

/** The keys of an entry: its id, if it has one, and the whole entry. */
function keysOf(entry: Json): string[] {
  const id = isFields(entry) ? (entry.id ?? entry._id ?? entry.uuid) : undefined;
  const isId = typeof id === 'string' || typeof id === 'number' || typeof id === 'bigint';
  return [...(isId ? [`id ${id}`] : []), stringifyJson(entry)];
}
