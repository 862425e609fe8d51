/**
 * Serves each OpenAPI document of some folders, runs petspec against the server with `--write`, judges the traffic between them as
 * well, and prints what is held against the server: `node dist/scripts/served-documents.js [--faults] [file or folder...]`. Nothing
 * should be: whatever it prints is a mistake of the server or of the judge. With `--faults` it also prints which general faults of
 * the server each document shows; one that none shows is a failure, too.
 */
import { UsageError } from '../src/model/usage-error.ts';
import { generalFaults } from '../src/server/faults.ts';
import { documentsIn, OWN_DOCUMENTS } from '../test/document-server/own-documents.ts';
import { type Problem, servedRun, servedRunOf } from '../test/document-server/served-run.ts';

const lines = (what: string, problems: readonly Problem[]) =>
  problems.map(({ requirement, words }) => `  ${what} ${requirement}: ${words}\n`).join('');

/** Whether a document shows a fault: not if it says nothing of what is wrong, such as a limit. */
async function isFound(file: string, fault: string): Promise<boolean> {
  try {
    return (await servedRunOf(file, fault)).run.length > 0;
  } catch (error) {
    if (error instanceof UsageError) return false;
    throw error;
  }
}

const named = process.argv.slice(2).filter((each) => each !== '--faults');
const files = named.length > 0 ? named.flatMap(documentsIn) : OWN_DOCUMENTS;
const shown = new Map(generalFaults.map(({ id }) => [id, 0]));
let wrong = 0;
for (const file of files) {
  try {
    const { run, traffic, reached, operations } = await servedRun(file);
    if (run.length + traffic.length > 0) wrong += 1;
    process.stdout.write(`${file}: ${reached} of ${operations} operations\n`);
    process.stdout.write(lines('run', run) + lines('traffic', traffic));
    if (!process.argv.includes('--faults')) continue;
    const found: string[] = [];
    for (const { id } of generalFaults) if (await isFound(file, id)) found.push(id);
    for (const id of found) shown.set(id, (shown.get(id) ?? 0) + 1);
    process.stdout.write(`  finds ${found.join(', ') || 'no fault'}\n`);
  } catch (error) {
    process.stdout.write(`${file}: ${error instanceof Error ? error.message.split('\n')[0] : error}\n`);
  }
}
for (const [id, count] of process.argv.includes('--faults') ? shown : [])
  process.stdout.write(`${id}: found by ${count} of ${files.length} documents\n`);
const isUnseen = process.argv.includes('--faults') && [...shown.values()].includes(0);
process.exitCode = wrong > 0 || isUnseen ? 1 : 0;
