import type { Operation } from '../contract.ts';
import { rememberingEach } from '../remembering.ts';

/** Operations by their ids: an interface may have thousands. */
export const operationsById = rememberingEach(
  (operations: readonly Operation[]): ReadonlyMap<string, Operation> =>
    new Map(operations.map((each) => [each.id, each])),
);
