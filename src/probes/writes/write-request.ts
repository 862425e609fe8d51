import { namesIn, type Resource } from '../../contract/resources.ts';
import type { Operation, Parameter } from '../../model/contract.ts';
import { expecting } from '../../model/http/expectation.ts';
import { isPrecondition } from '../../model/http/preconditions.ts';
import type { Late, Probe, Stage } from '../../model/probe.ts';
import { pathValueOf } from '../../requests/parameter-styles.ts';
import { probe } from '../probe.ts';
import { type Readable, successes, valuesOf } from '../reads/find-reads.ts';
import { type Variety, validBody } from './bodies.ts';
import type { Creations } from './references.ts';
import { ownText } from './texts.ts';

/** A valid request; undefined if petspec lacks a value for it. */
export function sent(
  operation: Operation,
  name: string,
  stage: Stage,
  title: string,
  variety: Variety,
  path: PathValues,
): Probe | undefined {
  const id = `${operation.id}:${name}`;
  const values = writeValues(operation, id);
  const json = validBody(operation, variety, id);
  const isBodyMissing = operation.body !== undefined && json === undefined;
  if (typeof values === 'string' || (isBodyMissing && operation.body?.required)) return undefined;
  return probe(operation, name, stage, {
    title,
    expectation: expecting(successes(operation)),
    isWriting: true,
    ...values,
    path: pathOf(operation, path),
    ...(json === undefined ? {} : { body: { json } }),
  });
}

/**
 * The parameters that a request needs which changes something; the name of one that has no value. Headers such as
 * Idempotency-Key have a value of their own in each request and run, as the texts of bodies have: a service may answer a key
 * that it knows with its earlier response.
 * @param of the probe that sends them
 */
export function writeValues(
  operation: Operation,
  of: string,
): Pick<Readable, 'query' | 'headers' | 'cookies'> | string {
  const values = valuesOf(operation, ({ required, isStated }) => required || isStated === true);
  if (typeof values === 'string') return values;
  const headers = values.headers.map(([name, value]) => {
    const stated = operation.parameters.find((each) => each.in === 'header' && each.name === name);
    return [
      name,
      (stated && !isPrecondition(name) && !hasExample(stated) && ownText(stated.schema, of)) || value,
    ] as const;
  });
  return { ...values, headers };
}

function hasExample({ example, schema }: Parameter): boolean {
  return [example, schema.example, schema.default].some((each) => each !== undefined);
}

/** The values of a path, in its order: paths below each other may name the same parameter differently. */
export type PathValues = readonly (string | Late)[];

/** The value of the last path parameter: the id of what one of these probes created. */
export function ownId({ pointers }: Resource, ...probes: string[]): Late {
  return {
    late: 'response',
    isOwn: true,
    sources: probes.map((each) => ({ probe: each, pointer: pointers[0] ?? '/id' })),
  };
}

/** The values of the path to the things of a resource: of a parent that this run created. Undefined if one is not known. */
export function pathTo({ parent, create }: Resource, creationsOf: Creations): PathValues | undefined {
  const above = parent ? pathTo(parent, creationsOf) : [];
  if (!above) return undefined;
  const own = parent ? [...above, ownId(parent, ...creationsOf(parent))] : [];
  const values = [...own, ...statedValues(create).slice(own.length)];
  return values.every((each) => each !== undefined) ? values : undefined;
}

/** The values that the user stated for the parameters of a path, in its order. */
export function statedValues({ path, parameters }: Operation): (string | Late | undefined)[] {
  return namesIn(path).map((name) => {
    const parameter = parameters.find((each) => each.in === 'path' && each.name === name);
    return parameter?.isStated ? pathValueOf(parameter, parameter.example) : undefined;
  });
}

/** Of the values of a path, those that the path of an operation has. */
export function pathOf({ path }: Operation, values: PathValues): Probe['path'] {
  const pairs = namesIn(path).map((name, index) => [name, values[index]] as const);
  return Object.fromEntries(pairs.filter((pair): pair is [string, string | Late] => pair[1] !== undefined));
}
