import { PARAMETER_RULES } from '../contract/requirements.ts';
import type { Operation, Parameter } from '../model/contract.ts';
import { expecting } from '../model/http/expectation.ts';
import type { Late, Probe, Sources } from '../model/probe.ts';
import { INT64_MAX, sample } from '../requests/plain-values.ts';
import { documented, probe, sourcesIn, success } from './probe.ts';
import { beyondBounds } from './values.ts';

/**
 * The probes of query parameters. Valid ones: each parameter at its bounds, with each member of its enumeration, and all
 * parameters together. Wrong ones: beyond the bounds, of the wrong type, and a non-member; they are judged only if a 400
 * is documented. Each member of an enumeration is sent with the other parameters at their maximum, to see as much as
 * possible of what it selects, and one member is sent alone. The maximum by itself is sent after them, as their control.
 */
export function parameterProbes(operation: Operation): Probe[] {
  const parameters = operation.parameters.filter((each) => each.in === 'query');
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
              .filter(({ query }) => query.length === 1 && query.some((one) => isPart(one, together)))
              .map(({ id }) => id),
          }),
        ];
  return [...valid, ...both, ...parameters.flatMap((parameter) => wrongProbes(operation, parameter))];
}

/** Whether a query is part of another: the same member of an enumeration, or any number for the same parameter. */
function isPart(
  [name, value]: readonly [string, string],
  all: readonly (readonly [string, string])[],
): boolean {
  return all.some((each) => each[0] === name && (each[1] === value || /^\d+$/.test(value)));
}

function validProbes(operation: Operation, parameter: Parameter, all: readonly Parameter[]): Probe[] {
  return Object.keys(PARAMETER_RULES).flatMap((rule) => {
    const bound = parameter.schema[rule];
    if (bound === undefined) return [];
    if (rule === 'enum') return memberProbes(operation, parameter, bound as unknown[], all);
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

/** Each member of an enumeration with the largest page; the last one also alone, if that makes a difference. */
function memberProbes(
  operation: Operation,
  { name }: Parameter,
  members: readonly unknown[],
  all: readonly Parameter[],
): Probe[] {
  const widest = all.filter((each) => each.name !== name && each.schema.maximum !== undefined);
  const member = (id: string, title: string, value: unknown, fields: Partial<Probe> = {}) =>
    probe(operation, id, 'list', {
      title,
      expectation: expecting(success(operation)),
      rule: `${operation.id}.${name}.enum`,
      query: [[name, String(value)]],
      ...fields,
    });
  if (widest.length === 0) return members.map((each) => member(`${name}=${each}`, `${name} ${each}`, each));
  const alone = member(`${name}-alone`, `${name} ${members.at(-1)} alone`, members.at(-1));
  const bounds = widest.map((each) => [each.name, String(each.schema.maximum)] as const);
  const largest = widest.map((each) => `${operation.id}:${each.name}=maximum`);
  const titles = widest.map((each) => `${each.name} at its maximum`).join(', ');
  const wide = members.map((each) =>
    member(`${name}=${each}`, `${name} ${each}, ${titles}`, each, {
      // In the stage that reads back what was created, and before the largest page without the filter.
      stage: 'read',
      query: [[name, String(each)], ...bounds],
      controls: [alone.id, ...largest, `${operation.id}:all-parameters`],
    }),
  );
  return [alone, ...wide];
}

function wrongProbes(operation: Operation, parameter: Parameter): Probe[] {
  const { schema, name } = parameter;
  const wrong: [id: string, title: string, value: unknown][] = beyondBounds(schema).map((each) => [
    each.id,
    each.title,
    each.value,
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

/** A valid value of a parameter; a number is a little above its minimum, so that a few entries exceed it. */
function rightValue({ name, schema }: Parameter): unknown {
  if (schema.enum) return schema.enum.at(-1);
  if (schema.minimum === undefined) return sample(name, schema);
  return Math.min(schema.minimum + 2, schema.maximum ?? Number.POSITIVE_INFINITY);
}

/**
 * The probes of an id in the path: one that does not exist, the largest, and one that is not an integer.
 * @param reads have ids that do exist
 */
export function pathProbes(operation: Operation, reads: readonly Probe[]): Probe[] {
  // A random id may be somebody's after all.
  if (operation.method !== 'GET') return [];
  const parameter = operation.parameters.find((each) => each.in === 'path');
  if (!parameter || operation.parameters.filter((each) => each.in === 'path').length > 1) return [];
  const missing = documented(operation, '404');
  const one = (id: string, title: string, fields: Partial<Probe>) =>
    probe(operation, id, 'invalid', { title, ...fields });
  // What is listed is there for whoever repeats the request, too.
  const like = sourcesFor(reads, operation.id).sources.toReversed();
  const unknown = parameter.schema.type === 'integer' ? unknownNumber(like) : 'none-such';
  const probes: Probe[] = [];
  if (missing.length > 0) {
    const absent = one('unknown', `a ${parameter.name} that does not exist`, {
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
      one(id, title, { validity: 'open', controls, path: { [parameter.name]: value } });
    if (parameter.schema.format === 'int64')
      probes.push(open('largest', 'the largest int64', String(INT64_MAX)));
    probes.push(open('non-integer', `a ${parameter.name} that is not an integer`, 'abc'));
  }
  return probes;
}

/** An int64 that does not exist as an id. @param like where ids are that do */
function unknownNumber(like: Sources): Late {
  return { late: 'random', format: 'int64', like };
}

/** Path values from the first source that has one; undefined if no response gives one. */
export function knownPath(probes: readonly Probe[], operation: string): Probe['path'] | undefined {
  const { parameter, sources } = sourcesFor(probes, operation);
  if (parameter === undefined) return {};
  return sources.length > 0 ? { [parameter]: { late: 'response', sources } } : undefined;
}

/** The same, or a guess: for a wrong key, which is refused whatever the path is. */
export function guessedPath(probes: readonly Probe[], operation: string): Probe['path'] {
  const { parameter, sources } = sourcesFor(probes, operation);
  if (parameter === undefined) return {};
  return { [parameter]: sources.length > 0 ? { late: 'response', sources, otherwise: GUESS } : GUESS };
}

const GUESS = '1';

/** The parameter in the path of an operation, and the responses that have values of it. */
function sourcesFor(probes: readonly Probe[], operation: string) {
  const own = probes.filter((each) => each.operation === operation);
  const [parameter] = own.flatMap(({ path }) => Object.keys(path));
  const sources = own.flatMap(({ stage, path }) => {
    return sourcesIn(stage === 'read' && parameter !== undefined ? path[parameter] : undefined);
  });
  return { parameter, sources };
}
