import type { Contract, Operation, Requirement } from '../model/contract.ts';
import { groupedBy } from '../model/large/grouped.ts';
import { type Resource, reachableWithKey, resourcesOf } from './resources.ts';
import { FIRST_SET } from './sets.ts';

/** The requirements that follow from what clients can create. */
export type Semantic = 'id' | 'created' | 'replaced' | 'removed';

/** The id of such a requirement; undefined if no operation can show it. */
export function semanticId(
  { create, read, replace, remove }: Resource,
  semantic: Semantic,
): string | undefined {
  if (semantic === 'id') return `${create.id}.id`;
  if (!read || (semantic === 'replaced' && replace.length === 0) || (semantic === 'removed' && !remove))
    return undefined;
  return `${read.id}.${semantic}`;
}

const SEMANTICS: readonly { semantic: Semantic; statement: (thing: string) => string }[] = [
  { semantic: 'id', statement: (thing) => `Each creation of ${thing} gets an id of its own.` },
  { semantic: 'created', statement: (thing) => `What was created at ${thing} can be read.` },
  { semantic: 'replaced', statement: (thing) => `What was replaced or changed at ${thing} is what is read.` },
  { semantic: 'removed', statement: (thing) => `What was removed from ${thing} is gone.` },
];

/** The id of the requirement that this operation with another key does not reach what a key created. */
export function otherKeyId({ id }: Pick<Operation, 'id'>): string {
  return `${id}.other-key`;
}

function otherKeyStatement({ method }: Operation): string {
  if (method === 'GET') return 'What was created with one key is not shown to another one.';
  return `What was created with one key is not ${method === 'DELETE' ? 'removed' : 'changed'} with another one.`;
}

/** Good practice, unless requirements.yaml says more. */
export function semanticRequirements(contract: Pick<Contract, 'operations'>): Requirement[] {
  const requirements = resourcesOf(contract).flatMap((resource) => [
    ...SEMANTICS.flatMap(({ semantic, statement }) => {
      const id = semanticId(resource, semantic);
      const operation = semantic === 'id' ? resource.create : resource.read;
      return id === undefined || !operation ? [] : [advice(id, operation, statement(resource.create.path))];
    }),
    ...reachableWithKey(resource).map((operation) =>
      advice(otherKeyId(operation), operation, otherKeyStatement(operation)),
    ),
  ]);
  // Two operations may create the same things.
  return [...groupedBy(requirements, ({ id }) => id).values()].flatMap(([first]) => first ?? []);
}

function advice(id: string, { id: operation, section }: Operation, statement: string): Requirement {
  return { id, level: 'should', section, operation, statement, source: 'openapi', since: FIRST_SET };
}
