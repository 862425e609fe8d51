/// <reference types="vite/client" />
import { test } from 'vitest';

// All in one file: each file costs a worker. What a mutant keeps from loading fails as a test: of a file without tests Stryker
// would say that its mutant survived.
const unitTests = import.meta.glob([
  '../../src/judge/**/*.unit.test.ts',
  '../../src/probes/**/*.unit.test.ts',
  '../../src/contract/load.unit.test.ts',
  '../../src/run/plan.unit.test.ts',
  // What the animal store does not have, the documents of users do.
  '../own-interface/*.unit.test.ts',
  '../tiny-interface/*.unit.test.ts',
]);
for (const [file, load] of Object.entries(unitTests))
  await load().catch((error: unknown) =>
    test(`${file} loads`, () => {
      throw error;
    }),
  );
