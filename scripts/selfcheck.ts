/**
 * `npm run selfcheck`: the self-check of this checkout. `npm run selfcheck -- --watch <id>` tries one fault or variant, again
 * at every save.
 */
import { spawnSync } from 'node:child_process';
import { watch } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { packageRoot } from '../src/model/package-root.ts';
import { variants } from '../src/reference/variants/index.ts';

const { values, positionals } = parseArgs({
  options: { watch: { type: 'string' } },
  allowPositionals: true,
});
const WATCHED = ['spec', 'src', 'suites'];
/** Editors write a file in several steps (ms). */
const SETTLED_MS = 50;

/** Runs a program of this checkout, and returns whether it succeeds. */
function run(...args: readonly string[]): boolean {
  return spawnSync(process.execPath, args, { cwd: packageRoot, stdio: 'inherit' }).status === 0;
}

function tryOnce(id: string): void {
  const kind = variants.some((each) => each.id === id) ? '--variant' : '--fault';
  run(join('bin', 'petspec.js'), 'selfcheck', kind, id);
}

function tryAtEverySave(id: string): void {
  let settled: NodeJS.Timeout | undefined;
  const again = () => {
    const compiler = join('node_modules', 'typescript', 'bin', 'tsc');
    if (run(compiler, '-p', 'tsconfig.build.json')) tryOnce(id);
  };
  for (const folder of WATCHED)
    watch(join(packageRoot, folder), { recursive: true }, () => {
      clearTimeout(settled);
      settled = setTimeout(again, SETTLED_MS);
    });
  tryOnce(id);
}

if (values.watch !== undefined) tryAtEverySave(values.watch);
else if (!run(join('bin', 'petspec.js'), 'selfcheck', ...positionals)) process.exitCode = 1;
