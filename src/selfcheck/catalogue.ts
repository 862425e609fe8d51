import { faults } from '../reference/faults/index.ts';
import { variants } from '../reference/variants/index.ts';
import { OPEN } from '../reference/variants/open.ts';
import type { Catalogue } from './coverage.ts';

/** The faults and variants of the bundled reference. */
export const bundledCatalogue: Catalogue = { faults, variants, open: OPEN };
