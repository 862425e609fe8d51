import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { loadContract, readInterface, readSources } from '../../../src/contract/load.ts';
import { realClock } from '../../../src/model/clock.ts';
import { probe } from '../../../src/probes/probe.ts';
import { conduct } from '../../../src/run/conduct.ts';
import { DEFAULT_OPTIONS } from '../../../src/run/options.ts';
import { makePlan } from '../../../src/run/plan.ts';
import { allChecks } from '../../../suites/index.ts';
import { DOCUMENT, KEY, startBookshop } from '../bookshop.ts';

test('a document may describe anything: the plan of a run by it holds reads alone', async () => {
  const contract = await readInterface(DOCUMENT);
  const methods = new Map(contract.operations.map(({ id, method }) => [id, method]));
  expect([...new Set(methods.values())].sort()).toEqual(['DELETE', 'GET', 'PATCH', 'POST', 'PUT']);
  for (const readOnly of [false, true]) {
    const { probes } = makePlan(contract, allChecks(contract), { ...DEFAULT_OPTIONS, readOnly });
    expect(probes.length).toBeGreaterThan(10);
    expect([...new Set(probes.map(({ operation }) => methods.get(operation)))]).toEqual(['GET']);
  }
});

test('an operation that removes is refused where nothing could test it', () => {
  const sources = readSources();
  const removal =
    '  /pets/{petId}:\n    delete: { operationId: removePet, parameters: [{ name: petId, in: path, required: true, schema: { type: integer } }], responses: { "204": { description: Removed. } } }\n';
  const openapi = sources.openapi.replace('  /pets/{petId}:\n', removal);
  expect(() => loadContract({ ...sources, openapi })).toThrow(
    'removePet: petspec sends no DELETE /pets/{petId}',
  );
});

test.each([true, false])('nothing removes or replaces, and --read-only (%s) sends GET alone', (readOnly) => {
  const { operations, ...rest } = loadContract();
  const [, creation, read] = operations;
  if (!creation?.body || !read) throw new Error('the bundled interface has other operations');
  const removal = { ...read, id: 'removePet', method: 'DELETE' };
  const replacement = { ...read, id: 'replacePet', method: 'PUT', body: creation.body };
  const contract = { ...rest, operations: [...operations, removal, replacement] };
  const methods = new Map(contract.operations.map(({ id, method }) => [id, method]));
  const options = { ...DEFAULT_OPTIONS, baseUrl: 'http://127.0.0.1/v1', readOnly };
  const { probes } = makePlan(contract, allChecks(contract), options);
  const sent = new Set(probes.map(({ operation }) => methods.get(operation)));
  expect([...sent].sort()).toEqual(readOnly ? ['GET'] : ['GET', 'POST']);
});

test('a plan that holds something else by mistake is a bug, and nothing of it is sent', async () => {
  const contract = await readInterface(DOCUMENT);
  const { baseUrl, asked } = await startBookshop();
  const removal = contract.operations.find(({ method, path }) => method === 'DELETE' && path === '/books');
  if (!removal) throw new Error('the document has no removal');
  const plan = makePlan(contract, allChecks(contract), DEFAULT_OPTIONS);
  const unsafe = { ...plan, probes: [probe(removal, 'all', 'other', { title: 'a removal' })] };
  const sending = conduct(contract, unsafe, DEFAULT_OPTIONS, { baseUrl, apiKey: KEY }, { clock: realClock });
  await expect(sending).rejects.toThrow('was about to send DELETE /books');
  expect(asked).toEqual([]);
});

test('nothing is sent but to the address of the target, whatever servers the document names', async () => {
  expect(readFileSync(DOCUMENT, 'utf8')).toContain('https://bookshop.example/api');
  const { baseUrl, asked } = await startBookshop();
  const contract = await readInterface(DOCUMENT);
  const plan = makePlan(contract, allChecks(contract), DEFAULT_OPTIONS);
  const { exchanges } = await conduct(
    contract,
    plan,
    DEFAULT_OPTIONS,
    { baseUrl, apiKey: KEY },
    { clock: realClock },
  );
  expect(exchanges.filter(({ url }) => !url.startsWith(`${baseUrl}/`))).toEqual([]);
  expect(exchanges.length).toBe(asked.length);
});
