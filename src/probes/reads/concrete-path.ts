import type { Operation } from '../../model/contract.ts';

/**
 * Whether a path with its values filled in is that of another operation, whose path states what is a parameter here: `/users/me`
 * is not a `/users/{userId}`. Such a path is matched first (OpenAPI 3.1, section 4.8.8.2).
 */
export function isConcretePath(
  pathname: string,
  { id, method, path, address }: Operation,
  operations: Iterable<Operation>,
): boolean {
  const own = path.split('/');
  if (!path.includes('{')) return false;
  const sent = pathname.split('/').slice(-own.length);
  for (const other of operations) {
    if (other.id === id || other.method !== method || other.address !== address) continue;
    const segments = other.path.split('/');
    const isSame = segments.length === own.length && other.path !== path;
    const fits = (segment: string, index: number) =>
      segment.includes('{') ? segment === own[index] : segment === sent[index];
    if (isSame && segments.every(fits)) return true;
  }
  return false;
}
