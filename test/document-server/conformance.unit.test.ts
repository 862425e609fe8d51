import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../../src/index.ts';
import { realClock } from '../../src/model/clock.ts';
import { interfaceOf } from '../../src/run/contract-of.ts';
import { type DocumentServerSettings, startDocumentServer } from '../../src/server/index.ts';

const folder = join(import.meta.dirname, 'documents');
const PETSTORE = join(folder, 'petstore.yaml');
const PROJECTS = join(folder, 'projects.yaml');

/** Serves a document, and judges the server by it. */
async function judged(file: string, settings: Partial<DocumentServerSettings> = {}, options = {}) {
  const { contract } = await interfaceOf({ interface: file });
  const apiKey = 'a-key-of-a-document-4711';
  const server = await startDocumentServer(contract, { clock: realClock, apiKey, ...settings });
  try {
    const { baseUrl } = server;
    const report = await run({ baseUrl, interface: file, write: true, apiKey, ...options });
    const idsWith = (status: string) =>
      report.requirements.filter((each) => each.status === status).map(({ id }) => id);
    return { report, found: [...idsWith('violated'), ...idsWith('advisory')] };
  } finally {
    await server.close();
  }
}

test.each([
  PETSTORE,
  PROJECTS,
  join(import.meta.dirname, '../own-interface/bookshop.openapi.yaml'),
  join(import.meta.dirname, '../../examples/bookshop/openapi.yaml'),
])('%s, served, has every operation as its document says', async (file) => {
  const { report, found } = await judged(file);
  expect([found, report.verdict]).toEqual([[], 'conformant']);
  expect(report.requests.things).toMatchObject({ stillThere: 0, mayHaveBeenCreated: 0 });
  expect(report.requests.things?.created).toBeGreaterThan(0);
});

test.each<[fault: string, requirement: RegExp]>([
  ['missing-field', /^Project\.|^Task\./],
  ['wrong-type', /^Project\.|^Task\./],
  ['lost-creation', /\.created$/],
  ['lost-update', /^getProject\.replaced$/],
  ['lost-removal', /\.removed$/],
  ['same-id', /\.id$/],
  ['one-in-twenty', /./],
  ['any-key', /\.key$/],
  ['no-validation', /./],
  ['not-json', /./],
])('the fault %s is found', async (fault, requirement) => {
  const { found } = await judged(PROJECTS, { faults: [fault] });
  expect(found).toEqual(expect.arrayContaining([expect.stringMatching(requirement)]));
});

test('a limit is kept, and one that lets more through is found', async () => {
  const limits = { minute: 40 };
  const options = { limits };
  const sound = await judged(PROJECTS, { limits, minute: 4_000 }, options);
  expect(sound.found).toEqual([]);
  const late = await judged(PROJECTS, { limits, minute: 4_000, faults: ['late-429'] }, options);
  expect(late.found).toContain('rate-limit.enforced');
});
