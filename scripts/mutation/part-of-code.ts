import type { Ignorer, NodePath } from '@stryker-mutator/api/ignore';
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin';

/** After so many nights, all of the code was changed. */
const NIGHTS = 4;
const DAY_MS = 24 * 60 * 60 * 1_000;

/** The part of the code that is changed: one of so many. */
export interface Part {
  part: number;
  of: number;
}

/**
 * Reads which part to change.
 * @param stated such as `2/4`, or `tonight`: another quarter each night; undefined changes all
 * @throws an error that says what may be stated
 */
export function partOf(stated: string | undefined, now: number): Part {
  if (stated === undefined) return { part: 1, of: 1 };
  if (stated === 'tonight') return { part: 1 + (Math.floor(now / DAY_MS) % NIGHTS), of: NIGHTS };
  const [part = 0, of = 0] = (/^(\d+)\/(\d+)$/.exec(stated) ?? []).slice(1).map(Number);
  if (part < 1 || part > of)
    throw new Error(`PETSPEC_MUTATION_PART is ${stated}: it has to be such as 2/4, or tonight`);
  return { part, of };
}

/** What Stryker tells of a place in the code: its node, and the one around it. */
interface Place extends NodePath {
  node: { loc?: { start: { line: number } } };
  parent?: { type: string };
}

/** Leaves out the functions and other statements of a file that belong to another part, by their lines. */
class PartOfCode implements Ignorer {
  private readonly part = partOf(process.env.PETSPEC_MUTATION_PART, Date.now());

  shouldIgnore(path: NodePath): string | undefined {
    const { node, parent } = path as Place;
    const { part, of } = this.part;
    const line = parent?.type === 'Program' ? node.loc?.start.line : undefined;
    return line !== undefined && line % of !== part - 1 ? 'another part of the code' : undefined;
  }
}

export const strykerPlugins = [declareClassPlugin(PluginKind.Ignore, 'part-of-code', PartOfCode)];
