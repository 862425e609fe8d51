import type { Fault } from './fault.ts';
import { requestHeaderFaults } from './formats/headers.ts';
import { jsonFaults } from './formats/json.ts';
import { absentFaults } from './history/absent.ts';
import { additionFaults } from './history/additions.ts';
import { afterRecoveryFaults } from './history/after-recovery.ts';
import { againFaults } from './history/again.ts';
import { connectionFaults } from './history/connection.ts';
import { countFaults } from './history/counts.ts';
import { keyHistoryFaults } from './history/keys.ts';
import { addressFaults } from './keys/addresses.ts';
import { wrongKeyFaults } from './keys/wrong-keys.ts';
import { unusualFormFaults } from './request-forms.ts';
import { simultaneousFaults } from './simultaneous.ts';
import { markupFaults } from './values/names.ts';
import { pageFaults } from './values/pages.ts';
import { scriptFaults } from './values/scripts.ts';
import { signFaults } from './values/signs.ts';
import { unusualValueFaults } from './values/unusual.ts';

/** Faults that show only with another value, another form, or another order. */
export const variedFaults: readonly Fault[] = [
  ...scriptFaults,
  ...signFaults,
  ...markupFaults,
  ...pageFaults,
  ...unusualValueFaults,
  ...unusualFormFaults,
  ...countFaults,
  ...jsonFaults,
  ...requestHeaderFaults,
  ...connectionFaults,
  ...keyHistoryFaults,
  ...additionFaults,
  ...againFaults,
  ...afterRecoveryFaults,
  ...absentFaults,
  ...wrongKeyFaults,
  ...addressFaults,
  ...simultaneousFaults,
];
