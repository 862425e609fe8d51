import { namesIn, type Resource } from '../../contract/resources.ts';
import type { Operation, Parameter } from '../../model/contract.ts';
import { expecting } from '../../model/http/expectation.ts';
import { isPrecondition } from '../../model/http/preconditions.ts';
import type { Late, Probe, Stage } from '../../model/probe.ts';
import { pathValueOf } from '../../requests/parameter-styles.ts';
import type { KeyRejection } from '../key-rejections.ts';
import { pathParameters, probe } from '../probe.ts';
import { type Readable, successes, valuesOf } from '../reads/find-reads.ts';
import { type Variety, validBody } from './bodies.ts';
import type { Creations } from './references.ts';
import { ownText } from './texts.ts';

/** A valid request of an operation; undefined if petspec lacks a value for it. @param name ends the probe's id */
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

/** Requests with a wrong key that are otherwise right. */
export function wrongKeys(operation: Operation, path: PathValues, keys: readonly KeyRejection[]): Probe[] {
  return keys.flatMap(({ name, ...fields }) => {
    const probe = sent(operation, name, 'keys', fields.title, 'second', path);
    return probe ? [{ ...probe, ...fields }] : [];
  });
}

/**
 * The values of the parameters that a write needs, or the name of a parameter that has no value. Headers such as
 * Idempotency-Key differ by request and by run, like the texts of bodies: a service may repeat its earlier response to a key
 * that it knows.
 * @param probeId the probe that sends them
 */
export function writeValues(
  operation: Operation,
  probeId: string,
): Pick<Readable, 'query' | 'headers' | 'cookies'> | string {
  const values = valuesOf(operation, ({ required, isStated }) => required || isStated === true);
  if (typeof values === 'string') return values;
  const headers = values.headers.map(([name, value]) => {
    const stated = operation.parameters.find(
      (parameter) => parameter.in === 'header' && parameter.name === name,
    );
    return [
      name,
      (stated && !isPrecondition(name) && !hasExample(stated) && ownText(stated.schema, probeId)) || value,
    ] as const;
  });
  return { ...values, headers };
}

function hasExample({ example, schema }: Parameter): boolean {
  return [example, schema.example, schema.default].some((value) => value !== undefined);
}

/** The values of a path in their order, without names: a path and the paths below it may name a parameter differently. */
export type PathValues = readonly (string | Late)[];

/** The id of what one of these probes created, as the value of the last path parameter. */
export function ownId({ pointers }: Resource, ...probes: string[]): Late {
  return {
    late: 'response',
    isOwn: true,
    sources: probes.map((probe) => ({ probe: probe, pointer: pointers[0] ?? '/id' })),
  };
}

/** The path values of a collection, below a parent that this run created; undefined if a value is not known. */
export function pathTo({ parent, create }: Resource, creationsOf: Creations): PathValues | undefined {
  const above = parent ? pathTo(parent, creationsOf) : [];
  if (!above) return undefined;
  const ancestors = parent ? [...above, ownId(parent, ...creationsOf(parent))] : [];
  const values = [...ancestors, ...statedValues(create).slice(ancestors.length)];
  return values.every((value) => value !== undefined) ? values : undefined;
}

/** The values that the user stated for the path parameters, in their order. */
export function statedValues(operation: Operation): (string | Late | undefined)[] {
  return namesIn(operation.path).map((name) => {
    const parameter = pathParameters(operation).find((parameter) => parameter.name === name);
    return parameter?.isStated ? pathValueOf(parameter, parameter.example) : undefined;
  });
}

/** Names the values of a path by the parameters of an operation, as many as it has. */
export function pathOf({ path }: Operation, values: PathValues): Probe['path'] {
  const pairs = namesIn(path).map((name, index) => [name, values[index]] as const);
  return Object.fromEntries(pairs.filter((pair): pair is [string, string | Late] => pair[1] !== undefined));
}
