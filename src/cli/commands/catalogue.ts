import { Command } from 'commander';
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
  return listing('faults', rows, ({ summary, violates }) => `${summary} [${violates.join(', ')}]`)
    .description(
      'Lists the faults of the bundled reference and the requirements that each violates. `petspec serve --fault <id>` serves one.',
    )
    .addHelpText('after', '\nExamples:\n  petspec faults\n  petspec serve --fault list-default-25');
}

/** `petspec variants`: lists the variants of the reference, which all conform. */
export function variantsCommand(): Command {
  const rows = variants.map(({ id, summary, freedom, untested }) => ({ id, summary, freedom, untested }));
  return listing('variants', rows, ({ summary, freedom }) => `${summary} [${freedom}]`)
    .description(
      'Lists the variants of the bundled reference. Each differs where the interface allows it, so all conform. `petspec serve --variant <id>` serves one.',
    )
    .addHelpText('after', '\nExamples:\n  petspec variants\n  petspec serve --variant json-pretty');
}

function listing<Row extends { id: string }>(
  name: string,
  rows: readonly Row[],
  words: (row: Row) => string,
): Command {
  const width = Math.max(...rows.map(({ id }) => id.length));
  return new Command(name).option('--json', 'print JSON').action(({ json }: { json?: boolean }) => {
    const lines = rows.map((row) => `${row.id.padEnd(width)}  ${words(row)}\n`);
    process.stdout.write(json ? `${JSON.stringify(rows, null, 2)}\n` : lines.join(''));
  });
}
