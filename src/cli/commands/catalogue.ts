import { Command } from 'commander';
import { group } from 'd3-array';
import { faults } from '../../reference/faults/index.ts';
import { variants } from '../../reference/variants/index.ts';

/** `petspec faults`: lists the faults of the reference. */
export function faultsCommand(): Command {
  const rows = faults.map(({ id, summary, violates, because, seeds, plan }) => ({
    id,
    summary,
    violates,
    because,
    seeds,
    plan,
  }));
  return listing('faults', rows, faultLines)
    .description(
      'Lists the faults of the bundled reference and the requirements that each violates. `petspec serve --fault <id>` serves one.',
    )
    .addHelpText('after', '\nExamples:\n  petspec faults\n  petspec serve --fault list-default-25');
}

/** `petspec variants`: lists the variants of the reference, which all conform. */
export function variantsCommand(): Command {
  const rows = variants.map(({ id, summary, freedom, untested }) => ({ id, summary, freedom, untested }));
  return listing('variants', rows, variantLines)
    .description(
      'Lists the variants of the bundled reference. Each differs where the interface allows it, so all conform. `petspec serve --variant <id>` serves one.',
    )
    .addHelpText('after', '\nExamples:\n  petspec variants\n  petspec serve --variant json-pretty');
}

type FaultRow = Pick<(typeof faults)[number], 'id' | 'summary' | 'violates'>;
type VariantRow = Pick<(typeof variants)[number], 'id' | 'summary' | 'freedom'>;

function faultLines(rows: readonly FaultRow[]): string[] {
  const width = widthOf(rows);
  return rows.map(({ id, summary, violates }) => `${id.padEnd(width)}  ${summary} [${violates.join(', ')}]`);
}

/** The variants, grouped by the freedom of the interface that they use. */
function variantLines(rows: readonly VariantRow[]): string[] {
  const width = widthOf(rows);
  return [...group(rows, ({ freedom }) => freedom)].flatMap(([freedom, members], index) => [
    ...(index === 0 ? [] : ['']),
    freedom,
    ...members.map(({ id, summary }) => `  ${id.padEnd(width)}  ${summary}`),
  ]);
}

function widthOf(rows: readonly { id: string }[]): number {
  return Math.max(...rows.map(({ id }) => id.length));
}

function listing<Row>(
  name: string,
  rows: readonly Row[],
  linesOf: (rows: readonly Row[]) => readonly string[],
): Command {
  return new Command(name).option('--json', 'print JSON').action(({ json }: { json?: boolean }) => {
    process.stdout.write(json ? `${JSON.stringify(rows, null, 2)}\n` : `${linesOf(rows).join('\n')}\n`);
  });
}
