// Bundles the types of what others import, one file for each: rolldown -c scripts/bundle/types.js, after the compiler.
import { defineConfig } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';
import { external } from './code.js';

export default ['src/index', 'src/suite', 'src/vitest/index'].map((name) =>
  defineConfig({
    input: { [name]: `dist/${name}.d.ts` },
    external,
    plugins: [dts({ dtsInput: true, tsconfig: false })],
    output: { dir: 'dist/package' },
  }),
);
