import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import judge from './judge.stryker.config.mjs';

/** Another seed draws other lines. */
const SEED = process.env.PETSPEC_MUTATION_SEED ?? '1';

/** One line in so many is drawn: each mutant costs up to a whole self-check. */
const ONE_IN = 40;

/** Mutants of the suites and the probes on lines drawn by their text, against the self-check. */
export default {
  ...judge,
  mutate: ['suites', 'src/probes'].flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .flatMap((name) => drawnLines(`${folder}/${name}`)),
  ),
  vitest: { configFile: 'test/mutation/suites.vitest.config.ts', related: false },
  jsonReporter: { fileName: 'test/mutation/report/suites.json' },
};

/** A file's lines that are drawn, as Stryker takes them: `file:from-to`. */
function drawnLines(file) {
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((text, index) => (isDrawn(`${file} ${text}`) ? [`${file}:${index + 1}-${index + 1}`] : []));
}

function isDrawn(text) {
  return createHash('sha256').update(`${SEED} ${text}`).digest().readUInt32BE() < 2 ** 32 / ONE_IN;
}
