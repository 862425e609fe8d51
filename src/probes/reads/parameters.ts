import { PARAMETER_RULES } from '../../contract/requirements.ts';
import { followingPages, listParameters } from '../../contract/things/lists.ts';
import { isFitting, valuesAt } from '../../contract/validation/parameter-bounds.ts';
import type { Parameter, Schema } from '../../model/contract.ts';
import { expecting } from '../../model/http/expectation.ts';
import type { Probe } from '../../model/probe.ts';
import { inQuery } from '../../requests/parameter-styles.ts';
import { PAGES } from '../../requests/write-names.ts';
import { probe, queryParameters, withValues } from '../probe.ts';
import { beyondBounds, type Wrong } from '../values.ts';
import { exampleValue, isGuessed } from './example-value.ts';
import { type Readable, successes, valuesOf } from './find-reads.ts';

/**
 * The probes of query parameters: each at its bounds and with each member, all together, and a value beyond each bound. The
 * document does not say what a wrong value gets, so only what holds for every response is judged.
 */
export function parameterReads(read: Readable): Probe[] {
  const parameters = queryParameters(read.operation);
  const combined = together(read, parameters);
  const valid = parameters.flatMap((parameter) => [
    ...(combined.length > 0 ? ordinaryRead(read, parameter) : []),
    ...validReads(read, parameter),
  ]);
  return [
    ...valid,
    ...combined,
    ...filterReads(read),
    ...pageReads(read),
    ...parameters.flatMap((parameter) => wrongReads(read, parameter)),
  ];
}

/** Two pages that follow each other, for each parameter that says where a page begins. */
function pageReads(read: Readable): Probe[] {
  const { operation } = read;
  return listParameters(operation).flatMap((listParameter) =>
    followingPages(listParameter).map((query, index) =>
      probe(operation, `${listParameter.parameter.name}=${PAGES[index]}`, 'list', {
        title: `${PAGES[index]?.replace('-', ' ')} by ${listParameter.parameter.name}`,
        validity: 'open',
        controls: [`${operation.id}:plain`],
        ...sentWith(read),
        query: query.reduce((pairs, [name, value]) => withValues(pairs, name, [[name, value]]), read.query),
      }),
    ),
  );
}

/** Both values of a boolean filter that has no enumeration. */
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
          query: withValues(read.query, name, [[name, value]]),
        }),
      ),
    );
}

function sentWith({ operation: _operation, ...sent }: Readable): Omit<Readable, 'operation'> {
  return sent;
}

/** Marks a probe whose parameter the plainest request lacks. */
function alone({ query }: Readable, { name }: Parameter): Pick<Probe, 'parameter'> {
  return query.some(([sent]) => sent === name) ? {} : { parameter: name };
}

/**
 * A value between the bounds of a parameter. If it is refused as well, the parameter needs another parameter beside it, which is
 * no fault of the service.
 */
function ordinaryRead(read: Readable, parameter: Parameter): Probe[] {
  const { name, schema } = parameter;
  const atBounds = Object.keys(PARAMETER_RULES).flatMap((rule) => valuesAt(schema, rule) ?? []);
  const { parameter: isAlone } = alone(read, parameter);
  if (schema.enum || atBounds.length === 0 || isAlone === undefined) return [];
  const value = exampleValue(parameter);
  const candidates = typeof value === 'number' ? [value, value + 1, value - 1] : [value];
  const ordinary = candidates.find(
    (candidate) => isFitting(schema, candidate) && !atBounds.includes(candidate),
  );
  const query = ordinary === undefined ? undefined : inQuery(parameter, ordinary);
  if (!query) return [];
  return [
    probe(read.operation, `${name}=ordinary`, 'list', {
      title: `${name} at none of its bounds`,
      validity: 'open',
      controls: [`${read.operation.id}:plain`],
      parameter: name,
      ...sentWith(read),
      query: withValues(read.query, name, query),
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
          query: withValues(read.query, name, query),
        }),
      ];
    });
  });
}

/** The most members of an enumeration to send. */
const MAX_MEMBERS = 8;

/** The first value, the last one, and some between them. */
function spread(values: readonly unknown[]): readonly unknown[] {
  if (values.length <= MAX_MEMBERS) return values;
  return Array.from(
    { length: MAX_MEMBERS },
    (_, index) => values[Math.round((index * (values.length - 1)) / (MAX_MEMBERS - 1))],
  );
}

/**
 * A request with all parameters that have a valid value, if the plainest request has fewer. It is open if petspec guessed a
 * text, as a service may refuse it.
 */
function together(read: Readable, parameters: readonly Parameter[]): Probe[] {
  const { operation } = read;
  const values = valuesOf(operation, () => true);
  const sizeOf = ({ query, headers, cookies }: Pick<Readable, 'query' | 'headers' | 'cookies'>) =>
    query.length + headers.length + cookies.length;
  const elsewhere = operation.parameters.some(
    (parameter) => parameter.in === 'header' || parameter.in === 'cookie',
  );
  if (typeof values === 'string' || sizeOf(values) <= sizeOf(read)) return [];
  if (parameters.length < 2 && !elsewhere) return [];
  const isOpen = operation.parameters.some(
    (parameter) =>
      parameter.in !== 'path' && !parameter.required && !parameter.isStated && isGuessed(parameter),
  );
  return [
    probe(operation, 'all-parameters', 'list', {
      title: 'all parameters together',
      ...(isOpen ? { validity: 'open' } : { expectation: expecting(successes(operation)) }),
      controls: [`${operation.id}:plain`],
      path: read.path,
      ...values,
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
        query: withValues(read.query, name, [[name, String(wrong.value)]]),
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

/** Whether a value violates a schema, also as a text. */
function isWrong(schema: Schema, value: unknown): boolean {
  return !isFitting(schema, value) && !isFitting(schema, String(value));
}
