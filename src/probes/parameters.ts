import { PARAMETER_RULES } from '../contract/requirements.ts';
import type { Operation, Parameter } from '../model/contract.ts';
import { expecting } from '../model/http/expectation.ts';
import type { Late, Probe, Sources } from '../model/probe.ts';
import { INT64_MAX, sample } from '../requests/plain-values.ts';
import { documented, pathParameters, probe, queryParameters, sourcesIn, success } from './probe.ts';
import { beyondBounds } from './values.ts';

/**
 * The probes of query parameters. Valid: each parameter at its bounds, with each member of its enumeration, and all
 * parameters together. Wrong: beyond the bounds, of the wrong type, and a non-member; judged only if a 400 is documented.
 * Members are sent with the other parameters at their maximum, so that the response shows as many entries as possible, and
 * one member is sent alone. The maximum by itself is sent after them, as their control.
 */
export function parameterProbes(operation: Operation): Probe[] {
  const parameters = queryParameters(operation);
  const valid = parameters.flatMap((parameter) => validProbes(operation, parameter, parameters));
  const together = parameters.map((parameter) => [parameter.name, String(rightValue(parameter))] as const);
  const both =
    parameters.length < 2
      ? []
      : [
          probe(operation, 'all-parameters', 'list', {
            title: 'all parameters together',
            expectation: expecting(success(operation)),
            query: together,
            controls: valid
              .filter(({ query }) => query.length === 1 && query.some((pair) => isPart(pair, together)))
              .map(({ id }) => id),
          }),
        ];
  return [...valid, ...both, ...parameters.flatMap((parameter) => wrongProbes(operation, parameter))];
}

/** Whether a query has this parameter with the same member of an enumeration, or with any number. */
function isPart(
  [name, value]: readonly [string, string],
  query: readonly (readonly [string, string])[],
): boolean {
  return query.some((pair) => pair[0] === name && (pair[1] === value || /^\d+$/.test(value)));
}

function validProbes(operation: Operation, parameter: Parameter, parameters: readonly Parameter[]): Probe[] {
  return Object.keys(PARAMETER_RULES).flatMap((rule) => {
    const bound = parameter.schema[rule];
    if (bound === undefined) return [];
    if (rule === 'enum') return memberProbes(operation, parameter, bound as unknown[], parameters);
    const value = rule.endsWith('Length') ? 'x'.repeat(Number(bound)) : bound;
    return [
      probe(operation, `${parameter.name}=${rule}`, 'list', {
        title: `${parameter.name} at its ${rule}`,
        expectation: expecting(success(operation)),
        rule: `${operation.id}.${parameter.name}.${rule}`,
        query: [[parameter.name, String(value)]],
      }),
    ];
  });
}

/** Each member of an enumeration with the largest page, and the last member also without a page size. */
function memberProbes(
  operation: Operation,
  { name }: Parameter,
  members: readonly unknown[],
  parameters: readonly Parameter[],
): Probe[] {
  const widest = parameters.filter(
    (parameter) => parameter.name !== name && parameter.schema.maximum !== undefined,
  );
  const member = (id: string, title: string, value: unknown, fields: Partial<Probe> = {}) =>
    probe(operation, id, 'list', {
      title,
      expectation: expecting(success(operation)),
      rule: `${operation.id}.${name}.enum`,
      query: [[name, String(value)]],
      ...fields,
    });
  if (widest.length === 0)
    return members.map((value) => member(`${name}=${value}`, `${name} ${value}`, value));
  const alone = member(`${name}-alone`, `${name} ${members.at(-1)} alone`, members.at(-1));
  const bounds = widest.map((parameter) => [parameter.name, String(parameter.schema.maximum)] as const);
  const largest = widest.map((parameter) => `${operation.id}:${parameter.name}=maximum`);
  const titles = widest.map((parameter) => `${parameter.name} at its maximum`).join(', ');
  const wide = members.map((value) =>
    member(`${name}=${value}`, `${name} ${value}, ${titles}`, value, {
      // In the stage of reads: after the creations, and before the largest page without this filter.
      stage: 'read',
      query: [[name, String(value)], ...bounds],
      controls: [alone.id, ...largest, `${operation.id}:all-parameters`],
    }),
  );
  return [alone, ...wide];
}

function wrongProbes(operation: Operation, parameter: Parameter): Probe[] {
  const { schema, name } = parameter;
  const wrong: [id: string, title: string, value: unknown][] = beyondBounds(schema).map((wrong) => [
    wrong.id,
    wrong.title,
    wrong.value,
  ]);
  if (schema.enum) wrong.push(['non-member', 'not in its enumeration', 'unknown']);
  else if (schema.type !== 'string') wrong.push(['wrong-type', 'of the wrong type', 'abc']);
  const refused = documented(operation, '400');
  return wrong.map(([id, title, value]) =>
    probe(operation, `${name}=${id}`, 'invalid', {
      title: `${name} ${title}`,
      validity: refused.length > 0 ? 'invalid' : 'open',
      expectation: expecting([], refused),
      query: [[name, String(value)]],
    }),
  );
}

/** A valid value of a parameter. A number is slightly above its minimum, so that a store probably has more entries. */
function rightValue({ name, schema }: Parameter): unknown {
  if (schema.enum) return schema.enum.at(-1);
  if (schema.minimum === undefined) return sample(name, schema);
  return Math.min(schema.minimum + 2, schema.maximum ?? Number.POSITIVE_INFINITY);
}

/**
 * The probes of an id in the path: one that does not exist, the largest, and one that is not an integer.
 * @param reads probes that have ids that exist
 */
export function pathProbes(operation: Operation, reads: readonly Probe[]): Probe[] {
  // A random id may exist after all, and a write would change what it names.
  if (operation.method !== 'GET') return [];
  const [parameter, ...more] = pathParameters(operation);
  if (!parameter || more.length > 0) return [];
  const missing = documented(operation, '404');
  const probeOf = (id: string, title: string, fields: Partial<Probe>) =>
    probe(operation, id, 'invalid', { title, ...fields });
  // Listed ids come first: they exist also for a user who repeats the request.
  const like = sourcesFor(reads, operation.id).sources.toReversed();
  const unknown = parameter.schema.type === 'integer' ? unknownNumber(like) : 'none-such';
  const probes: Probe[] = [];
  if (missing.length > 0) {
    const absent = probeOf('unknown', `a ${parameter.name} that does not exist`, {
      validity: 'invalid',
      expectation: expecting([], missing),
      path: { [parameter.name]: unknown },
    });
    probes.push(absent, {
      ...absent,
      id: `${absent.id}-again`,
      title: `another ${parameter.name} that does not exist`,
      onlyIf: { succeeded: absent.id },
    });
  }
  if (parameter.schema.type === 'integer') {
    const controls = probes.slice(0, 1).map(({ id }) => id);
    const open = (id: string, title: string, value: string) =>
      probeOf(id, title, { validity: 'open', controls, path: { [parameter.name]: value } });
    if (parameter.schema.format === 'int64')
      probes.push(open('largest', 'the largest int64', String(INT64_MAX)));
    probes.push(open('non-integer', `a ${parameter.name} that is not an integer`, 'abc'));
  }
  return probes;
}

/** An int64 that is no existing id. @param like where existing ids are */
function unknownNumber(like: Sources): Late {
  return { late: 'random', format: 'int64', like };
}

/** Path values from the first source that has one; undefined if no response gives one. */
export function knownPath(probes: readonly Probe[], operation: string): Probe['path'] | undefined {
  const { parameter, sources } = sourcesFor(probes, operation);
  if (parameter === undefined) return {};
  return sources.length > 0 ? { [parameter]: { late: 'response', sources } } : undefined;
}

/** Path values from the first source that has one, or else a guess: enough for a wrong key, which is refused at any path. */
export function guessedPath(probes: readonly Probe[], operation: string): Probe['path'] {
  const { parameter, sources } = sourcesFor(probes, operation);
  if (parameter === undefined) return {};
  return { [parameter]: sources.length > 0 ? { late: 'response', sources, otherwise: GUESS } : GUESS };
}

const GUESS = '1';

/** The path parameter of an operation, and the responses that show its values. */
function sourcesFor(probes: readonly Probe[], operation: string) {
  const ofOperation = probes.filter((probe) => probe.operation === operation);
  const [parameter] = ofOperation.flatMap(({ path }) => Object.keys(path));
  const sources = ofOperation.flatMap(({ stage, path }) => {
    return sourcesIn(stage === 'read' && parameter !== undefined ? path[parameter] : undefined);
  });
  return { parameter, sources };
}
