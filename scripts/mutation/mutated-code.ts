import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { types } from 'node:util';
import { compileFunction, constants } from 'node:vm';
import { type Plugin, rolldown } from 'rolldown';
import * as vitest from 'vitest';
import type * as replaying from './replay.ts';

/** What the code exports: the recorded runs, and each file of unit tests by its path. Nothing of a file is executed before it is imported. */
export type Evaluated = typeof replaying & { unitTests: Readonly<Record<string, () => Promise<unknown>>> };

/** The mutated code of petspec and its unit tests in one text, without the packages that they use. */
export async function bundled(replay: string, unitTests: readonly string[]): Promise<string> {
  const entry = [
    `export * from ${JSON.stringify(replay)};`,
    'export const unitTests = {',
    ...unitTests.map((file) => `${JSON.stringify(file)}: () => import(${JSON.stringify(file)}),`),
    '};',
  ].join('\n');
  const bundle = await rolldown({
    input: ENTRY,
    platform: 'node',
    // Helpers of the bundler are no packages of petspec.
    external: /^(?!@oxc-project\/)[@\w]/,
    plugins: [entryOf(entry), placed],
  });
  const { output } = await bundle.generate({ format: 'cjs', codeSplitting: false });
  return output[0].code;
}

const ENTRY = './mutated-code';

function entryOf(code: string): Plugin {
  return {
    name: 'entry',
    resolveId: (id) => (id === ENTRY ? { id } : undefined),
    load: (id) => (id === ENTRY ? { code } : undefined),
  };
}

/** Each module keeps its own place, and the suites, which the engine imports by their address, are in the text too. */
const placed: Plugin = {
  name: 'placed',
  transform: (code, id) =>
    code
      .replace(
        'await import(/* @vite-ignore */ url)',
        "url === BUNDLED.href ? await import('../../../suites/index.ts') : $&",
      )
      .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
      .replaceAll('import.meta.dirname', JSON.stringify(dirname(id))),
};

/** Where the code asks whether a mutant is active, and where it counts that mutants are reached. */
const IS_ACTIVE = /\bstryMutAct_\w+(?:\$\d+)?\("(\d+)"\)/g;
const COUNT = /\bstryCov_\w+(?:\$\d+)?\(((?:"\d+"(?:, )?)+)\)/g;

/**
 * The code with a switch of its own for each mutant, in which nothing is counted: Stryker looks up at each place which mutant is
 * active, which takes ten times as long.
 */
export function switched(code: string): string {
  return code.replaceAll(IS_ACTIVE, '(activeMutant === $1 && $&)').replaceAll(COUNT, '0');
}

/**
 * The code without mutants, in which each place counts in a list how often it is reached: with Stryker's own counters, the tests take
 * five times as long.
 */
export function counting(code: string): { code: string; mutants: number } {
  let mutants = 0;
  const counted = code.replaceAll(IS_ACTIVE, 'false').replaceAll(COUNT, (_, quoted: string) => {
    const ids = [...quoted.matchAll(/\d+/g)].map(Number);
    mutants = Math.max(mutants, ...ids.map((id) => id + 1));
    return `(${ids.map((id) => `reached[${id}]++`).join(', ')})`;
  });
  return { code: counted, mutants };
}

/**
 * Compiles the code as if it stood in a file.
 * @returns evaluates all of it anew, with the mutant that has this id or with none, and returns what the code exports. Code that counts
 *   does so in `reached`.
 *   Evaluations share no values, only what Node has compiled: to compile it for each mutant takes longer than most tests.
 */
export function compiled(
  code: string,
  file: string,
): (activeMutant?: string, reached?: Uint32Array) => Evaluated {
  const packages = createRequire(file);
  // Vitest is there once, and cannot be required.
  const required = (id: string): unknown => (id === 'vitest' ? vitest : defaultOf(packages(id)));
  const evaluate = compileFunction(code, ['exports', 'require', 'activeMutant', 'reached'], {
    filename: file,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  return (activeMutant, reached) => {
    const exports = {} as Evaluated;
    evaluate(exports, Object.assign(required, packages), Number(activeMutant), reached);
    return exports;
  };
}

/**
 * A package whose default is a function, as that function with its other exports: the text takes all that it requires for CommonJS, where
 * `import name from` gives the whole.
 */
function defaultOf(required: unknown): unknown {
  if (!types.isModuleNamespaceObject(required)) return required;
  const { default: exported, ...named } = required as { default?: unknown };
  return typeof exported === 'function' ? Object.assign(exported, named) : required;
}
