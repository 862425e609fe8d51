import type { Contract, Credential, Schema } from '../../model/contract.ts';
import { isSecretName } from '../../secrets/secret-name.ts';

/** Whether the whole value of a header with this name is a secret. */
export type IsSecret = (name: string) => boolean;

/**
 * Tells headers whose whole value is a secret: those in which the interface takes the key, and those whose names say so, unless
 * the interface says that a value is no secret.
 * @param places where the interface takes the key
 */
export function secretHeaders({ operations }: Contract, places: readonly Credential[]): IsSecret {
  const keys = namesOf(places.filter((each) => each.in === 'header'));
  const publics = namesOf(
    operations
      .flatMap(({ parameters, responses }) => [
        ...parameters.filter((each) => each.in === 'header'),
        ...responses.flatMap(({ headers }) => headers),
      ])
      .filter(({ schema }) => isPublic(schema)),
  );
  return (name) => {
    const lower = name.toLowerCase();
    // The scheme before its secret is shown.
    if (lower === 'authorization') return false;
    return keys.has(lower) || (isSecretName(name) && !publics.has(lower));
  };
}

function namesOf(all: readonly { name: string }[]): Set<string> {
  return new Set(all.map(({ name }) => name.toLowerCase()));
}

/** Whether the values of a schema are no secrets: numbers, times, or values that the interface states. */
export function isPublic({ type, format = '', enum: members }: Schema): boolean {
  return (
    (type !== undefined && type !== 'string') || members !== undefined || /^(?:date|time|dura)/.test(format)
  );
}
