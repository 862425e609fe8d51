import { simultaneousFaults } from './concurrency/simultaneous.ts';
import type { Fault } from './fault.ts';
import { requestHeaderFaults } from './formats/headers.ts';
import { jsonFaults } from './formats/json.ts';
import { requestFaults } from './formats/requests.ts';
import { additionFaults } from './history/additions.ts';
import { againFaults } from './history/again.ts';
import { connectionFaults } from './history/connection.ts';
import { keyHistoryFaults } from './history/keys.ts';
import { addressFaults } from './keys/addresses.ts';
import { wrongKeyFaults } from './keys/wrong-keys.ts';
import { injectionFaults } from './values/injection.ts';
import { lengthFaults } from './values/lengths.ts';
import { markupFaults } from './values/markup.ts';
import { pageFaults } from './values/pages.ts';
import { scriptFaults } from './values/scripts.ts';
import { signFaults } from './values/signs.ts';

/** Faults that show only with another value, another form, another order, or at the same time as something else. */
export const variedFaults: readonly Fault[] = [
  ...scriptFaults,
  ...signFaults,
  ...markupFaults,
  ...pageFaults,
  ...lengthFaults,
  ...injectionFaults,
  ...jsonFaults,
  ...requestHeaderFaults,
  ...requestFaults,
  ...connectionFaults,
  ...keyHistoryFaults,
  ...additionFaults,
  ...againFaults,
  ...simultaneousFaults,
  ...wrongKeyFaults,
  ...addressFaults,
];
