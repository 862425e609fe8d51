import type { Operation, Parameter } from '../../model/contract.ts';
import type { RequestVariation } from '../../model/probe.ts';
import { type Draw, shuffled } from './random.ts';

/** So many requests that use up the limit vary. The others are alike: that shows a limiter that counts no repetitions. */
const ROUNDS = 8;

/** Sizes at which implementations change what they do: pages, buffers, and rounding. */
export const SIZES = [
  2, 3, 5, 8, 9, 10, 11, 15, 16, 19, 20, 21, 24, 25, 26, 30, 32, 33, 40, 48, 49, 50, 51, 60, 63, 64, 65, 70,
  75, 80, 90, 96, 99,
];

/**
 * Valid values of the query for the requests that use up a limit: none, as in the first request of a run, and the defaults, which
 * have to be the same; then sizes all over their range, and every member.
 */
export function roundsOf({ parameters }: Operation, draw: Draw): RequestVariation[][] {
  const drawn = parameters
    .filter((each) => each.in === 'query')
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
  // The smallest limit of a plan leaves room for two, and a large page shows most.
  const [small = [], large = [], ...others] = rounds;
  return [[again], large, defaults, small, ...others];
}

/** Values of a parameter; undefined leaves it out. The first two show most: a small page with a filter, then a large one. */
function valuesOf({ schema, required }: Parameter, draw: Draw): (string | undefined)[] {
  if (schema.enum) {
    const [first, ...members] = shuffled(schema.enum.map(String), draw);
    return [first, ...(required ? [] : [undefined]), ...members];
  }
  const { type, minimum, maximum } = schema;
  if (type !== 'integer' || minimum === undefined || maximum === undefined) return [];
  // One value of each part of the range, rather one that shows something.
  const parts = Array.from({ length: ROUNDS }, (_, part) => {
    const from = minimum + Math.floor((part * (maximum - minimum + 1)) / ROUNDS);
    const to = minimum + Math.floor(((part + 1) * (maximum - minimum + 1)) / ROUNDS);
    // The smallest sizes are sent before.
    const telling = SIZES.filter((each) => each >= Math.max(from, minimum + ROUNDS / 2) && each < to);
    return String(telling[draw(Math.max(1, telling.length))] ?? from + draw(Math.max(1, to - from)));
  });
  const [small, large] = [0, ROUNDS / 2 + draw(ROUNDS / 2)];
  const others = parts.filter((_, part) => part !== small && part !== large);
  return [parts[small], parts[large], ...shuffled(others, draw)];
}
