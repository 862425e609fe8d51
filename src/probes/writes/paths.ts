import { namesIn, type Resource } from '../../contract/resources.ts';
import type { Operation } from '../../model/contract.ts';
import type { Late, Probe } from '../../model/probe.ts';
import { pathValueOf } from '../../requests/parameter-styles.ts';
import type { Creations } from './references.ts';

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
