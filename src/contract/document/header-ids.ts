import type { Operation } from '../../model/contract.ts';
import { derivedRequirements, valueRequirement } from '../requirements.ts';
import { isObject } from '../schema.ts';
import { FILES } from './files/file-references.ts';

/**
 * Operations whose headers have requirements of their own: a header and a component may have the same name, and what is wrong
 * with one says nothing of the other.
 */
export function withHeaderIds(
  operations: readonly Operation[],
  document: Readonly<Record<string, unknown>>,
): readonly Operation[] {
  const names = new Set(
    operations.flatMap(({ responses }) =>
      responses.flatMap(({ headers }) => headers.map(({ name }) => name)),
    ),
  );
  if (![...names].some((name) => mayBeShared(name, document))) return operations;
  const others = operations.map((each) => ({
    ...each,
    responses: each.responses.map((response) => ({ ...response, headers: [] })),
  }));
  const ids = new Set(derivedRequirements(others).map(({ id }) => id));
  const shared = new Set([...names].filter((name) => ids.has(name) || ids.has(valueRequirement({ name }))));
  if (shared.size === 0) return operations;
  return operations.map((each) => ({
    ...each,
    responses: each.responses.map((response) => ({
      ...response,
      headers: response.headers.map((header) =>
        // No id of anything else ends like this: names of components have no spaces.
        shared.has(header.name) ? { ...header, requirement: `${header.name} header` } : header,
      ),
    })),
  }));
}

/** Whether something else may have the name as its id: telling for certain takes as long as reading all requirements. */
function mayBeShared(
  name: string,
  { components, [FILES]: files }: Readonly<Record<string, unknown>>,
): boolean {
  const { schemas } = isObject(components) ? components : {};
  return files !== undefined || name.includes('.') || (isObject(schemas) && Object.hasOwn(schemas, name));
}
