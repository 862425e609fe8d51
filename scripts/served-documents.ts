/**
 * Serves each OpenAPI document of some folders, runs petspec against the server with `--write`, judges the traffic between them as
 * well, and prints what is held against the server: `node dist/scripts/served-documents.js [--faults] [file or folder...]`. Nothing
 * should be: whatever it prints is a mistake of the server or of the judge. With `--faults` it also prints which general faults of
 * the server each document shows; one that none shows is a failure, too. With `--prism <program>`, Prism is between them, and what
 * it says of the responses is printed instead.
 */
import { parseArgs } from 'node:util';
import { UsageError } from '../src/model/usage-error.ts';
import { generalFaults } from '../src/server/faults.ts';
import { documentsIn, OWN_DOCUMENTS } from '../test/document-server/own-documents.ts';
import { type Problem, servedRun, servedRunOf } from '../test/document-server/served-run.ts';
import { validatedRun } from '../test/document-server/validated-run.ts';

const { values: options, positionals: named } = parseArgs({
  options: { faults: { type: 'boolean', default: false }, prism: { type: 'string' } },
  allowPositionals: true,
});

const lines = (what: string, problems: readonly Problem[]) =>
  problems.map(({ requirement, words }) => `  ${what} ${requirement}: ${words}\n`);

/** Whether a document shows a fault: not if it says nothing of what is wrong, such as a limit. */
async function isFound(file: string, fault: string): Promise<boolean> {
  try {
    return (await servedRunOf(file, fault)).run.length > 0;
  } catch (error) {
    if (error instanceof UsageError) return false;
    throw error;
  }
}

/** What is held against the server of a document, in a line each. */
async function heldAgainst(file: string): Promise<string[]> {
  if (options.prism !== undefined) {
    const { count, held } = await validatedRun(options.prism, file);
    process.stdout.write(`${file}: ${count} exchanges\n`);
    return held.map((each) => `  ${each}\n`);
  }
  const { run, traffic, reached, operations } = await servedRun(file);
  process.stdout.write(`${file}: ${reached} of ${operations} operations\n`);
  return [...lines('run', run), ...lines('traffic', traffic)];
}

async function printFaults(file: string, shown: Map<string, number>): Promise<void> {
  const found: string[] = [];
  for (const { id } of generalFaults) if (await isFound(file, id)) found.push(id);
  for (const id of found) shown.set(id, (shown.get(id) ?? 0) + 1);
  process.stdout.write(`  finds ${found.join(', ') || 'no fault'}\n`);
}

const files = named.length > 0 ? named.flatMap(documentsIn) : OWN_DOCUMENTS;
const shown = new Map(generalFaults.map(({ id }) => [id, 0]));
let wrong = 0;
for (const file of files) {
  try {
    const held = await heldAgainst(file);
    if (held.length > 0) wrong += 1;
    process.stdout.write(held.join(''));
    if (options.faults) await printFaults(file, shown);
  } catch (error) {
    process.stdout.write(`${file}: ${error instanceof Error ? error.message.split('\n')[0] : error}\n`);
  }
}
for (const [id, count] of options.faults ? shown : [])
  process.stdout.write(`${id}: found by ${count} of ${files.length} documents\n`);
const isUnseen = options.faults && [...shown.values()].includes(0);
process.exitCode = wrong > 0 || isUnseen ? 1 : 0;
