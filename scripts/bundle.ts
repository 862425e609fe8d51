/**
 * Makes of petspec's own code what is packed and what `bin/petspec.js` starts: a few files in place of hundreds, which take
 * less time to load and less room. The packages that it needs stay packages.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type OutputOptions } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';
import { packageRoot } from '../src/model/package-root.ts';

/** What others import. The types of each are one file. */
export const PUBLIC = ['src/index', 'src/suite', 'src/vitest/index'];

/** The files that something loads by its place: the executable, `ownModule`, vitest. */
export const ENTRIES = [
  ...PUBLIC,
  'src/cli/main',
  'src/proxy/judging/judge-worker',
  'src/selfcheck/selfcheck-worker',
  'src/vitest/suite/conformance.test',
  'suites/index',
];

/** Packages, without the helpers of the bundler, which are no packages of petspec. */
const external = /^(?!@oxc-project\/)[@\w]/;

/** Bundles the code into a folder. What is imported dynamically stays apart, so that a command loads no other. */
export async function bundleCode(folder: string): Promise<void> {
  const output: OutputOptions = {
    dir: folder,
    entryFileNames: '[name].js',
    // As deep as `src/model/package-root.ts`, which finds the other files from there.
    chunkFileNames: 'src/chunks/[name]-[hash].js',
    comments: false,
  };
  await build({ input: inputs(ENTRIES, packageRoot, '.ts'), platform: 'node', external, output });
}

/** Bundles the types of each entry into one file. @param compiled where the compiler wrote them */
export async function bundleTypes(folder: string, compiled: string): Promise<void> {
  for (const entry of PUBLIC)
    await build({
      input: inputs([entry], compiled, '.d.ts'),
      external,
      plugins: [dts({ dtsInput: true, tsconfig: false })],
      output: { dir: folder },
    });
}

function inputs(names: readonly string[], root: string, ending: string): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, join(root, name + ending)]));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const compiled = join(packageRoot, 'dist');
  const folder = join(compiled, 'package');
  rmSync(folder, { recursive: true, force: true });
  await bundleCode(folder);
  await bundleTypes(folder, compiled);
}
