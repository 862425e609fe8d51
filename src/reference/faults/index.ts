import type { Fault } from './fault.ts';

/** Every fault of the catalogue. */
export const faults: readonly Fault[] = [];
