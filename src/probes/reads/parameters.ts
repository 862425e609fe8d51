import { PARAMETER_RULES } from '../../contract/requirements.ts';
import { followingPages, listParameters } from '../../contract/things/lists.ts';
import { isFitting, valuesAt } from '../../contract/validation/parameter-bounds.ts';
import type { Parameter, Schema } from '../../model/contract.ts';
import { expecting } from '../../model/http/expectation.ts';
import type { Probe } from '../../model/probe.ts';
import { inQuery } from '../../requests/parameter-styles.ts';
import { PAGES } from '../../requests/write-names.ts';
import { probe } from '../probe.ts';
import { beyondBounds, type Wrong } from '../values.ts';
import { exampleValue, isGuessed } from './example-value.ts';
import { type Readable, successes, valuesOf } from './find-reads.ts';

/**
 * The probes of query parameters: each at its bounds and with each member, all together, and one beyond each bound. What a
 * wrong value gets is not shown, so only what holds for every response is judged.
 */
export function parameterReads(read: Readable): Probe[] {
  const parameters = read.operation.parameters.filter((each) => each.in === 'query');
  const all = together(read, parameters);
  const valid = parameters.flatMap((parameter) => [
    ...(all.length > 0 ? ordinaryRead(read, parameter) : []),
    ...validReads(read, parameter),
  ]);
  return [
    ...valid,
    ...all,
    ...filterReads(read),
    ...pageReads(read),
    ...parameters.flatMap((each) => wrongReads(read, each)),
  ];
}

/** Two pages that follow each other, for each parameter that says where a page begins. */
function pageReads(read: Readable): Probe[] {
  const { operation } = read;
  return listParameters(operation).flatMap((own) =>
    followingPages(own).map((query, index) =>
      probe(operation, `${own.parameter.name}=${PAGES[index]}`, 'list', {
        title: `${PAGES[index]?.replace('-', ' ')} by ${own.parameter.name}`,
        validity: 'open',
        controls: [`${operation.id}:plain`],
        ...sentWith(read),
        query: query.reduce((all, [name, value]) => withValue(all, name, [[name, value]]), read.query),
      }),
    ),
  );
}

/** Either value of a filter that is a boolean, whose document has no enumeration of its values. */
function filterReads(read: Readable): Probe[] {
  return listParameters(read.operation)
    .filter(
      ({ kind, parameter: { schema } }) => kind === 'filter' && schema.type === 'boolean' && !schema.enum,
    )
    .flatMap(({ parameter: { name } }) =>
      ['true', 'false'].map((value) =>
        probe(read.operation, `${name}=${value}`, 'list', {
          title: `${name} ${value}`,
          validity: 'open',
          controls: [`${read.operation.id}:plain`],
          ...sentWith(read),
          query: withValue(read.query, name, [[name, value]]),
        }),
      ),
    );
}

/** All that the plainest request sends but its operation. */
function sentWith({ operation: _operation, ...sent }: Readable): Omit<Readable, 'operation'> {
  return sent;
}

/** A query with another value of one parameter. */
function withValue(
  query: Probe['query'],
  name: string,
  values: readonly (readonly [string, string])[],
): Probe['query'] {
  return [...query.filter((each) => each[0] !== name), ...values];
}

/** Which probes send a parameter that the plainest request lacks. */
function alone({ query }: Readable, { name }: Parameter): Pick<Probe, 'parameter'> {
  return query.some(([each]) => each === name) ? {} : { parameter: name };
}

/**
 * A value that is at no bound, of a parameter with bounds: if it is refused as well, the parameter needs another one. That is
 * no fault of the service.
 */
function ordinaryRead(read: Readable, parameter: Parameter): Probe[] {
  const { name, schema } = parameter;
  const atBounds = Object.keys(PARAMETER_RULES).flatMap((rule) => valuesAt(schema, rule) ?? []);
  const { parameter: isAlone } = alone(read, parameter);
  if (schema.enum || atBounds.length === 0 || isAlone === undefined) return [];
  const value = exampleValue(parameter);
  const candidates = typeof value === 'number' ? [value, value + 1, value - 1] : [value];
  const ordinary = candidates.find((each) => isFitting(schema, each) && !atBounds.includes(each));
  const query = ordinary === undefined ? undefined : inQuery(parameter, ordinary);
  if (!query) return [];
  return [
    probe(read.operation, `${name}=ordinary`, 'list', {
      title: `${name} at none of its bounds`,
      validity: 'open',
      controls: [`${read.operation.id}:plain`],
      parameter: name,
      ...sentWith(read),
      query: withValue(read.query, name, query),
    }),
  ];
}

function validReads(read: Readable, parameter: Parameter): Probe[] {
  const { operation } = read;
  const { name, schema } = parameter;
  return Object.keys(PARAMETER_RULES).flatMap((rule) => {
    const values = spread(valuesAt(schema, rule) ?? []);
    return values.flatMap((value) => {
      const query = value === '' ? undefined : inQuery(parameter, value);
      if (!query) return [];
      const words = rule === 'enum' ? `${name} ${value}` : `${name} at its ${rule}`;
      return [
        probe(operation, rule === 'enum' ? `${name}=${value}` : `${name}=${rule}`, 'list', {
          title: words,
          expectation: expecting(successes(operation)),
          rule: `${operation.id}.${name}.${rule}`,
          ...alone(read, parameter),
          controls: [`${operation.id}:plain`],
          ...sentWith(read),
          query: withValue(read.query, name, query),
        }),
      ];
    });
  });
}

/** Members of an enumeration that are sent, at most. */
const MAX_MEMBERS = 8;

/** Of many values the first one, the last one, and some between them. */
function spread(values: readonly unknown[]): readonly unknown[] {
  if (values.length <= MAX_MEMBERS) return values;
  return Array.from(
    { length: MAX_MEMBERS },
    (_, index) => values[Math.round((index * (values.length - 1)) / (MAX_MEMBERS - 1))],
  );
}

/**
 * All parameters for which a valid value is known, if that is more than the plainest request has. A service may refuse a text
 * that petspec guessed.
 */
function together(read: Readable, parameters: readonly Parameter[]): Probe[] {
  const { operation } = read;
  const all = valuesOf(operation, () => true);
  const sizeOf = ({ query, headers, cookies }: Pick<Readable, 'query' | 'headers' | 'cookies'>) =>
    query.length + headers.length + cookies.length;
  const elsewhere = operation.parameters.some((each) => each.in === 'header' || each.in === 'cookie');
  if (typeof all === 'string' || sizeOf(all) <= sizeOf(read)) return [];
  if (parameters.length < 2 && !elsewhere) return [];
  const isOpen = operation.parameters.some(
    (each) => each.in !== 'path' && !each.required && !each.isStated && isGuessed(each),
  );
  return [
    probe(operation, 'all-parameters', 'list', {
      title: 'all parameters together',
      ...(isOpen ? { validity: 'open' } : { expectation: expecting(successes(operation)) }),
      controls: [`${operation.id}:plain`],
      path: read.path,
      ...all,
    }),
  ];
}

function wrongReads(read: Readable, { name, schema }: Parameter): Probe[] {
  const { operation } = read;
  return wrongOf(schema)
    .filter(({ value }) => isWrong(schema, value))
    .map((wrong) =>
      probe(operation, `${name}=${wrong.id}`, 'invalid', {
        title: `${name} ${wrong.title}`,
        validity: 'open',
        controls: [`${operation.id}:plain`],
        ...sentWith(read),
        query: withValue(read.query, name, [[name, String(wrong.value)]]),
      }),
    );
}

function wrongOf(schema: Schema): Pick<Wrong, 'id' | 'title' | 'value'>[] {
  if (schema.enum) return [{ id: 'non-member', title: 'not in its enumeration', value: 'petspec-unknown' }];
  const isNumber = schema.type === 'integer' || schema.type === 'number';
  const beyond = beyondBounds(schema);
  const ofType = isNumber ? [{ id: 'wrong-type', title: 'of the wrong type', value: 'abc' }] : [];
  return [...beyond, ...ofType];
}

/** Whether a value violates a schema, also if it is read as a text. */
function isWrong(schema: Schema, value: unknown): boolean {
  return !isFitting(schema, value) && !isFitting(schema, String(value));
}
