import type { Operation, Parameter } from '../../model/contract.ts';
import type { Probe } from '../../model/probe.ts';
import { pathParameters, probe, queryParameters, withValues } from '../probe.ts';
import { alternated } from './merged.ts';
import type { RightRequest } from './right-request.ts';

/** A value of a parameter, or several values if the parameter is repeated. */
interface QueryValue {
  id: string;
  title: string;
  values: readonly string[];
}

const single = (id: string, title: string, value: string): QueryValue => ({ id, title, values: [value] });

/** Values that are no number within bounds, or a number in another form; the likeliest mistakes first. */
const NUMBERS: readonly QueryValue[] = [
  single('negative', '-1', '-1'),
  single('empty', 'empty', ''),
  single('far', 'far beyond its maximum', '1000000'),
  single('fraction', 'a fraction', '1.5'),
  { id: 'repeated', title: 'repeated', values: ['5', '10'] },
  single('exponent', 'an exponent', '1e3'),
  single('huge', 'beyond int64', '99999999999999999999'),
  single('blank-before', 'a blank before a number', ' 5'),
  single('hexadecimal', 'hexadecimal digits', '0x65'),
  single('letter-after', 'a number and a letter', '500x'),
  single('zeros', 'leading zeros', '0000101'),
  single('plus', 'a plus sign', '+500'),
  single('null', 'null', 'null'),
  single('percent', 'a percent sign', '%'),
  single('negative-zero', '-0', '-0'),
  single('nan', 'NaN', 'NaN'),
  single('infinity', 'Infinity', 'Infinity'),
  single('int32', 'one beyond int32', '2147483648'),
  single('int64', 'the least int64', '-9223372036854775808'),
  single('blank-after', 'a blank after a number', '5 '),
  single('list', 'a list', '5,10'),
  single('digits', 'digits of another script', '٥'),
  single('array', 'an array', '[5]'),
  single('object', 'an object', '{}'),
  single('true', 'true', 'true'),
  single('underscore', 'an underscore between digits', '1_000'),
  single('point', 'a point after a number', '500.'),
  single('long', 'a number of 1,000 digits', '1'.repeat(1_000)),
];

/** Values that are no member of an enumeration. */
function noMembers(members: readonly string[]): QueryValue[] {
  const [first = '', last = ''] = [members[0], members.at(-1)];
  return [
    single('empty', 'empty', ''),
    single('upper', 'a member in capitals', last.toUpperCase()),
    { id: 'repeated', title: 'repeated', values: [first, last] },
    single('two', 'two members', members.slice(0, 2).join(',')),
    single('blank-after', 'a member and a blank', `${last} `),
    single('quote', 'a single quote', "'"),
    single('long', 'a text of 1,000 characters', 'x'.repeat(1_000)),
    single('percent', 'a percent sign', '%'),
    single('number', 'a number', '0'),
    single('null', 'null', 'null'),
    single('emoji', 'an emoji', '🐈'),
    single('blank-before', 'a blank and a member', ` ${first}`),
    single('star', 'a star', '*'),
    single('array', 'an array', `["${first}"]`),
    single('capital', 'a member with a capital letter', `${last.charAt(0).toUpperCase()}${last.slice(1)}`),
    single('script', 'markup', '<script>'),
    single('property', 'the name of a property of objects', '__proto__'),
    single('true', 'true', 'true'),
    single('object', 'an object', '{"$ne":null}'),
  ].filter(({ values }) => !values.every((value) => members.includes(value)) || values.length > 1);
}

/** Texts that careless code interprets, in place of any text. */
const TEXTS: readonly QueryValue[] = [
  single('quote', 'a single quote', "'"),
  single('percent', 'a percent sign', '%'),
  single('empty', 'empty', ''),
  single('emoji', 'an emoji', '🐈'),
  single('long', 'a text of 1,000 characters', 'x'.repeat(1_000)),
  single('script', 'markup', '<script>'),
  single('object', 'an object', '{"$ne":null}'),
  single('pattern', 'an open bracket', '['),
  single('backslash', 'a backslash', '\\'),
  single('property', 'the name of a property of objects', '__proto__'),
  single('blank', 'a blank', ' '),
  single('null', 'null', 'null'),
];

/**
 * Reads whose query the interface says nothing about: each parameter with wrong values and in other forms, and undocumented
 * parameters for an operation that documents none.
 * @param right the request that they differ from in one parameter
 */
export function openQueries(operation: Operation, right: RightRequest): Probe[] {
  const { method, address } = operation;
  if (method !== 'GET' || address !== 'baseUrl') return [];
  const query = queryParameters(operation);
  return alternated([
    ...query.map((parameter) => wrongQueries(operation, parameter, right)),
    otherQueries(operation, right),
  ]);
}

function wrongQueries(operation: Operation, parameter: Parameter, right: RightRequest): Probe[] {
  const { name } = parameter;
  return oddValues(parameter).map((wrong) =>
    openRead(operation, `${name}=further-${wrong.id}`, `${name} ${wrong.title}`, {
      ...right,
      query: withValues(
        right.query,
        name,
        wrong.values.map((value) => [name, value] as const),
      ),
    }),
  );
}

function oddValues({ schema: { enum: members, type } }: Parameter): readonly QueryValue[] {
  const texts = members?.filter((member) => typeof member === 'string');
  if (texts && texts.length > 0) return noMembers(texts);
  if (type === 'integer' || type === 'number') return NUMBERS;
  return type === 'string' ? TEXTS : [];
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

/** Reads of an operation that documents no parameters, with parameters that other services have. */
function otherQueries(operation: Operation, right: RightRequest): Probe[] {
  if (operation.parameters.length > 0) return [];
  return UNKNOWN.map(([name, value], index) =>
    openRead(operation, `further-query-${index + 1}`, `${name}=${value}, which is not documented`, {
      ...right,
      query: [...right.query, [name, value]],
    }),
  );
}

/**
 * Ids in other forms, or that do not exist. None has a solidus or a control character: many servers refuse these before the
 * service sees them.
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

/** Reads by ids in other forms: in place of the last value of the path. @param right the request that they differ from */
export function openPaths(operation: Operation, right: RightRequest): Probe[] {
  const id = pathParameters(operation).at(-1);
  if (operation.method !== 'GET' || !id || !isOpenId(id)) return [];
  return IDS.map(([name, title, value]) =>
    openRead(operation, `further-${name}`, `${id.name} ${title}`, {
      ...right,
      path: { ...right.path, [id.name]: value },
    }),
  );
}

/** Whether an id can have other forms. */
export function isOpenId({ schema: { type, enum: members } }: Parameter): boolean {
  return members === undefined && (type === 'integer' || type === 'string');
}

/** A read about which the interface says nothing. */
function openRead(operation: Operation, id: string, title: string, fields: RightRequest): Probe {
  return probe(operation, id, 'surplus', { title, validity: 'open', ...fields });
}
