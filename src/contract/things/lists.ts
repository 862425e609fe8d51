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
  /** What an entry is. */
  entry: Schema;
  /** The parameter that bounds a page, beside one that says where a page begins. */
  size?: Parameter | undefined;
}

/** Names of parameters that bound a page, and those that do so beside one that says where a page begins. */
const PAGE_SIZE = /^(?:limit|(?:items_?)?per_?page|page_?size|page\[size\]|max_?results|first)$/i;
const PAGE_SIZE_OF_PAGES = /^(?:size|count|take|top)$/i;

/** Names of parameters that say where a page begins: they count pages from 0 or 1, or entries from 0, or name an entry. */
export const PAGE = /^page(?:_?(?:number|no|index))?$|^page\[number\]$/i;
export const OFFSET = /^(?:offset|skip|start|start_?index|page\[offset\])$/i;
export const CURSOR =
  /^(?:(?:next_?)?cursor|after|before|page_?token|next_?token|continuation_?token|starting_?after|marker|continue|page\[(?:cursor|after|before)\])$/i;

/** Names of parameters whose value names the field by which a list is ordered. */
export const ORDER = /^(?:sort|sort_?by|order_?by)$/i;

/** Parameters of these names say what an entry shows, or search in it. */
const OTHERS = /^(?:q|query|search|fields|include|expand|embed|locale|lang)$/i;

const BEGINNINGS = [PAGE, OFFSET, CURSOR];

/** The parameter of an operation that bounds a page, if it has one. `first` is an offset beside `max`. */
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

/** What the parameters of an operation say about the list that it returns; none if it does not document one list. */
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
export function listIn(
  schema: Schema | undefined,
): { property: string | undefined; entry: Schema } | undefined {
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
  // A free text may be searched for, in whatever way.
  const isExact = ['integer', 'boolean'].includes(typeOf(schema)) || schema.enum !== undefined;
  return isExact && typeOf(schema) !== 'array' ? 'filter' : undefined;
}

/** The queries of two pages that follow each other, with as few entries as the document allows; none if it allows no such values. */
export function followingPages({
  size,
  parameter: { name, schema },
}: ListParameter): [name: string, value: string][][] {
  if (!size) return [];
  const entries = Math.max(1, Number(size.schema.minimum ?? 1));
  const values = OFFSET.test(name) ? [0, entries] : [1, 2];
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

/** The properties of the entries that the values of a parameter name. Members of an enumeration may have an order of their own. */
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
