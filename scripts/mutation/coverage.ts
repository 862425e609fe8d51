import type { CoverageData, MutantCoverage } from '@stryker-mutator/api/core';

/** Which mutants each test reaches, and how often. */
export class Coverage {
  /** How often each mutant was reached since it was last asked. */
  readonly reached: Uint32Array;
  readonly ofMutants: MutantCoverage = { static: {}, perTest: {} };

  constructor(mutants: number) {
    this.reached = new Uint32Array(mutants);
  }

  /** What was reached since then belongs to this test. */
  of(test: string): void {
    this.ofMutants.perTest[test] = {};
    this.moveTo(this.ofMutants.perTest[test]);
  }

  /** What was reached since then was reached outside of tests. */
  ofNone(): void {
    this.moveTo(this.ofMutants.static);
  }

  private moveTo(counts: CoverageData): void {
    this.reached.forEach((count, id) => {
      if (count > 0) counts[id] = (counts[id] ?? 0) + count;
    });
    this.reached.fill(0);
  }
}
