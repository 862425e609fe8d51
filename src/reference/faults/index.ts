import { addingFaults } from './adding.ts';
import { authenticationFaults } from './authentication.ts';
import { bodyFaults } from './body.ts';
import { echoFaults } from './echo.ts';
import { errorFaults } from './errors.ts';
import type { Fault } from './fault.ts';
import { fetchingFaults } from './fetching.ts';
import { fieldFaults } from './fields.ts';
import { headerFaults } from './headers.ts';
import { httpFaults } from './http.ts';
import { keepingFaults } from './keeping.ts';
import { keyCheckFaults } from './key-checks.ts';
import { limiterFaults } from './limiter.ts';
import { listedFaults } from './listed.ts';
import { listingFaults } from './listing.ts';
import { listingAnswerFaults } from './listing-answers.ts';
import { mediaTypeFaults } from './media-type.ts';
import { messageFieldFaults } from './message-fields.ts';
import { messageFaults } from './messages.ts';
import { storeOrdersFaults } from './store-orders.ts';
import { validationFaults } from './validation.ts';
import { versioningFaults } from './versioning.ts';

/** Every fault of the catalogue, by section of the interface. */
export const faults: readonly Fault[] = [
  ...listingFaults,
  ...listingAnswerFaults,
  ...listedFaults,
  ...addingFaults,
  ...echoFaults,
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
];
