import type { Operation } from '../contract.ts';
import { rememberingEach } from '../remembering.ts';

/** Operations by id. Indexed, as an interface may have thousands. */
export const operationsById = rememberingEach(
  (operations: readonly Operation[]): ReadonlyMap<string, Operation> =>
    new Map(operations.map((operation) => [operation.id, operation])),
);

/** The paths of an interface, segment by segment. */
export interface PathTree {
  /** The subtrees after segments without parameters. */
  fixed: Map<string, PathTree>;
  /** The subtrees after segments with parameters, whose names do not matter. */
  templates: Map<string, PathTree>;
  /** The operations whose paths end here, with their indices. */
  ends: { operation: Operation; place: number }[];
}

export const pathTree = rememberingEach((operations: readonly Operation[]): PathTree => {
  const root = node();
  for (const [place, operation] of operations.entries()) {
    let last = root;
    for (const segment of operation.path.split('/')) last = nodeAfter(last, segment);
    last.ends.push({ operation, place });
  }
  return root;
});

/** A segment without the names of its parameters. */
export function unnamedSegment(segment: string): string {
  return segment.replace(/\{[^}]+\}/g, '{_}');
}

function node(): PathTree {
  return { fixed: new Map(), templates: new Map(), ends: [] };
}

function nodeAfter({ fixed, templates }: PathTree, segment: string): PathTree {
  const next = segment.includes('{') ? templates : fixed;
  const name = unnamedSegment(segment);
  const child = next.get(name) ?? node();
  next.set(name, child);
  return child;
}
