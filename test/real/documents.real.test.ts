import { join } from 'node:path';
import { expect, test } from 'vitest';
import { OWN_DOCUMENTS } from '../document-server/own-documents.ts';
import { validatedRun } from '../document-server/validated-run.ts';
import { installed } from './servers.ts';

// The server of each document of the repository, for a validating proxy of others: npm run nightly.

test('Prism holds nothing against what petspec serves by the documents of the repository', async () => {
  const folder = installed('@stoplight/prism-cli@5.14.2');
  const prism = join(folder, 'node_modules', '.bin', 'prism');
  for (const file of OWN_DOCUMENTS) {
    const { count, held } = await validatedRun(prism, file);
    expect([file, held]).toEqual([file, []]);
    expect(count).toBeGreaterThan(5);
  }
  const [petstore = ''] = OWN_DOCUMENTS.filter((each) => each.endsWith('petstore.yaml'));
  for (const fault of ['missing-field', 'wrong-type'])
    expect((await validatedRun(prism, petstore, [fault])).held.length, fault).toBeGreaterThan(0);
}, 1_800_000);
