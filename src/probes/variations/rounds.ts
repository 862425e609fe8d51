import type { Operation, Parameter } from '../../model/contract.ts';
import type { RequestVariation } from '../../model/probe.ts';
import { queryParameters } from '../probe.ts';
import { type Draw, shuffled } from './random.ts';

/** How many of the requests that use up the limit vary. The others are equal, which shows a limiter that ignores repetitions. */
const ROUNDS = 8;

/** Page sizes at which implementations change their behavior: limits of pages and buffers, and rounding. */
export const SIZES = [
  2, 3, 5, 8, 9, 10, 11, 15, 16, 19, 20, 21, 24, 25, 26, 30, 32, 33, 40, 48, 49, 50, 51, 60, 63, 64, 65, 70,
  75, 80, 90, 96, 99,
];

/**
 * Valid queries for the requests that use up a limit: without parameters, as the first request of a run, and with the defaults,
 * which has to return the same; then sizes from the whole range, and every member of an enumeration.
 */
export function roundsOf(operation: Operation, draw: Draw): RequestVariation[][] {
  const drawn = queryParameters(operation)
    .map((parameter) => ({ parameter, values: valuesOf(parameter, draw) }))
    .filter(({ values }) => values.length > 0);
  if (drawn.length === 0) return [];
  const again: RequestVariation = { id: 'query-none', kind: 'query-none' };
  const rounds = Array.from({ length: ROUNDS }, (_, round) => [
    ...drawn.flatMap(({ parameter: { name }, values }): RequestVariation[] => {
      const value = values[round % values.length];
      return value === undefined
        ? []
        : [{ id: `query-value:${name}:${round + 1}`, kind: 'query-value', name, value }];
    }),
    ...(draw(2) === 0 ? [] : [{ id: 'query-order', kind: 'query-order' } as const]),
  ]);
  const defaults = drawn.flatMap(({ parameter: { name, schema } }): RequestVariation[] =>
    schema.default === undefined
      ? []
      : [{ id: `query-default:${name}`, kind: 'query-value', name, value: String(schema.default) }],
  );
  if (defaults.length === 0) return [[again], ...rounds];
  // The smallest limit of a plan has room for two rounds, and a large page shows most.
  const [small = [], large = [], ...rest] = rounds;
  return [[again], large, defaults, small, ...rest];
}

/** Values of a parameter; undefined leaves it out. A small page with a filter and a large page show most, so they come first. */
function valuesOf({ schema, required }: Parameter, draw: Draw): (string | undefined)[] {
  if (schema.enum) {
    const [first, ...members] = shuffled(schema.enum.map(String), draw);
    return [first, ...(required ? [] : [undefined]), ...members];
  }
  const { type, minimum, maximum } = schema;
  if (type !== 'integer' || minimum === undefined || maximum === undefined) return [];
  // One value of each part of the range, preferably one of `SIZES`.
  const parts = Array.from({ length: ROUNDS }, (_, part) => {
    const from = minimum + Math.floor((part * (maximum - minimum + 1)) / ROUNDS);
    const to = minimum + Math.floor(((part + 1) * (maximum - minimum + 1)) / ROUNDS);
    // Other requests have the smallest sizes.
    const telling = SIZES.filter((size) => size >= Math.max(from, minimum + ROUNDS / 2) && size < to);
    return String(telling[draw(Math.max(1, telling.length))] ?? from + draw(Math.max(1, to - from)));
  });
  const [small, large] = [0, ROUNDS / 2 + draw(ROUNDS / 2)];
  const middle = parts.filter((_, part) => part !== small && part !== large);
  return [parts[small], parts[large], ...shuffled(middle, draw)];
}
