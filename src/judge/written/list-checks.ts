import { type ListParameter, listParameters, orderedBy, orderIn } from '../../contract/things/lists.ts';
import { isFitting } from '../../contract/validation/parameter-bounds.ts';
import type { Contract } from '../../model/contract.ts';
import { type Json, pointerOf } from '../../model/json.ts';
import { type Check, type Examined, eachExchange } from '../evidence/check.ts';
import { quote } from '../evidence/quote.ts';
import { isFields, isSame } from './fields.ts';
import { entriesIn, pagesCheck } from './pages.ts';

/** Whether lists keep what their parameters say: how many entries there are, which, in which order, and on which page. */
export function listChecks(contract: Contract): Check[] {
  return contract.operations.flatMap((operation) =>
    listParameters(operation).map((own) => {
      const { kind } = own;
      return kind === 'pages' ? pagesCheck(own, operation.id) : checkOf(own, kind, operation.id);
    }),
  );
}

function checkOf(own: ListParameter, kind: keyof typeof EXAMINE, operation: string): Check {
  return eachExchange(
    {
      requirement: own.requirement,
      operations: new Set([operation]),
      probes: (probe) =>
        probe.operation === operation && probe.validity !== 'invalid' && probe.key === 'valid',
    },
    (judged) => {
      const entries = entriesIn(own, judged);
      return entries && EXAMINE[kind](own, entries, new URL(judged.exchange.url).searchParams);
    },
  );
}

const EXAMINE: Readonly<
  Record<
    Exclude<ListParameter['kind'], 'pages'>,
    (own: ListParameter, entries: readonly Json[], query: URLSearchParams) => Examined
  >
> = { 'page-size': isBounded, filter: isSelected, order: isOrdered };

function isBounded(
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

/** Words for every entry. */
const ALL = /^(?:all|any|both|every|\*)$/i;

function isSelected(
  { parameter, property, entry }: ListParameter,
  entries: readonly Json[],
  query: URLSearchParams,
): Examined {
  const { name } = parameter;
  const [wanted, ...others] = query.getAll(name);
  if (wanted === undefined || others.length > 0 || !isValueOf(parameter, wanted)) return undefined;
  // A member that no entry may have selects them in another way.
  const members = entry.properties?.[name]?.enum;
  if (ALL.test(wanted) || (members && !members.some((each) => String(each) === wanted))) return undefined;
  const values = entries.map((each) => (isFields(each) ? each[name] : undefined));
  const wrong = values.findIndex((each) => isScalar(each) && !isSame(each, wanted));
  if (wrong < 0) return values.some(isScalar) ? 'held' : undefined;
  return {
    reason: `${name}=${quote(wanted)} returned an entry with another ${name}`,
    expected: `only entries with ${name}: ${quote(wanted)}`,
    received: `${name}: ${quote(String(values[wrong]))}`,
    pointer: pointerOf([...(property === undefined ? [] : [property]), String(wrong), name]),
  };
}

/** Whether a text is a value of a parameter. A service may take any other one for none. */
function isValueOf({ schema }: ListParameter['parameter'], text: string): boolean {
  if (schema.enum) return schema.enum.some((each) => String(each) === text);
  if (schema.type === 'boolean') return text === 'true' || text === 'false';
  return /^-?\d{1,15}$/.test(text) && isFitting(schema, Number(text));
}

/** The names of parameters that state a direction beside the field. */
const DIRECTION = /^(?:order|direction|dir|sort_?order|sort_?dir(?:ection)?)$/i;

function isOrdered(
  { parameter, entry }: ListParameter,
  entries: readonly Json[],
  query: URLSearchParams,
): Examined {
  const [stated, ...others] = query.getAll(parameter.name);
  if (stated === undefined || others.length > 0 || !isValueOf(parameter, stated)) return undefined;
  const { name, direction = directionIn(query) } = orderIn(stated);
  if (!orderedBy(parameter.schema, entry.properties).includes(name)) return undefined;
  const values = entries.flatMap((each) => {
    const value = isFields(each) ? each[name] : undefined;
    return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint' ? [value] : [];
  });
  if (new Set(values).size < 2) return undefined;
  const isAscending = ORDERS.some((compare) => inOrder(values, compare));
  const isDescending = ORDERS.some((compare) => inOrder(values.toReversed(), compare));
  // Without a direction, either is an order.
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
type Compare = (one: OrderedValue, other: OrderedValue) => number;

const byCode: Compare = (one, other) => (one < other ? -1 : one > other ? 1 : 0);
const collator = new Intl.Collator('en', { sensitivity: 'base', ignorePunctuation: true });
const natural = new Intl.Collator('en', { sensitivity: 'base', numeric: true });

const isDecimal = (value: OrderedValue) => typeof value !== 'string' || /^-?\d+(?:\.\d+)?$/.test(value);

const isTime = (value: OrderedValue): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value);

/** Texts are in order by their characters, by their letters, by the numbers in them, or as numbers; numbers by their value. */
const ORDERS: readonly Compare[] = [
  byCode,
  (one, other) =>
    typeof one === 'string' && typeof other === 'string' ? collator.compare(one, other) : byCode(one, other),
  (one, other) =>
    typeof one === 'string' && typeof other === 'string' ? natural.compare(one, other) : byCode(one, other),
  (one, other) => (isDecimal(one) && isDecimal(other) ? Number(one) - Number(other) : byCode(one, other)),
  (one, other) => (isTime(one) && isTime(other) ? Date.parse(one) - Date.parse(other) : byCode(one, other)),
];

function inOrder(values: readonly OrderedValue[], compare: Compare): boolean {
  return values.every((each, index) => index === 0 || compare(values[index - 1] as OrderedValue, each) <= 0);
}

function isScalar(value: Json | undefined): value is string | number | bigint | boolean {
  return ['string', 'number', 'bigint', 'boolean'].includes(typeof value);
}
