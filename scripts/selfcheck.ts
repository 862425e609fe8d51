/**
 * `npm run selfcheck`: the self-check of this checkout, with the options of `petspec selfcheck`. With `--watch <id>`, it
 * tries one fault or variant, again at every save.
 */
import { spawnSync } from 'node:child_process';
import { watch } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../src/model/package-root.ts';
import { changeOf, subjects } from '../src/selfcheck/selfcheck.ts';

const WATCHED = ['spec', 'src', 'suites'];
/** Editors write a file in several steps (ms). */
const SETTLED_MS = 50;

/** Runs a program of this checkout, and returns its exit status. */
function run(...args: readonly string[]): number {
  return spawnSync(process.execPath, args, { cwd: packageRoot, stdio: 'inherit' }).status ?? 1;
}

function selfcheck(...options: readonly string[]): number {
  return run(join('bin', 'petspec.js'), 'selfcheck', ...options);
}

function tryAtEverySave(kind: '--fault' | '--variant', id: string): void {
  let settled: NodeJS.Timeout | undefined;
  const again = () => {
    const compiler = join('node_modules', 'typescript', 'bin', 'tsc');
    const bundler = join('node_modules', 'rolldown', 'bin', 'cli.mjs');
    const isBuilt =
      run(compiler, '-p', 'tsconfig.build.json') === 0 &&
      run(bundler, '-c', 'scripts/bundle/code.js', '--logLevel', 'silent') === 0;
    if (isBuilt) selfcheck(kind, id);
  };
  for (const folder of WATCHED)
    watch(join(packageRoot, folder), { recursive: true }, () => {
      clearTimeout(settled);
      settled = setTimeout(again, SETTLED_MS);
    });
  selfcheck(kind, id);
}

const [option, id = ''] = process.argv.slice(2);
const subject = subjects().find((each) => changeOf(each).id === id);
if (option !== '--watch') process.exitCode = selfcheck(...process.argv.slice(2));
else if (subject) tryAtEverySave('fault' in subject ? '--fault' : '--variant', id);
else {
  process.stderr.write(
    `--watch: unknown fault or variant '${id}'; petspec faults and petspec variants list them\n`,
  );
  process.exitCode = 2;
}
