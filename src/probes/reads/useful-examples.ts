import type { Contract, Operation, Parameter } from '../../model/contract.ts';
import { groupedBy } from '../../model/large/grouped.ts';
import { isGeneral } from '../../requests/learnt/id-names.ts';
import { type ParameterAssumption, solved } from './find-reads.ts';

/** A value that the user may state with `--example`, and how many more reads it would allow. */
export interface UsefulExample {
  /** `GET /books/{bookId}`, or `*` for every operation with this parameter. */
  operation: string;
  place: Parameter['in'];
  name: string;
  /** Operations that are reached with it, beyond those that the values before it in the list allow. */
  reached: number;
}

/** Values that are named, at most. */
const MAX_NAMED = 5;

/** Values that are compared for each place of the list: trying one is as much work as planning. */
const MAX_COMPARED = 8;

type ExampleCandidate = Omit<UsefulExample, 'reached'>;

/**
 * The values that would help most, the best one first. Something such as `{owner}` is stated once for all operations; an `{id}`
 * is the id of a different thing in each path, so it is stated for one of them.
 */
export function usefulExamples(contract: Pick<Contract, 'operations'>): UsefulExample[] {
  const chosen: UsefulExample[] = [];
  let { found, missing } = solved(contract);
  while (chosen.length < MAX_NAMED && missing.size > 0) {
    const tried = candidatesIn(contract, missing, chosen).map((each) => {
      const result = solved(contract, assuming([...chosen, each]));
      return { ...each, reached: result.found.size - found.size, result };
    });
    const [best] = tried.toSorted((one, other) => other.reached - one.reached);
    if (!best || best.reached === 0) break;
    const { result, ...example } = best;
    chosen.push(example);
    ({ found, missing } = result);
  }
  return chosen;
}

function assuming(all: readonly ExampleCandidate[]): ParameterAssumption {
  return (operation, parameter) =>
    all.some(
      (each) =>
        each.name === parameter.name &&
        each.place === parameter.in &&
        (each.operation === '*' || each.operation === nameOf(operation)),
    );
}

const nameOf = ({ method, path }: Operation) => `${method} ${path}`;

/** The parameters that most of the operations without a value have. */
function candidatesIn(
  { operations }: Pick<Contract, 'operations'>,
  missing: ReadonlyMap<string, string>,
  chosen: readonly ExampleCandidate[],
): ExampleCandidate[] {
  const isKnown = assuming(chosen);
  const all = operations
    .filter(({ id }) => missing.has(id))
    .flatMap((operation) =>
      operation.parameters
        .filter(
          (each) => (each.in === 'path' || each.required) && !each.isStated && !isKnown(operation, each),
        )
        .map(
          ({ in: place, name }): ExampleCandidate => ({
            operation: isGeneral(name) ? nameOf(operation) : '*',
            place,
            name,
          }),
        ),
    );
  return [...groupedBy(all, ({ operation, place, name }) => `${operation} ${place} ${name}`).values()]
    .toSorted((one, other) => other.length - one.length)
    .slice(0, MAX_COMPARED)
    .flatMap(([first]) => first ?? []);
}
