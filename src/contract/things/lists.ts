import type { Operation, Parameter, Requirement, Schema } from '../../model/contract.ts';
import type { NextPage } from '../../model/probe.ts';
import { successResponse, successSchema } from '../resources.ts';
import { FIRST_SET } from '../sets.ts';
import { isFitting } from '../validation/parameter-bounds.ts';

/** The meaning of a list parameter: how many entries, which entries, their order, or the beginning of a page. */
export interface ListParameter {
  kind: 'page-size' | 'filter' | 'order' | 'pages';
  /** The id of its requirement. */
  requirement: string;
  parameter: Parameter;
  /** The property with the entries; undefined if the response is the list. */
  property: string | undefined;
  /** The schema of an entry. */
  entry: Schema;
  /** The page size parameter, for a page parameter. */
  size?: Parameter | undefined;
}

/** Names of parameters for the page size, and those that have this meaning beside a page parameter. */
const PAGE_SIZE = /^(?:limit|(?:items_?)?per_?page|page_?size|page\[size\]|max_?results|first)$/i;
const PAGE_SIZE_OF_PAGES = /^(?:size|count|take|top)$/i;

/** Names of page parameters: they count pages or entries, or name an entry. */
export const PAGE = /^page(?:_?(?:number|no|index))?$|^page\[number\]$/i;
export const OFFSET = /^(?:offset|skip|start|start_?index|page\[offset\])$/i;
/** Offsets that count entries from 0 or 1: in SCIM, 0 and 1 are the same (RFC 7644, section 3.4.2.4). */
const START = /^start(?:_?index)?$/i;
export const CURSOR =
  /^(?:(?:next_?)?cursor|after|before|page_?token|next_?token|continuation_?token|starting_?after|marker|continue|page\[(?:cursor|after|before)\])$/i;

/** Names of parameters for the field by which a list is ordered. */
export const ORDER = /^(?:sort|sort_?by|order_?by)$/i;

/** Names of parameters for what an entry shows, or for a search. */
const OTHERS = /^(?:q|query|search|fields|include|expand|embed|locale|lang)$/i;

const BEGINNINGS = [PAGE, OFFSET, CURSOR];

/** The page size parameter of an operation. `first` is an offset beside `max`. */
export function pageSizeOf({ parameters }: Pick<Operation, 'parameters'>): Parameter | undefined {
  const isNamed = (...names: RegExp[]) =>
    parameters.some((parameter) => names.some((name) => name.test(parameter.name)));
  const names = [
    isNamed(/^max$/i) ? new RegExp(PAGE_SIZE.source.replace('|first', ''), 'i') : PAGE_SIZE,
    ...(isNamed(...BEGINNINGS) ? [PAGE_SIZE_OF_PAGES] : []),
  ];
  const isInteger = ({ in: place, schema }: Parameter) => place === 'query' && typeOf(schema) === 'integer';
  return names
    .flatMap(
      (name) => parameters.find((parameter) => isInteger(parameter) && name.test(parameter.name)) ?? [],
    )
    .at(0);
}

/** The list parameters of an operation; none if it does not document one list. */
export function listParameters(operation: Operation): ListParameter[] {
  const list = operation.method === 'GET' ? listIn(successSchema(operation)) : undefined;
  if (!list) return [];
  return operation.parameters.flatMap((parameter): ListParameter[] => {
    const kind =
      parameter.in === 'query' && !parameter.isJson ? kindOf(parameter, operation, list.entry) : undefined;
    if (kind === undefined) return [];
    const requirement = `${operation.id}.${parameter.name}.${kind}`;
    const size = kind === 'pages' ? pageSizeOf(operation) : undefined;
    return [{ kind, requirement, parameter, ...list, size }];
  });
}

const STATEMENTS: Readonly<Record<ListParameter['kind'], (name: string) => string>> = {
  'page-size': (name) => `A page has no more entries than \`${name}\` says.`,
  filter: (name) => `\`${name}\` selects the entries that have this ${name}.`,
  pages: (name) => `Pages that follow each other by \`${name}\` have no entry twice.`,
  order: (name) => `The entries are in the order that \`${name}\` names.`,
};

/** Documents only say it in words, so it is good practice unless requirements.yaml says more. */
export function listRequirements(operations: readonly Operation[]): Requirement[] {
  return operations.flatMap((operation) =>
    listParameters(operation).map(({ kind, requirement, parameter }): Requirement => {
      const { id, section } = operation;
      const statement = STATEMENTS[kind](parameter.name);
      return {
        id: requirement,
        level: 'should',
        section,
        operation: id,
        statement,
        source: 'openapi',
        since: FIRST_SET,
      };
    }),
  );
}

/** The only list in a response, with the schema of its entries. */
function listIn(schema: Schema | undefined): { property: string | undefined; entry: Schema } | undefined {
  if (schema?.items) return { property: undefined, entry: schema.items };
  const lists = Object.entries(schema?.properties ?? {}).flatMap(([property, { items }]) =>
    items ? [{ property, entry: items }] : [],
  );
  return lists.length === 1 ? lists[0] : undefined;
}

function kindOf(
  parameter: Parameter,
  operation: Operation,
  { properties = {} }: Schema,
): ListParameter['kind'] | undefined {
  const { name, schema } = parameter;
  const size = pageSizeOf(operation);
  if (parameter === size) return 'page-size';
  if (PAGE.test(name) || OFFSET.test(name)) return typeOf(schema) === 'integer' && size ? 'pages' : undefined;
  if (ORDER.test(name)) return orderedBy(schema, properties).length > 0 ? 'order' : undefined;
  const field = Object.hasOwn(properties, name) ? properties[name] : undefined;
  const isOfPages = [PAGE_SIZE, PAGE_SIZE_OF_PAGES, CURSOR].some((pattern) => pattern.test(name));
  if (!field || isOfPages || OTHERS.test(name) || typeOf(field) !== typeOf(schema)) return undefined;
  // A free text may be a search of any kind.
  const isExact = ['integer', 'boolean'].includes(typeOf(schema)) || schema.enum !== undefined;
  return isExact && typeOf(schema) !== 'array' ? 'filter' : undefined;
}

/** The queries of two consecutive pages with as few entries as possible; empty if the document forbids such values. */
export function followingPages({
  size,
  parameter: { name, schema },
}: ListParameter): [name: string, value: string][][] {
  if (!size) return [];
  const entries = Math.max(1, Number(size.schema.minimum ?? 1));
  const values = START.test(name) ? [1, 1 + entries] : OFFSET.test(name) ? [0, entries] : [1, 2];
  if (!isFitting(size.schema, entries) || !values.every((value) => isFitting(schema, value))) return [];
  return values.map((value) => [
    [name, String(value)],
    [size.name, String(entries)],
  ]);
}

/** The type of a value that is not null. */
function typeOf({ type }: Schema): string {
  return [type ?? []]
    .flat()
    .filter((name) => name !== 'null')
    .join();
}

/** The entry properties that the values of a parameter name. Members of an enumeration may have their own order. */
export function orderedBy({ enum: values = [] }: Schema, properties: Schema['properties'] = {}): string[] {
  return values.flatMap((value) => {
    const { name } = typeof value === 'string' ? orderIn(value) : { name: '' };
    return Object.hasOwn(properties, name) && !properties[name]?.enum ? [name] : [];
  });
}

/** The order that a value names: `price`, `-price`, `price_desc`, `price:asc`. */
export function orderIn(value: string): { name: string; direction?: 'asc' | 'desc' } {
  const [, sign = '', name = '', word] = /^([-+]?)(.*?)(?:[_:. -](asc|desc))?$/i.exec(value) ?? [];
  const direction = word?.toLowerCase() ?? (sign === '-' ? 'desc' : sign === '+' ? 'asc' : undefined);
  return { name, ...(direction === undefined ? {} : { direction: direction === 'asc' ? 'asc' : 'desc' }) };
}

/** A list whose responses name the next page. */
export interface FollowedPages extends Pick<ListParameter, 'property' | 'size'> {
  requirement: string;
  by: NextPage['by'];
  /** The parameter that takes a cursor, `next` for addresses in the body, or `Link`. */
  name: string;
}

/** The depth at which a response may name the next page: `paging.cursors.after`. */
export const MAX_DEPTH = 2;

/** Names of fields for the next page, without marks between their words. */
const PROMISING = /^next(?:cursor|token|page|pagetoken|pagecursor|marker|link|url|href)?$/;
const OTHER_NEXT = /^(?:cursor|endcursor|continue|continuation|continuationtoken|pagetoken|marker|after)$/;

/** Whether a field names the next page: `promise` if it also shows that there is one, else `place`. */
export function nextIn(name: string): 'promise' | 'place' | undefined {
  const bare = name
    .replace(/^@?odata\./i, '')
    .replaceAll(/[_-]/g, '')
    .toLowerCase();
  return PROMISING.test(bare) ? 'promise' : OTHER_NEXT.test(bare) ? 'place' : undefined;
}

/** Parameters that take another cursor than that of the next page. */
const BACKWARDS = /before|^starting_?after$/i;

/**
 * The ways to follow the pages of a list: by a cursor that a parameter takes, by an address in the body, and by the header
 * `Link` (RFC 8288), each if the document has it.
 */
export function followedPages(operation: Operation): FollowedPages[] {
  const response = successResponse(operation);
  const list = operation.method === 'GET' ? listIn(response?.schema) : undefined;
  if (!list || !response) return [];
  const { parameters } = operation;
  const inQuery = parameters.filter(
    (parameter) => parameter.in === 'query' && !parameter.isJson && !parameter.required,
  );
  const cursor = inQuery.find(
    ({ name, schema }) => CURSOR.test(name) && !BACKWARDS.test(name) && schema.type !== 'array',
  );
  const shared = { property: list.property, size: pageSizeOf(operation) };
  const pages: FollowedPages[] = [];
  const add = (by: FollowedPages['by'], name: string) =>
    pages.push({ ...shared, by, name, requirement: `${operation.id}.${name}.pages` });
  const isNamed = hasNext(response.schema, 0);
  const page = inQuery.find(({ name }) => PAGE.test(name));
  if (cursor && isNamed) add({ place: 'body', parameter: cursor.name }, cursor.name);
  else if (isNamed) add({ place: 'body', parameter: page?.name }, 'next');
  if (response.headers.some(({ name }) => name.toLowerCase() === 'link')) add({ place: 'link' }, 'Link');
  return pages;
}

function hasNext({ properties = {} }: Schema = {}, depth: number): boolean {
  return Object.entries(properties).some(
    ([name, field]) =>
      (nextIn(name) !== undefined && field.type !== 'array' && field.type !== 'boolean') ||
      (depth < MAX_DEPTH && hasNext(field, depth + 1)),
  );
}

/** Documents only say it in words, so it is good practice unless requirements.yaml says more. */
export function followedRequirements(operations: readonly Operation[]): Requirement[] {
  return operations.flatMap((operation) =>
    followedPages(operation).map(({ requirement, name }) => ({
      id: requirement,
      level: 'should',
      section: operation.section,
      operation: operation.id,
      statement: `Whoever follows the pages by \`${name}\` gets each entry once, and comes to an end.`,
      source: 'openapi',
      since: FIRST_SET,
    })),
  );
}
