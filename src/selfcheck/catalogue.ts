import { faults } from '../reference/faults/index.ts';
import { OPEN, variants } from '../reference/variants/index.ts';
import type { Catalogue } from './coverage.ts';

/** The faults and variants of the bundled reference. */
export const bundledCatalogue: Catalogue = { faults, variants, open: OPEN };
