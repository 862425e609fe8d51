import { Command } from 'commander';

/** `petspec faults`: the ways in which the reference can be wrong. */
export function faultsCommand(): Command {
  return new Command('faults')
    .summary('the faults of the reference, and what each violates')
    .description(
      'Lists the faults of the bundled reference with what each violates; `petspec serve --fault <id>` shows one.',
    )
    .option('--json', 'as JSON')
    .addHelpText('after', '\nExamples:\n  petspec faults\n  petspec serve --fault list-default-25')
    .action(async ({ json }: { json?: boolean }) => {
      const { faults } = await import('../../reference/faults/index.ts');
      const rows = faults.map(({ id, summary, violates, because }) => ({
        id,
        summary,
        violates,
        ...(because ? { because } : {}),
      }));
      print(rows, json, (row) => `${row.summary} [${row.violates.join(', ')}]`);
    });
}

/** `petspec variants`: the ways in which the reference can differ and still conform. */
export function variantsCommand(): Command {
  return new Command('variants')
    .summary('the variants of the reference, and the freedom that each uses')
    .description(
      'Lists the variants of the bundled reference, which all conform; `petspec serve --variant <id>` shows one.',
    )
    .option('--json', 'as JSON')
    .addHelpText('after', '\nExamples:\n  petspec variants\n  petspec serve --variant json-pretty')
    .action(async ({ json }: { json?: boolean }) => {
      const { variants } = await import('../../reference/variants/index.ts');
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
