import { addingFaults } from './animals/adding.ts';
import { echoFaults } from './animals/echo.ts';
import { fetchingFaults } from './animals/fetching.ts';
import { fieldFaults } from './animals/fields.ts';
import { keepingFaults } from './animals/keeping.ts';
import { listingFaults } from './animals/list-pages.ts';
import { listingAnswerFaults } from './animals/list-responses.ts';
import { listedFaults } from './animals/list-values.ts';
import { refusedFaults } from './animals/refused.ts';
import { validationFaults } from './animals/validation.ts';
import type { Fault } from './fault.ts';
import { bodyFaults } from './http/bodies.ts';
import { httpFaults } from './http/broken-http.ts';
import { errorFaults } from './http/errors.ts';
import { headerFaults } from './http/headers.ts';
import { mediaTypeFaults } from './http/media-type.ts';
import { authenticationFaults } from './keys/authentication.ts';
import { keyCheckFaults } from './keys/key-checks.ts';
import { laxBodyFaults } from './lax/bodies.ts';
import { drawnFaults } from './lax/drawn.ts';
import { laxFetchFaults } from './lax/fetches.ts';
import { laxFieldFaults } from './lax/fields.ts';
import { laxListFaults } from './lax/lists.ts';
import { laxMediaTypeFaults } from './lax/media-types.ts';
import { rareFaults } from './lax/rare.ts';
import { limiterFaults } from './limiter/limiter.ts';
import { messageFieldFaults } from './message-fields.ts';
import { messageFaults } from './messages.ts';
import { storeOrdersFaults } from './store-orders.ts';
import { variedFaults } from './varied.ts';
import { versioningFaults } from './versioning.ts';

/** Every fault of the catalog, by section of the interface. */
export const faults: readonly Fault[] = [
  ...listingFaults,
  ...listingAnswerFaults,
  ...listedFaults,
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
  ...httpFaults,
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
