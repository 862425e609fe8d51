import type { Operation, Parameter } from '../../model/contract.ts';
import type { Probe } from '../../model/probe.ts';
import { probe } from '../probe.ts';
import { alternated } from './merged.ts';

/** Values of a parameter, several if it is repeated. */
interface QueryValue {
  id: string;
  title: string;
  values: readonly string[];
}

const one = (id: string, title: string, value: string): QueryValue => ({ id, title, values: [value] });

/** Values that are not a number within bounds, or a number in another form; the likeliest mistakes first. */
const NUMBERS: readonly QueryValue[] = [
  one('negative', '-1', '-1'),
  one('empty', 'empty', ''),
  one('far', 'far beyond its maximum', '1000000'),
  one('fraction', 'a fraction', '1.5'),
  { id: 'repeated', title: 'repeated', values: ['5', '10'] },
  one('exponent', 'an exponent', '1e3'),
  one('huge', 'beyond int64', '99999999999999999999'),
  one('blank-before', 'a blank before a number', ' 5'),
  one('hexadecimal', 'hexadecimal digits', '0x65'),
  one('letter-after', 'a number and a letter', '500x'),
  one('zeros', 'leading zeros', '0000101'),
  one('plus', 'a plus sign', '+500'),
  one('null', 'null', 'null'),
  one('percent', 'a percent sign', '%'),
  one('negative-zero', '-0', '-0'),
  one('nan', 'NaN', 'NaN'),
  one('infinity', 'Infinity', 'Infinity'),
  one('int32', 'one beyond int32', '2147483648'),
  one('int64', 'the least int64', '-9223372036854775808'),
  one('blank-after', 'a blank after a number', '5 '),
  one('list', 'a list', '5,10'),
  one('digits', 'digits of another script', '٥'),
  one('array', 'an array', '[5]'),
  one('object', 'an object', '{}'),
  one('true', 'true', 'true'),
  one('underscore', 'an underscore between digits', '1_000'),
  one('point', 'a point after a number', '500.'),
  one('long', 'a number of 1,000 digits', '1'.repeat(1_000)),
];

/** What is no member of an enumeration. */
function noMembers(members: readonly string[]): QueryValue[] {
  const [first = '', last = ''] = [members[0], members.at(-1)];
  return [
    one('empty', 'empty', ''),
    one('upper', 'a member in capitals', last.toUpperCase()),
    { id: 'repeated', title: 'repeated', values: [first, last] },
    one('two', 'two members', members.slice(0, 2).join(',')),
    one('blank-after', 'a member and a blank', `${last} `),
    one('quote', 'a single quote', "'"),
    one('long', 'a text of 1,000 characters', 'x'.repeat(1_000)),
    one('percent', 'a percent sign', '%'),
    one('number', 'a number', '0'),
    one('null', 'null', 'null'),
    one('emoji', 'an emoji', '🐈'),
    one('blank-before', 'a blank and a member', ` ${first}`),
    one('star', 'a star', '*'),
    one('array', 'an array', `["${first}"]`),
    one('capital', 'a member with a capital letter', `${last.charAt(0).toUpperCase()}${last.slice(1)}`),
    one('script', 'markup', '<script>'),
    one('property', 'the name of a property of objects', '__proto__'),
    one('true', 'true', 'true'),
    one('object', 'an object', '{"$ne":null}'),
  ].filter(({ values }) => !values.every((each) => members.includes(each)) || values.length > 1);
}

/**
 * Reads whose query the interface says nothing about: each parameter with wrong values and other forms, and parameters that
 * no operation documents where none is documented.
 */
export function openQueries(operation: Operation): Probe[] {
  const { method, address, parameters } = operation;
  if (method !== 'GET' || address !== 'baseUrl' || parameters.some((each) => each.in === 'path')) return [];
  const query = parameters.filter((each) => each.in === 'query');
  return alternated([...query.map((each) => wrongQueries(operation, each)), otherQueries(operation)]);
}

function wrongQueries(operation: Operation, { name, schema }: Parameter): Probe[] {
  const members = schema.enum?.filter((each) => typeof each === 'string');
  const values = members ? noMembers(members) : schema.type === 'integer' ? NUMBERS : [];
  return values.map((each) =>
    openRead(operation, `${name}=further-${each.id}`, `${name} ${each.title}`, {
      query: each.values.map((value) => [name, value] as const),
    }),
  );
}

/** Parameters that the interface does not list. */
const UNKNOWN: readonly (readonly [name: string, value: string])[] = [
  ['offset', 'abc'],
  ['page', '-1'],
  ['id', "'"],
  ['filter', '{"$ne":null}'],
  ['q', ''],
  ['sort', '%'],
];

/** An operation without documented parameters, with some that others have. */
function otherQueries(operation: Operation): Probe[] {
  if (operation.parameters.length > 0) return [];
  return UNKNOWN.map(([name, value], index) =>
    openRead(operation, `further-query-${index + 1}`, `${name}=${value}, which is not documented`, {
      query: [[name, value]],
    }),
  );
}

/**
 * Ids in the path in other forms, or none that exist. A solidus and control characters are not among them: many servers
 * refuse them before the service sees them.
 */
const IDS: readonly (readonly [id: string, title: string, value: string])[] = [
  ['zero', '0', '0'],
  ['beyond-int64', 'one beyond int64', '9223372036854775808'],
  ['negative', '-1', '-1'],
  ['zeros', 'leading zeros', '0001'],
  ['fraction', 'a fraction', '1.5'],
  ['quote', 'a single quote', "1'"],
  ['percent', 'a percent sign', '%'],
  ['beneath-int64', 'one beneath int64', '-9223372036854775809'],
  ['least', 'the least int64', '-9223372036854775808'],
  ['huge', 'a hundred digits', '9'.repeat(100)],
  ['exponent', 'an exponent', '1e3'],
  ['plus', 'a plus sign', '+1'],
  ['blank', 'a blank before a digit', ' 1'],
  ['null', 'null', 'null'],
  ['hexadecimal', 'hexadecimal digits', '0x1'],
  ['emoji', 'an emoji', '🐈'],
  ['digits', 'digits of another script', '١'],
  ['long', 'a text of 300 characters', 'x'.repeat(300)],
  ['int32', 'one beyond int32', '2147483648'],
  ['property', 'the name of a property of objects', '__proto__'],
];

/** Reads by ids in other forms. */
export function openPaths(operation: Operation): Probe[] {
  const [parameter, ...others] = operation.parameters.filter((each) => each.in === 'path');
  if (!parameter || others.length > 0 || operation.method !== 'GET' || parameter.schema.type !== 'integer')
    return [];
  return IDS.map(([id, title, value]) =>
    openRead(operation, `further-${id}`, `${parameter.name} ${title}`, { path: { [parameter.name]: value } }),
  );
}

/** A read about which the interface says nothing. */
function openRead(
  operation: Operation,
  id: string,
  title: string,
  fields: Pick<Partial<Probe>, 'query' | 'path'>,
): Probe {
  return probe(operation, id, 'surplus', { title, validity: 'open', ...fields });
}
