import { pairs } from 'd3-array';
import { type ListParameter, listParameters, orderedBy, orderIn } from '../../contract/things/lists.ts';
import { isFitting } from '../../contract/validation/parameter-bounds.ts';
import type { Contract } from '../../model/contract.ts';
import { met, violated } from '../../model/finding.ts';
import { type Json, pointerOf, sameJson, stringifyJson } from '../../model/json.ts';
import type { Looking } from '../../model/large/lookups.ts';
import { quote } from '../../model/visible.ts';
import { PAGES } from '../../requests/write-names.ts';
import { type Check, type Examined, eachExchange, idsOf, unexercised } from '../evidence/check.ts';
import type { Judged } from '../evidence/judged.ts';
import { hasId, isFields, isSame } from './fields.ts';

/** Whether lists follow their parameters: page size, filter, order and pages. */
export function listChecks(contract: Contract): Check[] {
  return contract.operations.flatMap((operation) =>
    listParameters(operation).map((list) => {
      const { kind } = list;
      return kind === 'pages' ? pagesCheck(list, operation.id) : checkOf(list, kind, operation.id);
    }),
  );
}

function checkOf(list: ListParameter, kind: keyof typeof EXAMINE, operation: string): Check {
  return eachExchange(
    {
      requirement: list.requirement,
      operations: new Set([operation]),
      probes: (probe) =>
        probe.operation === operation && probe.validity !== 'invalid' && probe.key === 'valid',
    },
    (judged) => {
      const entries = entriesIn(list, judged);
      return entries && EXAMINE[kind](list, entries, new URL(judged.exchange.url).searchParams);
    },
  );
}

const EXAMINE: Readonly<
  Record<
    Exclude<ListParameter['kind'], 'pages'>,
    (list: ListParameter, entries: readonly Json[], query: URLSearchParams) => Examined
  >
> = { 'page-size': examineSize, filter: examineFilter, order: examineOrder };

function examineSize(
  { parameter, property }: ListParameter,
  entries: readonly Json[],
  query: URLSearchParams,
): Examined {
  const [stated, ...others] = query.getAll(parameter.name);
  const size = Number(stated ?? parameter.schema.default);
  // Some services take 0 for no bound.
  if (others.length > 0 || !Number.isInteger(size) || size < 1 || !isFitting(parameter.schema, size))
    return undefined;
  if (entries.length <= size) return entries.length > 0 ? 'held' : undefined;
  return {
    reason: `the page has more entries than ${parameter.name}=${size}${stated === undefined ? ', its default,' : ''} says`,
    expected: `at most ${size} entries`,
    received: `${entries.length} entries`,
    pointer: pointerOf(property === undefined ? [] : [property]),
  };
}

/** Filter values that select every entry. */
const ALL = /^(?:all|any|both|every|\*)$/i;

function examineFilter(
  { parameter, property, entry }: ListParameter,
  entries: readonly Json[],
  query: URLSearchParams,
): Examined {
  const { name } = parameter;
  const [value, ...others] = query.getAll(name);
  if (value === undefined || others.length > 0 || !isValueOf(parameter, value)) return undefined;
  // A value that no entry may have is another kind of filter.
  const members = entry.properties?.[name]?.enum;
  if (ALL.test(value) || (members && !members.some((member) => String(member) === value))) return undefined;
  // A switch that is usually off: `inStock=false` is the same as no `inStock`, and selects every entry.
  if (value === 'false' && parameter.schema.default === false) return undefined;
  const values = entries.map((entry) => (isFields(entry) ? entry[name] : undefined));
  const wrong = values.findIndex((entryValue) => isScalar(entryValue) && !isSame(entryValue, value));
  if (wrong < 0) return values.some(isScalar) ? 'held' : undefined;
  return {
    reason: `${name}=${quote(value)} returned an entry with another ${name}`,
    expected: `only entries with ${name}: ${quote(value)}`,
    received: `${name}: ${quote(String(values[wrong]))}`,
    pointer: pointerOf([...(property === undefined ? [] : [property]), String(wrong), name]),
  };
}

/** Whether a text is a value of a parameter. A service may ignore any other text. */
function isValueOf({ schema }: ListParameter['parameter'], text: string): boolean {
  if (schema.enum) return schema.enum.some((member) => String(member) === text);
  if (schema.type === 'boolean') return text === 'true' || text === 'false';
  return /^-?\d{1,15}$/.test(text) && isFitting(schema, Number(text));
}

/** The names of parameters that state a direction beside the field. */
const DIRECTION = /^(?:order|direction|dir|sort_?order|sort_?dir(?:ection)?)$/i;

function examineOrder(
  { parameter, entry }: ListParameter,
  entries: readonly Json[],
  query: URLSearchParams,
): Examined {
  const [stated, ...others] = query.getAll(parameter.name);
  if (stated === undefined || others.length > 0 || !isValueOf(parameter, stated)) return undefined;
  const { name, direction = directionIn(query) } = orderIn(stated);
  if (!orderedBy(parameter.schema, entry.properties).includes(name)) return undefined;
  const values = entries.flatMap((entry) => {
    const value = isFields(entry) ? entry[name] : undefined;
    return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint' ? [value] : [];
  });
  if (new Set(values).size < 2) return undefined;
  const isAscending = ORDERS.some((compare) => inOrder(values, compare));
  const isDescending = ORDERS.some((compare) => inOrder(values.toReversed(), compare));
  // Without a direction, both orders conform.
  if (direction === 'asc' ? isAscending : direction === 'desc' ? isDescending : isAscending || isDescending)
    return 'held';
  return {
    reason: `the entries are not in the order of ${name}`,
    expected:
      direction === undefined
        ? `an order by ${name}`
        : `${direction === 'asc' ? 'ascending' : 'descending'} ${name}`,
    received: quote(values.slice(0, 5).join(', ')),
  };
}

function directionIn(query: URLSearchParams): 'asc' | 'desc' | undefined {
  const words = [...query].flatMap(([name, value]) => (DIRECTION.test(name) ? [value.toLowerCase()] : []));
  return words.includes('desc') ? 'desc' : words.includes('asc') ? 'asc' : undefined;
}

type OrderedValue = string | number | bigint;
type Compare = (a: OrderedValue, b: OrderedValue) => number;

const byCode: Compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
const collator = new Intl.Collator('en', { sensitivity: 'base', ignorePunctuation: true });
const natural = new Intl.Collator('en', { sensitivity: 'base', numeric: true });

const inOneCase = (value: OrderedValue) => (typeof value === 'string' ? value.toLowerCase() : value);

const isDecimal = (value: OrderedValue) => typeof value !== 'string' || /^-?\d+(?:\.\d+)?$/.test(value);

const isTime = (value: OrderedValue): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value);

/**
 * Texts are in order by their characters, also without their case, by their letters, by the numbers in them, or as numbers; numbers
 * by their value.
 */
const ORDERS: readonly Compare[] = [
  byCode,
  (a, b) => byCode(inOneCase(a), inOneCase(b)),
  (a, b) => (typeof a === 'string' && typeof b === 'string' ? collator.compare(a, b) : byCode(a, b)),
  (a, b) => (typeof a === 'string' && typeof b === 'string' ? natural.compare(a, b) : byCode(a, b)),
  (a, b) => (isDecimal(a) && isDecimal(b) ? Number(a) - Number(b) : byCode(a, b)),
  (a, b) => (isTime(a) && isTime(b) ? Date.parse(a) - Date.parse(b) : byCode(a, b)),
];

function inOrder(values: readonly OrderedValue[], compare: Compare): boolean {
  return pairs(values).every(([before, after]) => compare(before, after) <= 0);
}

function isScalar(value: Json | undefined): value is string | number | bigint | boolean {
  return ['string', 'number', 'bigint', 'boolean'].includes(typeof value);
}

/** Whether two successive pages share an entry with an id. Entries without an id, such as texts and events, may repeat. */
function pagesCheck(list: ListParameter, operation: string): Check {
  const { name } = list.parameter;
  const ids = PAGES.map((page) => `${operation}:${name}=${page}`);
  const looking: Looking = {
    requirement: list.requirement,
    operations: new Set([operation]),
    probes: ({ id }) => ids.includes(id),
  };
  return {
    phase: 'functional',
    ...looking,
    needs: [],
    judge(evidence) {
      const pages = ids.flatMap((id) => evidence.judged.find((result) => result.probe.id === id) ?? []);
      const [first = [], next = []] = pages.map((page) => entriesOf(list, page));
      if (first.length === 0 || next.length === 0) return unexercised(evidence, looking);
      const twice = first.find((entry) => next.some((nextEntry) => sameJson(entry, nextEntry)));
      const exchanges = idsOf(pages);
      if (twice === undefined) return met(exchanges);
      const deviation = {
        kind: 'sequence',
        reason: `an entry is in two pages that follow each other by ${name}`,
        expected: 'each entry once',
        received: `${quote(stringifyJson(twice))} in both`,
        repetition: { kind: 'in-turn', exchanges },
        deviating: exchanges.slice(-1),
      } as const;
      return violated(deviation, exchanges.toReversed());
    },
  };
}

/** The entries of a page that have an id; none of a page that is too long, which is a finding already. */
function entriesOf(list: ListParameter, judged: Judged): readonly Json[] {
  const entries = entriesIn(list, judged) ?? [];
  const size = new URL(judged.exchange.url).searchParams.get(list.size?.name ?? '');
  return size !== null && entries.length > Number(size) ? [] : entries.filter(hasId);
}

/** The entries of a list in a 200; undefined if there is no list. */
export function entriesIn(
  { property }: Pick<ListParameter, 'property'>,
  { exchange, value }: Judged,
): readonly Json[] | undefined {
  const list = property === undefined ? value : isFields(value) ? value[property] : undefined;
  return exchange.response?.status === 200 && Array.isArray(list) ? list : undefined;
}
