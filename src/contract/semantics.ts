import type { Contract, Requirement } from '../model/contract.ts';
import { groupedBy } from '../model/large/grouped.ts';
import { type Resource, resourcesOf } from './resources.ts';
import { FIRST_SET } from './sets.ts';

/** The requirements that follow from what a service lets its clients create. */
export type Semantic = 'id' | 'created' | 'replaced' | 'removed';

/** The id of such a requirement; undefined if nothing of the interface can show it. */
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

/** Good practice, unless requirements.yaml says more. */
export function semanticRequirements(contract: Pick<Contract, 'operations'>): Requirement[] {
  const all = resourcesOf(contract).flatMap((resource) =>
    SEMANTICS.flatMap(({ semantic, statement }): Requirement[] => {
      const id = semanticId(resource, semantic);
      const operation = semantic === 'id' ? resource.create : resource.read;
      if (id === undefined || !operation) return [];
      const { section } = operation;
      const words = statement(resource.create.path);
      return [
        {
          id,
          level: 'should',
          section,
          operation: operation.id,
          statement: words,
          source: 'openapi',
          since: FIRST_SET,
        },
      ];
    }),
  );
  // Two creations may lead to the same things.
  return [...groupedBy(all, ({ id }) => id).values()].flatMap(([first]) => first ?? []);
}
