import type { Operation } from '../../model/contract.ts';
import { pathTree, unnamedSegment } from '../../model/large/lookups.ts';

/**
 * Whether a filled-in path is that of another operation, whose path has a fixed segment in place of a parameter: `/users/me`
 * is not a `/users/{userId}`. Fixed paths are matched first (OpenAPI 3.1, section 4.8.8.2).
 */
export function isConcretePath(
  pathname: string,
  { id, method, path, address }: Operation,
  operations: readonly Operation[],
): boolean {
  const template = path.split('/');
  if (!path.includes('{')) return false;
  const sent = pathname.split('/').slice(-template.length);
  const fits = (segment: string, index: number) =>
    segment.includes('{') ? segment === template[index] : segment === sent[index];
  let reached = [pathTree(operations)];
  for (const [index, segment] of template.entries())
    reached = reached.flatMap(({ fixed, templates }) =>
      [fixed.get(sent[index] ?? ''), templates.get(unnamedSegment(segment))].flatMap(
        (branch) => branch ?? [],
      ),
    );
  return reached
    .flatMap(({ ends }) => ends)
    .some(
      ({ operation: candidate }) =>
        candidate.id !== id &&
        candidate.method === method &&
        candidate.address === address &&
        candidate.path !== path &&
        candidate.path.split('/').every(fits),
    );
}
