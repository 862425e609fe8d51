import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import { interfaceOf } from '../../src/run/contract-of.ts';
import { DEFAULT_OPTIONS } from '../../src/run/options.ts';
import { makePlan } from '../../src/run/plan.ts';
import { allChecks } from '../../suites/index.ts';

const ROOT = join(import.meta.dirname, '..', '..');

/** The animal store in a folder, as a user's interface would be. */
function animalStore(): string {
  const folder = mkdtempSync(join(tmpdir(), 'petspec-animals-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of ['openapi.yaml', 'requirements.yaml'])
    copyFileSync(join(ROOT, 'spec', name), join(folder, name));
  mkdirSync(join(folder, 'suites'));
  const suites = JSON.stringify(join(ROOT, 'suites', 'index.ts'));
  writeFileSync(join(folder, 'suites', 'all.mjs'), `export { checks } from ${suites};\n`);
  return folder;
}

test('the animal store as an interface of the user is the bundled one: what it says, what is checked, what is sent', async () => {
  const { contract, checks } = await interfaceOf({ interface: animalStore() });
  const bundled = loadContract();
  const { file, ...own } = contract;
  expect(file).toContain('openapi.yaml');
  expect({ ...own, earlierDigests: bundled.earlierDigests }).toEqual(bundled);
  expect(checks.map(({ requirement }) => requirement)).toEqual(
    allChecks(bundled).map(({ requirement }) => requirement),
  );
  const options = {
    ...DEFAULT_OPTIONS,
    baseUrl: 'http://127.0.0.1/v1',
    apiUrl: 'http://127.0.0.1',
    plan: 'free',
  };
  const asBundled = makePlan(bundled, allChecks(bundled), options);
  const asOwn = makePlan(contract, checks, { ...options, write: true });
  expect(asOwn.probes).toEqual(asBundled.probes);
  expect(asOwn.surplus).toEqual(asBundled.surplus);
  expect(asOwn.cost).toEqual(asBundled.cost);
  const reading = makePlan(contract, checks, options);
  const methods = new Map(contract.operations.map(({ id, method }) => [id, method]));
  expect([...new Set(reading.probes.map(({ operation }) => methods.get(operation)))]).toEqual(['GET']);
});
