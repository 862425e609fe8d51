import { describe, expect, test } from 'vitest';
import { observed } from '../../../../../test/limiters/branching-models.ts';
import { Branches, type ObservedMisfit } from './branches.ts';
import type { Node } from './node.ts';

const node = (name: string, count: number) => ({ state: { key: name }, count }) as Node;
const nameOf = (each: Node | undefined) => each?.state.key;

const [observation] = observed() as [ObservedMisfit['observation']];
const misfit: ObservedMisfit = { kind: 'refused', expected: { lo: 0, hi: 0 }, observation };

/** Branches whose start was looked at. */
function started(isWanted: (each: Node) => boolean = () => true) {
  const start = node('start', 0);
  const branches = new Branches([start], isWanted);
  return { branches, start: branches.next() as Node };
}

describe('the branches of a search', () => {
  test('each is followed to its end before the next', () => {
    const { branches, start } = started();
    branches.add(start, [[node('a', 1), node('b', 1)], [node('c', 1)]].values());
    const a = branches.next() as Node;
    branches.add(a, [[node('a1', 2)], [node('a2', 2)]].values());
    const rest = Array.from({ length: 5 }, () => nameOf(branches.next()));
    expect([nameOf(a), ...rest]).toEqual(['a', 'a1', 'a2', 'b', 'c', undefined]);
  });

  test('after many steps in vain another start has its turn', () => {
    const branches = new Branches([node('start', 0), node('other', 0)], () => true, 2);
    const start = branches.next() as Node;
    branches.add(start, [[node('a', 1), node('b', 1), node('c', 1), node('d', 1), node('e', 1)]].values());
    const others: (Node | undefined)[] = Array.from({ length: 5 }, () => branches.next());
    expect(others.map(nameOf)).toEqual(['a', 'b', 'c', 'd', 'other']);
    branches.add(others.at(-1) as Node, [[node('x', 2)]].values());
    const rest = Array.from({ length: 3 }, () => nameOf(branches.next()));
    expect(rest).toEqual(['x', 'e', undefined]);
  });

  test('a part is made only when its turn comes', () => {
    const made: string[] = [];
    function* parts() {
      for (const name of ['a', 'b']) {
        made.push(name);
        yield [node(name, 1)];
      }
    }
    const { branches, start } = started();
    branches.add(start, parts() as Iterator<readonly Node[], undefined>);
    expect(made).toEqual([]);
    expect([nameOf(branches.next()), [...made]]).toEqual(['a', ['a']]);
    expect([nameOf(branches.next()), [...made]]).toEqual(['b', ['a', 'b']]);
  });

  test('what is not wanted is passed over', () => {
    const { branches, start } = started((each) => nameOf(each) !== 'a');
    branches.add(start, [[node('a', 1)], [], [node('b', 1)]].values());
    expect([nameOf(branches.next()), branches.next()]).toEqual(['b', undefined]);
  });

  test('the furthest has the most before its misfit: of those with as many, it is the first', () => {
    const { branches, start } = started();
    expect(branches.furthest).toEqual({ node: start });
    branches.add(start, [[misfit, node('a', 1), node('b', 1)]].values());
    const a = branches.next() as Node;
    expect(branches.furthest).toEqual({ node: start, misfit });
    branches.add(a, [[misfit]].values());
    const b = branches.next() as Node;
    branches.add(b, [[{ ...misfit, kind: 'reset' as const }]].values());
    branches.next();
    expect(branches.furthest).toEqual({ node: a, misfit });
  });

  test('nodes that get no further than those before them are in vain', () => {
    const { branches, start } = started();
    const inVain = [branches.inVain];
    branches.add(start, [[node('a', 2), node('b', 1), node('c', 2), node('d', 3)]].values());
    for (let index = 0; index < 4; index += 1) {
      branches.next();
      inVain.push(branches.inVain);
    }
    expect(inVain).toEqual([0, 0, 1, 2, 0]);
  });
});
