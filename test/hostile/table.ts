import type { Behaviour } from './behaviour.ts';

export interface Measured {
  seconds: number;
  /** MB */
  peak: number;
}

/** What a behaviour is, and what petspec says of it: the columns of the table that no measurement changes. */
export function rowOf({ does, expected }: Behaviour): string {
  const { verdict, violates, says } = expected;
  const finding = [violates === undefined ? '' : `\`${violates}\``, says ?? ''].filter((each) => each !== '');
  return `| ${does} | ${[verdict, ...finding].join(': ')} |`;
}

/** The table of all behaviours in Markdown. */
export function tableOf(behaviours: readonly Behaviour[], measured: ReadonlyMap<string, Measured>): string {
  const rows = behaviours.map((behaviour) => {
    const { seconds, peak } = measured.get(behaviour.id) ?? {};
    return `${rowOf(behaviour)} ${seconds?.toFixed(1) ?? ''} s | ${peak?.toFixed(0) ?? ''} MB |`;
  });
  return ['| a target that | petspec says | time | memory |', '|---|---|---|---|', ...rows].join('\n');
}

const BEGIN = '<!-- hostile -->';
const END = '<!-- /hostile -->';

/** The page with this table between its marks. */
export function withTable(page: string, table: string): string {
  const [before, rest] = page.split(BEGIN);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined) throw new Error(`README.md has no ${BEGIN} ... ${END}`);
  return `${before}${BEGIN}\n\n${table}\n\n${END}${after}`;
}
