import { Command } from 'commander';
import { faults } from '../../reference/faults/index.ts';
import { variants } from '../../reference/variants/index.ts';

/** `petspec faults`: lists the faults of the reference. */
export function faultsCommand(): Command {
  return new Command('faults')
    .summary('list the faults of the reference')
    .description(
      'Lists the faults of the bundled reference and the requirements that each violates. `petspec serve --fault <id>` serves one.',
    )
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExamples:\n  petspec faults\n  petspec serve --fault list-default-25')
    .action(({ json }: { json?: boolean }) => {
      const rows = faults.map(({ id, summary, violates, because }) => ({
        id,
        summary,
        violates,
        ...(because ? { because } : {}),
      }));
      print(rows, json, (row) => `${row.summary} [${row.violates.join(', ')}]`);
    });
}

/** `petspec variants`: lists the variants of the reference, which all conform. */
export function variantsCommand(): Command {
  return new Command('variants')
    .summary('list the variants of the reference')
    .description(
      'Lists the variants of the bundled reference. Each differs where the interface allows it, so all conform. `petspec serve --variant <id>` serves one.',
    )
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExamples:\n  petspec variants\n  petspec serve --variant json-pretty')
    .action(({ json }: { json?: boolean }) => {
      const rows = variants.map(({ id, summary, freedom, untested }) => ({
        id,
        summary,
        freedom,
        ...(untested ? { untested } : {}),
      }));
      print(rows, json, (row) => `${row.summary} [${row.freedom}]`);
    });
}

function print<Row extends { id: string }>(
  rows: readonly Row[],
  json: boolean | undefined,
  words: (row: Row) => string,
): void {
  if (json) {
    process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
    return;
  }
  const width = Math.max(...rows.map(({ id }) => id.length));
  for (const row of rows) process.stdout.write(`${row.id.padEnd(width)}  ${words(row)}\n`);
}
