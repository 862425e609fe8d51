// Bundles petspec's own code into what is packed and what `bin/petspec.js` starts: a few files in place of hundreds, which take
// less time to load and less room. The build runs it: rolldown -c scripts/bundle/code.js
import { defineConfig } from 'rolldown';

/** What is loaded by its place: by the exports of the package, the executable, `ownModule` and vitest. */
export const ENTRIES = [
  'src/index',
  'src/suite',
  'src/vitest/index',
  'src/cli/main',
  'src/proxy/judging/judge-worker',
  'src/selfcheck/selfcheck-worker',
  'src/vitest/suite/conformance.test',
  'suites/index',
];

/** Packages stay packages: their fixes reach users without a release of petspec. Helpers of the bundler are no packages. */
export const external = /^(?!@oxc-project\/)[@\w]/;

export default defineConfig({
  input: Object.fromEntries(ENTRIES.map((name) => [name, `${name}.ts`])),
  platform: 'node',
  external,
  output: {
    dir: 'dist/package',
    entryFileNames: '[name].js',
    // What is imported dynamically stays apart, so that a command loads no other. As deep as `src/model/package-root.ts`, which
    // finds the entries from there.
    chunkFileNames: 'src/chunks/[name]-[hash].js',
    comments: false,
  },
});
