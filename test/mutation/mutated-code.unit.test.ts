import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { bundled, compiled, counting, switched } from '../../scripts/mutation/mutated-code.ts';
import { packageRoot } from '../../src/model/package-root.ts';

/** A function as Stryker writes it with two mutants: the sum is a difference, or the whole is empty. */
const SUM = `
  function stryNS_1() { return globalThis.tried; }
  function stryCov_1(...ids) { globalThis.counted = ids; }
  function stryMutAct_1(id) { return stryNS_1() === id; }
  export function replay() {
    if (stryMutAct_1("0")) {} else {
      stryCov_1("0", "1");
      return stryMutAct_1("1") ? 3 - 2 : (stryCov_1("1"), 3 + 2);
    }
  }`;

/** A folder with files, inside the package, whose modules they import. */
function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(packageRoot, 'node_modules', '.mutation-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

/** Sets what the code in a test sees of its surroundings, until the end of the test. */
function surroundedBy(values: Readonly<Record<string, unknown>>): void {
  Object.assign(globalThis, values);
  onTestFinished(() => {
    for (const name of Object.keys(values)) Reflect.deleteProperty(globalThis, name);
  });
}

/** What the function returns with one mutant, while Stryker says which one it tries. */
async function resultsOf(mutants: readonly (string | undefined)[]): Promise<unknown[]> {
  const file = join(folderOf({ 'replay.ts': SUM }), 'replay.ts');
  const code = compiled(switched(await bundled(file, [])), file);
  surroundedBy({ tried: undefined, counted: undefined });
  return mutants.map((mutant) => {
    Object.assign(globalThis, { tried: mutant });
    return code(mutant).replay();
  });
}

test('code that is compiled once has the mutant that it is evaluated with, and counts nothing', async () => {
  expect(await resultsOf(['1', '0', '2', '1', undefined])).toEqual([1, undefined, 5, 1, 5]);
  expect(globalThis).not.toHaveProperty('counted', expect.anything());
});

test('the places of mutants that are reached are counted, and none is active', async () => {
  const file = join(folderOf({ 'replay.ts': SUM }), 'replay.ts');
  const { code, mutants } = counting(await bundled(file, []));
  const reached = new Uint32Array(mutants);
  surroundedBy({ tried: '0', counted: undefined });
  const { replay } = compiled(code, file)(undefined, reached);
  expect([replay(), replay()]).toEqual([5, 5]);
  expect([...reached]).toEqual([2, 4]);
  expect(globalThis).not.toHaveProperty('counted', expect.anything());
});

test('what one evaluation leaves behind, another does not find', async () => {
  const counter = 'let calls = 0; export const replay = () => { calls += 1; return calls; };';
  const file = join(folderOf({ 'replay.ts': counter }), 'replay.ts');
  const code = compiled(await bundled(file, []), file);
  expect(code().replay()).toBe(1);
  expect(code().replay()).toBe(1);
});

test('a file of unit tests is loaded when it is asked for, with vitest and its own place', async () => {
  const folder = folderOf({
    'replay.ts': 'export const replay = () => globalThis.loaded;',
    'own.unit.test.ts': `
      import { expect } from 'vitest';
      import pLimit from 'p-limit';
      import { jsonParser } from 'stream-json/core/parser.js';
      globalThis.loaded = import.meta.url;
      expect([typeof pLimit, typeof jsonParser]).toEqual(['function', 'function']);`,
  });
  surroundedBy({ loaded: 'nothing' });
  const own = join(folder, 'own.unit.test.ts');
  const file = join(folder, 'replay.ts');
  const code = compiled(await bundled(file, [own]), file)();
  expect(code.replay()).toBe('nothing');
  await code.unitTests[own]?.();
  expect(code.replay()).toBe(`file://${own}`);
});
