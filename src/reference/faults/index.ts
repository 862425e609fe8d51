import { addingFaults } from './animals/adding.ts';
import { echoFaults } from './animals/echo.ts';
import { fetchingFaults, keepingFaults } from './animals/fetching.ts';
import { fieldFaults } from './animals/fields.ts';
import { listPageFaults } from './animals/list-pages.ts';
import { listResponseFaults } from './animals/list-responses.ts';
import { listValueFaults } from './animals/list-values.ts';
import { refusedFaults, validationFaults } from './animals/refused.ts';
import type { Fault } from './fault.ts';
import { additionFaults, countFaults } from './history/additions.ts';
import { absentFaults, afterRecoveryFaults } from './history/after-recovery.ts';
import { againFaults } from './history/again.ts';
import { connectionFaults } from './history/connection.ts';
import { keyHistoryFaults } from './history/keys.ts';
import { bodyFaults, mediaTypeFaults } from './http/bodies.ts';
import { brokenHttpFaults } from './http/broken-http.ts';
import { errorFaults } from './http/errors.ts';
import { addressFaults, versioningFaults } from './keys/addresses.ts';
import { authenticationFaults, keyCheckFaults } from './keys/authentication.ts';
import { wrongKeyFaults } from './keys/wrong-keys.ts';
import { laxBodyFaults, laxMediaTypeFaults } from './lax/bodies.ts';
import { laxFetchFaults } from './lax/fetches.ts';
import { laxFieldFaults } from './lax/fields.ts';
import { laxListFaults } from './lax/lists.ts';
import { drawnFaults, rareFaults } from './lax/rare.ts';
import { enforcementFaults } from './limiter/enforcement.ts';
import { headerFaults, limiterHeaderFaults } from './limiter/headers.ts';
import { limitFaults } from './limiter/limit.ts';
import { miscountedFaults } from './limiter/miscounted.ts';
import { recoveryFaults, secondWindowFaults } from './limiter/recovery.ts';
import { limiterRefusalFaults } from './limiter/refusals.ts';
import { remainingCountFaults, remainingFaults } from './limiter/remaining.ts';
import { resetFaults } from './limiter/reset.ts';
import { limiterRetryFaults } from './limiter/retry-after.ts';
import { earlyFaults, twoCountFaults } from './limiter/two-counts.ts';
import { messageFaults, messageFieldFaults } from './messages.ts';
import { jsonFaults, requestHeaderFaults, unusualFormFaults } from './request-forms.ts';
import { simultaneousFaults } from './simultaneous.ts';
import { storeOrdersFaults } from './store-orders.ts';
import { markupFaults, scriptFaults, signFaults } from './values/names.ts';
import { pageFaults } from './values/pages.ts';
import { unusualValueFaults } from './values/unusual.ts';

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
  ...twoCountFaults,
];

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

/** Every fault of the catalog, by section of the interface. */
export const faults: readonly Fault[] = [
  ...listPageFaults,
  ...listResponseFaults,
  ...listValueFaults,
  ...addingFaults,
  ...echoFaults,
  ...refusedFaults,
  ...validationFaults,
  ...fetchingFaults,
  ...keepingFaults,
  ...storeOrdersFaults,
  ...messageFaults,
  ...messageFieldFaults,
  ...authenticationFaults,
  ...keyCheckFaults,
  ...errorFaults,
  ...fieldFaults,
  ...bodyFaults,
  ...mediaTypeFaults,
  ...brokenHttpFaults,
  ...headerFaults,
  ...limiterFaults,
  ...versioningFaults,
  ...variedFaults,
  ...laxFieldFaults,
  ...laxBodyFaults,
  ...laxMediaTypeFaults,
  ...laxListFaults,
  ...laxFetchFaults,
  ...drawnFaults,
  ...rareFaults,
];
