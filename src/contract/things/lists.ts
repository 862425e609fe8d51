import type { Operation, Parameter, Requirement, Schema } from '../../model/contract.ts';
import { successSchema } from '../resources.ts';
import { FIRST_SET } from '../sets.ts';
import { isFitting } from '../validation/parameter-bounds.ts';

/** What a parameter of a list says about its entries: how many there are, which, in which order, or where a page begins. */
export interface ListParameter {
  kind: 'page-size' | 'filter' | 'order' | 'pages';
  /** The id of its requirement. */
  requirement: string;
  parameter: Parameter;
  /** The property of the response with the entries; undefined if the response is the list. */
  property: string | undefined;
}

/** Names of parameters that bound a page. `first` is an offset beside `max`. */
const PAGE_SIZE = /^(?:limit|per_?page|page_?size|page\[size\]|max_?results|first)$/i;
/** Names of parameters that count pages from 0 or 1, or entries from 0. */
const PAGE = /^page(?:_?number)?$|^page\[number\]$/i;
const OFFSET = /^(?:offset|skip|page\[offset\])$/i;
/** Names of parameters whose value names the field by which a list is ordered. */
export const ORDER = /^(?:sort|sort_?by|order_?by)$/i;

/** Parameters of these names say where a page begins, or what an entry shows. */
const OTHERS =
  /^(?:page|offset|skip|cursor|after|before|start|q|query|search|fields|include|expand|embed|locale|lang)$/i;

/** What the parameters of an operation say about the list that it returns; none if it does not document one list. */
export function listParameters(operation: Operation): ListParameter[] {
  const list = operation.method === 'GET' ? listIn(successSchema(operation)) : undefined;
  if (!list) return [];
  return operation.parameters.flatMap((parameter): ListParameter[] => {
    const kind =
      parameter.in === 'query' && !parameter.isJson ? kindOf(parameter, operation, list.entry) : undefined;
    if (kind === undefined) return [];
    const requirement = `${operation.id}.${parameter.name}.${kind}`;
    return [{ kind, requirement, parameter, property: list.property }];
  });
}

const STATEMENTS: Readonly<Record<ListParameter['kind'], (name: string) => string>> = {
  'page-size': (name) => `A page has no more entries than \`${name}\` says.`,
  filter: (name) => `\`${name}\` selects the entries that have this ${name}.`,
  pages: (name) => `Pages that follow each other by \`${name}\` have no entry twice.`,
  order: (name) => `The entries are in the order that \`${name}\` names.`,
};

/** Documents say it in words, so it is good practice, unless requirements.yaml says more. */
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

/** The only list in a response, and what its entries are. */
function listIn(schema: Schema | undefined): { property: string | undefined; entry: Schema } | undefined {
  if (schema?.items) return { property: undefined, entry: schema.items };
  const lists = Object.entries(schema?.properties ?? {}).flatMap(([property, { items }]) =>
    items ? [{ property, entry: items }] : [],
  );
  return lists.length === 1 ? lists[0] : undefined;
}

function kindOf(
  { name, schema }: Parameter,
  { parameters }: Operation,
  { properties = {} }: Schema,
): ListParameter['kind'] | undefined {
  if (PAGE_SIZE.test(name)) {
    const isOffset = /^first$/i.test(name) && parameters.some((each) => /^max$/i.test(each.name));
    return typeOf(schema) === 'integer' && !isOffset ? 'page-size' : undefined;
  }
  if (PAGE.test(name) || OFFSET.test(name))
    return typeOf(schema) === 'integer' && parameters.some(isPageSize) ? 'pages' : undefined;
  if (ORDER.test(name)) return orderedBy(schema, properties).length > 0 ? 'order' : undefined;
  const own = Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (!own || OTHERS.test(name) || typeOf(own) !== typeOf(schema)) return undefined;
  // A free text may be searched for, in whatever way.
  const isExact = ['integer', 'boolean'].includes(typeOf(schema)) || schema.enum !== undefined;
  return isExact && typeOf(schema) !== 'array' ? 'filter' : undefined;
}

function isPageSize({ in: place, name, schema }: Parameter): boolean {
  return place === 'query' && PAGE_SIZE.test(name) && typeOf(schema) === 'integer';
}

/** The queries of two pages that follow each other, with as few entries as the document allows; none if it allows no such values. */
export function followingPages(
  { kind, parameter: { name, schema } }: ListParameter,
  { parameters }: Operation,
): [name: string, value: string][][] {
  const size = kind === 'pages' ? parameters.find(isPageSize) : undefined;
  if (!size) return [];
  const entries = Math.max(1, Number(size.schema.minimum ?? 1));
  const values = OFFSET.test(name) ? [0, entries] : [1, 2];
  if (!isFitting(size.schema, entries) || !values.every((each) => isFitting(schema, each))) return [];
  return values.map((each) => [
    [name, String(each)],
    [size.name, String(entries)],
  ]);
}

/** How many entries a query asks for at most; infinite if it does not say. */
export function pageSizeIn(query: URLSearchParams): number {
  const [, size] = [...query].find(([name]) => PAGE_SIZE.test(name)) ?? [];
  return size === undefined ? Number.POSITIVE_INFINITY : Number(size);
}

/** The type of a value that is not null. */
function typeOf({ type }: Schema): string {
  return [type ?? []]
    .flat()
    .filter((each) => each !== 'null')
    .join();
}

/** The values of a parameter that name a property of the entries. */
function orderedBy({ enum: values = [] }: Schema, properties: Readonly<Record<string, Schema>>): string[] {
  return values.flatMap((each) => {
    const order = typeof each === 'string' ? orderIn(each) : undefined;
    return order && Object.hasOwn(properties, order.name) ? [order.name] : [];
  });
}

/** The order that a value names: `price`, `-price`, `price_desc`, `price:asc`. */
export function orderIn(value: string): { name: string; direction?: 'asc' | 'desc' } {
  const [, sign = '', name = '', word] = /^([-+]?)(.*?)(?:[_:. -](asc|desc))?$/i.exec(value) ?? [];
  const direction = word?.toLowerCase() ?? (sign === '-' ? 'desc' : sign === '+' ? 'asc' : undefined);
  return { name, ...(direction === undefined ? {} : { direction: direction === 'asc' ? 'asc' : 'desc' }) };
}
