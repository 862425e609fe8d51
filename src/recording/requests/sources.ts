import { type Exchange, isSuccess } from '../../model/exchange.ts';
import { at, type Json, parseJson } from '../../model/json.ts';
import type { Request } from './request.ts';

/** A response that shows what a request reads, and whether it created it. */
interface Source {
  source: NonNullable<Request['source']>;
  isCreation: boolean;
}

/** A place in a response that has a value of a path. */
interface Place {
  exchange: Exchange;
  /** JSON Pointer into the body of the response. */
  pointer: string;
}

/** Finds the response that shows what a request reads: what was created, or for a 404 a list that has it. */
export function sourcesOf(
  all: readonly Pick<Request, 'exchange' | 'classified' | 'isChanged'>[],
): (exchange: Exchange, classified: Request['classified']) => Source | undefined {
  const places = placesIn(all);
  return (exchange, classified) => {
    const [name = ''] = pathValues(classified);
    const before = (places.get(name) ?? []).filter(
      (each) => each.exchange.id < exchange.id && each.exchange.receivedAt <= exchange.sentAt,
    );
    const created = before.find((each) => isCreation(each.exchange));
    const listed = before.find((each) => !isCreation(each.exchange));
    // What others created they may also remove; a list before and one after tell that it was not removed.
    const isGone = exchange.response?.status === 404 && exchange.recorded !== 'run';
    const chosen = isGone ? listed : (created ?? listed);
    if (!chosen) return undefined;
    return {
      source: {
        late: 'response',
        sources: [{ probe: chosen.exchange.probe, pointer: chosen.pointer }],
      },
      isCreation: chosen === created,
    };
  };
}

const isCreation = ({ method }: Exchange) => method === 'POST';

/** Where responses have what requests name in their paths, by operation, parameter and value. */
function placesIn(
  all: readonly Pick<Request, 'exchange' | 'classified' | 'isChanged'>[],
): ReadonlyMap<string, readonly Place[]> {
  const found = new Map<string, Place[]>(
    all.flatMap(({ classified }) => pathValues(classified)).map((name) => [name, []]),
  );
  for (const { exchange, classified, isChanged } of found.size === 0 ? [] : all) {
    if (isChanged || !isSuccess(exchange) || exchange.key !== 'valid') continue;
    const links = classified.operation.responses.flatMap((each) => each.links);
    const body = links.length > 0 ? parseJson(exchange.response?.body ?? '') : undefined;
    if (!body?.ok) continue;
    for (const { operation, parameter, pointer } of links)
      for (const { value, place } of valuesAt(body.value, pointer)) {
        const places = found.get(`${operation} ${parameter} ${String(value)}`);
        places?.push({ exchange, pointer: place });
      }
  }
  return found;
}

/** The values of the path of a request, as {@link placesIn} names them. */
function pathValues({ operation, values }: Request['classified']): string[] {
  const names = operation.parameters.filter((each) => each.in === 'path').map(({ name }) => name);
  return names.flatMap((name) =>
    values
      .filter(({ rule }) => rule === `${operation.id}.${name}`)
      .map(({ value }) => `${operation.id} ${name} ${String(value)}`),
  );
}

/** The values at a pointer, in which a number stands for every entry of an array. */
function valuesAt(value: Json, pointer: string): { value: Json; place: string }[] {
  const [, index] = /^\/(\d+)\//.exec(pointer) ?? [];
  if (index === undefined || !Array.isArray(value)) {
    const own = at(value, pointer);
    return own === undefined ? [] : [{ value: own, place: pointer }];
  }
  const rest = pointer.slice(index.length + 1);
  return value.flatMap((entry, place) => {
    const own = at(entry, rest);
    return own === undefined ? [] : [{ value: own, place: `/${place}${rest}` }];
  });
}
