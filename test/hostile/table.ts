import type { Behavior } from './behavior.ts';

export interface Measured {
  seconds: number;
  /** MB */
  peak: number;
}

/** What a behavior is, and what petspec says of it: the columns of the table that no measurement changes. */
export function rowOf({ does, expected }: Behavior): string {
  const { verdict, violates, says } = expected;
  const finding = [violates === undefined ? '' : `\`${violates}\``, says ?? ''].filter((each) => each !== '');
  return `| ${does} | ${[verdict, ...finding].join(': ')} |`;
}

const BEGIN = '<!-- hostile -->';
const END = '<!-- /hostile -->';

/**
 * The page with the table of all behaviors between its marks; those that were not measured keep the figures that they
 * had.
 * @throws Error where the page has no such marks
 */
export function withTable(
  page: string,
  behaviors: readonly Behavior[],
  measured: ReadonlyMap<string, Measured>,
): string {
  const [before, rest = ''] = page.split(BEGIN);
  const [old = '', after] = rest.split(END);
  if (before === undefined || after === undefined) throw new Error(`the page has no ${BEGIN} ... ${END}`);
  const rows = behaviors.map((behavior) => {
    const row = rowOf(behavior);
    const figures = measured.get(behavior.id);
    if (figures) return `${row} ${figures.seconds.toFixed(1)} s | ${figures.peak.toFixed(0)} MB |`;
    return old.split('\n').find((line) => line.startsWith(row)) ?? `${row} | |`;
  });
  const head = ['| a target that | petspec says | time | memory |', '|---|---|---|---|'];
  return `${before}${BEGIN}\n\n${[...head, ...rows].join('\n')}\n\n${END}${after}`;
}
