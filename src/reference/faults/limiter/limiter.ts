import type { Fault } from '../fault.ts';
import { earlyFaults } from './early.ts';
import { enforcementFaults } from './enforcement.ts';
import { limiterHeaderFaults } from './headers.ts';
import { limitFaults } from './limit.ts';
import { miscountedFaults } from './miscounted.ts';
import { recoveryFaults } from './recovery.ts';
import { limiterRefusalFaults } from './refusals.ts';
import { remainingFaults } from './remaining.ts';
import { remainingCountFaults } from './remaining-count.ts';
import { resetFaults } from './reset.ts';
import { limiterRetryFaults } from './retry-after.ts';
import { secondWindowFaults } from './second-window.ts';
import { toldApartFaults } from './two-counts.ts';

/** Rate limits that are not announced, announced wrongly, or not enforced. */
export const limiterFaults: readonly Fault[] = [
  ...limiterHeaderFaults,
  ...limitFaults,
  ...remainingFaults,
  ...remainingCountFaults,
  ...resetFaults,
  ...limiterRefusalFaults,
  ...limiterRetryFaults,
  ...recoveryFaults,
  ...enforcementFaults,
  ...miscountedFaults,
  ...earlyFaults,
  ...secondWindowFaults,
  ...toldApartFaults,
];
