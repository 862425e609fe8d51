import fc from 'fast-check';
import { hostileName, hostileText } from './texts.ts';

/** A change at a place of a tree of objects and lists. The place is found by numbers, whatever the tree is. */
export interface TreeChange {
  /** At each level the number, modulo the members, of the one to go on with. */
  way: number[];
  kind: 'delete' | 'replace' | 'alike' | 'double' | 'rename' | 'swap';
  name: string;
  value: unknown;
  /** What takes the place of a number where another one is put. */
  number: number;
}

const number = fc.oneof(
  fc.constantFrom(0, -1, 1, 1.5, 404, 2 ** 31, 2 ** 53, 8.64e15, 8.64e15 + 1, 9e15, 1e300, -1e300, 5e-324),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);

const scalar = fc.oneof(hostileText, fc.constantFrom(null, true, false), number);

/** Any JSON value, small, whose names may be any. */
export const anyValue: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(hostileName, tie('value')), { maxLength: 4 }).map(objectOf),
  ),
})).value;

/** An object with these names as its own, whatever they mean elsewhere. */
function objectOf(entries: [string, unknown][]): object {
  return Object.fromEntries(entries);
}

export const treeChange: fc.Arbitrary<TreeChange> = fc.record({
  way: fc.array(fc.nat(1_000), { maxLength: 9 }),
  kind: fc.constantFrom('delete', 'replace', 'alike', 'alike', 'double', 'rename', 'swap'),
  name: hostileName,
  value: anyValue,
  number,
});

/** A copy of a tree with a change in it. */
export function changedTree(tree: unknown, change: TreeChange): unknown {
  const [first, ...way] = change.way;
  const entries = entriesOf(tree);
  if (first === undefined || entries.length === 0)
    return change.kind === 'replace' || change.kind === 'rename' ? change.value : tree;
  const place = first % entries.length;
  const [name, value] = entries[place] as [string, unknown];
  if (way.length > 0 && entriesOf(value).length > 0) {
    const inner = changedTree(value, { ...change, way });
    return rebuilt(tree, entries.with(place, [name, inner]));
  }
  switch (change.kind) {
    case 'delete':
      return rebuilt(tree, entries.toSpliced(place, 1));
    case 'replace':
      return rebuilt(tree, entries.with(place, [name, change.value]));
    case 'alike':
      return rebuilt(tree, entries.with(place, [name, alike(value, change)]));
    case 'double':
      return rebuilt(tree, entries.toSpliced(place, 0, [change.name, value]));
    case 'rename':
      return rebuilt(tree, entries.with(place, [change.name, value]));
    case 'swap': {
      const other = entries[(place + 1) % entries.length] as [string, unknown];
      return rebuilt(tree, entries.with(place, [name, other[1]]));
    }
  }
}

/** Another value of the same type: it passes where only types are looked at. */
function alike(value: unknown, { name, number: other }: TreeChange): unknown {
  if (typeof value === 'number')
    return Number.isInteger(value) && Math.abs(other) < 2 ** 53 ? Math.trunc(other) : other;
  if (typeof value === 'string') return name;
  return typeof value === 'boolean' ? !value : value;
}

function entriesOf(tree: unknown): [string, unknown][] {
  return typeof tree === 'object' && tree !== null ? Object.entries(tree) : [];
}

function rebuilt(like: unknown, entries: [string, unknown][]): unknown {
  return Array.isArray(like) ? entries.map(([, value]) => value) : Object.fromEntries(entries);
}
