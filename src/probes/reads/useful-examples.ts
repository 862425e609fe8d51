import type { Contract, Operation, Parameter } from '../../model/contract.ts';
import { groupedBy } from '../../model/large/lookups.ts';
import { isGeneral } from '../../requests/learnt/id-names.ts';
import { type ParameterAssumption, solved } from './find-reads.ts';

/** A parameter for which the user could state a value with `--example`, and how many more reads that would allow. */
export interface UsefulExample {
  /** `GET /books/{bookId}`, or `*` for every operation with this parameter. */
  operation: string;
  place: Parameter['in'];
  name: string;
  /** Reads that it allows in addition to those that earlier entries of the list allow. */
  reached: number;
}

/** The most values to suggest. */
const MAX_NAMED = 5;

/** The most values to compare for each place of the list: trying one takes as long as planning. */
const MAX_COMPARED = 8;

type ExampleCandidate = Omit<UsefulExample, 'reached'>;

/**
 * The values that would allow the most reads, the best one first. A parameter such as `{owner}` is stated once for all
 * operations; an `{id}` names a different thing in each path, so it is stated for one operation.
 */
export function usefulExamples(contract: Pick<Contract, 'operations'>): UsefulExample[] {
  const chosen: UsefulExample[] = [];
  let { found, missing } = solved(contract);
  while (chosen.length < MAX_NAMED && missing.size > 0) {
    const tried = candidatesIn(contract, missing, chosen).map((candidate) => {
      const result = solved(contract, assuming([...chosen, candidate]));
      return { ...candidate, reached: result.found.size - found.size, result };
    });
    const [best] = tried.toSorted((a, b) => b.reached - a.reached);
    if (!best || best.reached === 0) break;
    const { result, ...example } = best;
    chosen.push(example);
    ({ found, missing } = result);
  }
  return chosen;
}

function assuming(examples: readonly ExampleCandidate[]): ParameterAssumption {
  return (operation, parameter) =>
    examples.some(
      (example) =>
        example.name === parameter.name &&
        example.place === parameter.in &&
        (example.operation === '*' || example.operation === nameOf(operation)),
    );
}

const nameOf = ({ method, path }: Operation) => `${method} ${path}`;

/** The parameters without a value that most operations need. */
function candidatesIn(
  { operations }: Pick<Contract, 'operations'>,
  missing: ReadonlyMap<string, string>,
  chosen: readonly ExampleCandidate[],
): ExampleCandidate[] {
  const isKnown = assuming(chosen);
  const candidates = operations
    .filter(({ id }) => missing.has(id))
    .flatMap((operation) =>
      operation.parameters
        .filter(
          (parameter) =>
            (parameter.in === 'path' || parameter.required) &&
            !parameter.isStated &&
            !isKnown(operation, parameter),
        )
        .map(
          ({ in: place, name }): ExampleCandidate => ({
            operation: isGeneral(name) ? nameOf(operation) : '*',
            place,
            name,
          }),
        ),
    );
  return [...groupedBy(candidates, ({ operation, place, name }) => `${operation} ${place} ${name}`).values()]
    .toSorted((a, b) => b.length - a.length)
    .slice(0, MAX_COMPARED)
    .flatMap(([first]) => first ?? []);
}
