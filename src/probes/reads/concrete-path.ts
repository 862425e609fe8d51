import type { Operation } from '../../model/contract.ts';
import { pathTree, unnamedSegment } from '../../model/large/operations.ts';

/**
 * Whether a path with its values filled in is that of another operation, whose path states what is a parameter here: `/users/me`
 * is not a `/users/{userId}`. Such a path is matched first (OpenAPI 3.1, section 4.8.8.2).
 */
export function isConcretePath(
  pathname: string,
  { id, method, path, address }: Operation,
  operations: readonly Operation[],
): boolean {
  const own = path.split('/');
  if (!path.includes('{')) return false;
  const sent = pathname.split('/').slice(-own.length);
  const fits = (segment: string, index: number) =>
    segment.includes('{') ? segment === own[index] : segment === sent[index];
  let reached = [pathTree(operations)];
  for (const [index, segment] of own.entries())
    reached = reached.flatMap(({ fixed, templates }) =>
      [fixed.get(sent[index] ?? ''), templates.get(unnamedSegment(segment))].flatMap((each) => each ?? []),
    );
  return reached
    .flatMap(({ ends }) => ends)
    .some(
      ({ operation: other }) =>
        other.id !== id &&
        other.method === method &&
        other.address === address &&
        other.path !== path &&
        other.path.split('/').every(fits),
    );
}
