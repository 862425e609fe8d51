import type { Contract, Operation, Parameter } from '../../model/contract.ts';
import type { Probe } from '../../model/probe.ts';
import { documented, probe, success } from '../probe.ts';
import { isRead, sourceOf } from '../roles.ts';
import { type Draw, shuffled } from '../variations/random.ts';
import { SIZES } from '../variations/rounds.ts';

/**
 * Valid reads of an operation with other values of its query than before: every size with every member of an enumeration
 * and without, in both orders.
 */
export function furtherQueries(operation: Operation, draw: Draw): Probe[] {
  const query = operation.parameters.filter((each) => each.in === 'query');
  if (operation.method !== 'GET' || operation.parameters.length > query.length || query.length === 0)
    return [];
  const combined = query.reduce<(readonly (readonly [string, string])[])[]>(
    (all, parameter) =>
      valuesOf(parameter).flatMap((value) =>
        all.map((each) => (value === undefined ? each : [...each, [parameter.name, value] as const])),
      ),
    [[]],
  );
  return newestFirst(shuffled(combined, draw)).map((each, index) => {
    const sent = draw(2) === 0 ? each : each.toReversed();
    const words = sent.map((pair) => pair.join('='));
    return probe(operation, `further ${words.join('&')}#${index + 1}`, 'surplus', {
      title: words.length === 0 ? 'without parameters, again' : words.join(' and '),
      acceptable: success(operation),
      query: sent,
    });
  });
}

/** Sorts queries by how often those before have their rarest value: what was never sent comes first. */
function newestFirst(queries: readonly Probe['query'][]): Probe['query'][] {
  const seen = new Map<string, number>();
  const ranked = queries.map((query) => {
    const counts = query.map((pair) => seen.get(String(pair)) ?? 0);
    for (const pair of query) seen.set(String(pair), (seen.get(String(pair)) ?? 0) + 1);
    return { query, rank: Math.min(...counts, queries.length) };
  });
  return ranked.sort((one, other) => one.rank - other.rank).map(({ query }) => query);
}

/** Values of a parameter, undefined for none. */
function valuesOf({ schema, required }: Parameter): (string | undefined)[] {
  const none = required ? [] : [undefined];
  if (schema.enum) return [...schema.enum.map(String), ...none];
  const { type, minimum = 1, maximum } = schema;
  if (type !== 'integer' || maximum === undefined) return none;
  const near = [minimum, minimum + 1, maximum - 1, maximum];
  const sizes = [...new Set([...SIZES, ...near])].filter((each) => each >= minimum && each <= maximum);
  return [...sizes.map(String), ...none];
}

/**
 * The reads of what the run created, once more: a service may keep it differently in a cache, or lose it. What has most
 * fields comes first.
 * @param turn how often they were added before
 */
export function readsAgain(planned: readonly Probe[], turn: number): Probe[] {
  const created = new Map(planned.filter(({ creates }) => creates).map((each) => [each.id, each]));
  const fieldsOf = (read: Probe) => {
    const { body } = created.get(sourceOf(read) ?? '') ?? {};
    return body && 'json' in body ? Object.keys(body.json as object).length : 0;
  };
  return planned
    .filter((each) => isRead(each) && created.has(sourceOf(each) ?? ''))
    .toSorted((one, other) => fieldsOf(other) - fieldsOf(one))
    .map(({ variations: _, follows: _follows, ...read }) => ({
      ...read,
      id: read.id.replace(':', `:further-again-${turn + 1} `),
      title: `${read.title}, again`,
    }));
}

/** Entries of the first list that are read by their ids. */
const LISTED = 20;

/** Reads by the links of the contract: of each entry of the first list, and of ids that do not exist. */
export function furtherReads({ operations }: Contract, first: Probe | undefined): Probe[] {
  const source = operations.find(({ id }) => id === first?.operation);
  const links = source?.responses.flatMap((response) => response.links) ?? [];
  return links.flatMap((link) => {
    const target = operations.find(({ id }) => id === link.operation);
    // The link names the first entry.
    if (!first || !target || !link.pointer.startsWith('/0/')) return [];
    const missing = documented(target, '404');
    return Array.from({ length: LISTED - 1 }, (_, index) => [
      probe(target, `further-listed-${index + 2}`, 'surplus', {
        title: `entry ${index + 2} of the list`,
        acceptable: [...success(target), ...missing],
        path: {
          [link.parameter]: {
            late: 'response',
            sources: [{ probe: first.id, pointer: link.pointer.replace('/0/', `/${index + 1}/`) }],
          },
        },
      }),
      ...(missing.length === 0
        ? []
        : [
            probe(target, `further-unknown-${index + 1}`, 'surplus', {
              title: `another ${link.parameter} that does not exist`,
              validity: 'invalid',
              acceptable: missing,
              path: { [link.parameter]: { late: 'random' } },
            }),
          ]),
    ]).flat();
  });
}
