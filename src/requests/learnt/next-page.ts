import LinkHeader from 'http-link-header';
import { isObject } from '../../contract/schema.ts';
import { MAX_DEPTH, nextIn } from '../../contract/things/lists.ts';
import { type HeaderLine, headerValues } from '../../model/exchange.ts';
import type { Json } from '../../model/json.ts';
import type { NextPage, Probe } from '../../model/probe.ts';

/** What a response says about the next page. */
export interface NextNamed {
  /** The address of the response. */
  url: string;
  /** A cursor or an address in a field. */
  field?: string;
  /** Whether the name of the field promises a next page; a `cursor` may also be the place of this page. */
  isPromise?: boolean;
  /** The target of the header `Link` with `rel="next"`. */
  link?: string;
  /** The response says that it is the last page. */
  isLast?: boolean;
}

/** Where the next page is: parameters to add, or a whole query; `elsewhere`: not at the address of the list. */
export type NextPagePlace = { pairs: Probe['query']; isWhole: boolean } | 'elsewhere' | undefined;

/** An address longer than this, or with more parameters, is not followed. */
const MAX_LENGTH = 4000;
const MAX_PARAMETERS = 50;

/** Fields that are looked at on each level of nesting. */
const MAX_FIELDS = 200;

/** Fields that are false on the last page. */
const MORE = /^(?:more|hasmore|hasmoreitems|hasnext|hasnextpage|istruncated)$/;
/** Fields that are true on the last page. */
const LAST = /^(?:done|isdone|last|islast|lastpage|islastpage)$/;

/** Reads what a response says about the next page. */
export function nextNamed(url: string, headers: readonly HeaderLine[], body: Json | undefined): NextNamed {
  const fields = fieldsIn(body);
  const named = fields.flatMap(({ name, value }) => {
    const kind = nextIn(name);
    return kind === undefined ? [] : [{ kind, value: textOf(value) }];
  });
  const [place] = [
    ...named.filter(({ kind }) => kind === 'promise'),
    ...named.filter(({ kind }) => kind === 'place'),
  ].filter(({ value }) => value !== undefined);
  const isOver = fields.some(({ name, value }) => {
    const bare = name.replaceAll(/[_-]/g, '').toLowerCase();
    return (value === false && MORE.test(bare)) || (value === true && LAST.test(bare));
  });
  const link = linkIn(headers);
  return {
    url,
    ...(place?.value === undefined || isOver
      ? {}
      : { field: place.value, isPromise: place.kind === 'promise' }),
    ...(link === undefined ? {} : { link }),
    ...(isOver || (named.length > 0 && !place) ? { isLast: true } : {}),
  };
}

/** Where the next page is; undefined if the response names none. */
export function nextPage(by: NextPage['by'], { url, field, link }: NextNamed): NextPagePlace {
  const named = by.place === 'link' ? link : field;
  if (named === undefined) return undefined;
  if (by.place === 'link' || isAddress(named)) return atAddress(named, url);
  if (by.parameter === undefined || named.length > MAX_LENGTH) return 'elsewhere';
  return { pairs: [[by.parameter, named]], isWhole: false };
}

/** An address is followed only to the same operation: the origin and the path have to be those of the list. */
function atAddress(address: string, url: string): NextPagePlace {
  if (address.length > MAX_LENGTH || !URL.canParse(address, url)) return 'elsewhere';
  const [next, list] = [new URL(address, url), new URL(url)];
  const pathOf = ({ origin, pathname }: URL) => origin + pathname.replace(/\/$/, '');
  const pairs = [...next.searchParams];
  if (pathOf(next) !== pathOf(list) || next.username !== '' || pairs.length > MAX_PARAMETERS)
    return 'elsewhere';
  return { pairs, isWhole: true };
}

/** Whether a text is an address with a query: a cursor in base64 may have slashes, but no question mark. */
function isAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) || /^[^\s?]*\?[^\s=]+=/.test(text);
}

/** The target of the first `Link` with `rel="next"` (RFC 8288); undefined also if the header cannot be read. */
function linkIn(headers: readonly HeaderLine[]): string | undefined {
  try {
    return LinkHeader.parse(headerValues(headers, 'Link').join(', ')).rel('next')[0]?.uri;
  } catch {
    return undefined;
  }
}

interface NamedValue {
  name: string;
  value: unknown;
}

/** The fields of the objects in a response, outermost first. */
function fieldsIn(body: Json | undefined): NamedValue[] {
  const levels: NamedValue[][] = [];
  let values: unknown[] = [body];
  for (let depth = 0; depth <= MAX_DEPTH; depth += 1) {
    const fields = values.flatMap((container) =>
      isObject(container) ? Object.entries(container).map(([name, value]) => ({ name, value })) : [],
    );
    levels.push(fields.slice(0, MAX_FIELDS));
    values = fields.slice(0, MAX_FIELDS).map(({ value }) => value);
  }
  return levels.flat();
}

/** The cursor or address of the next page, which HAL has in an object. An empty text and 0 mean that there is none: undefined. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return textOf(String(value));
  if (typeof value === 'string') return value === '' || value === '0' ? undefined : value;
  const href = isObject(value) ? value.href : undefined;
  return typeof href === 'string' && href !== '' ? href : undefined;
}
