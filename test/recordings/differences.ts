/** Why the recording of a fault does not show what its run shows, and the faults. */
export interface Difference {
  reason: string;
  faults: readonly string[];
}

/** Of petspec's own recordings. Everything else is found by the same requirement, and by no other. */
export const OWN_DIFFERENCES: readonly Difference[] = [
  {
    reason:
      'a HAR does not say what rode along on a request, so another requirement of the same request is named',
    faults: [
      ...['name-injection-500', 'name-bell-500', 'charset-500', 'type-case-500', 'chunks-500'],
      ...['additions-together-500', 'list-beside-orders-500', 'list-status-upper-case', 'rare-list-crash'],
    ],
  },
  {
    reason: 'a request of the exhaustion has an id that nobody knows',
    faults: ['fetch-unknown-null', 'fetch-unknown-error-200', 'fetch-unknown-500', 'fetch-unknown-latest'],
  },
  {
    reason: 'another spelling of an address is another address',
    faults: [
      ...['address-slash-public', 'address-doubled-public', 'address-encoded-public'],
      ...['address-slash-fetch-public', 'address-doubled-fetch-public'],
      ...['escaped-path-without-id', 'id-percent-crash', 'drawn-id-comma-crash'],
    ],
  },
  {
    reason: 'a base address that does not end with the version is not told',
    faults: ['address-unversioned', 'address-version-first'],
  },
  {
    reason: 'without a 429 nobody knows why the run did not use up the limit',
    faults: ['never-refuses-last-five', 'late-half-counted', 'late-two-nodes'],
  },
  {
    reason: 'nobody knows whether others gave their animals the names of the recording',
    faults: [
      ...['refused-key-stored', 'refused-scheme-stored', 'refused-status-stored', 'refused-category-stored'],
      ...['added-twice', 'added-twice-sold'],
    ],
  },
  {
    reason: 'a service may refuse a body with an unknown field in its own way',
    faults: ['create-same-name-409'],
  },
  {
    reason:
      'the requests of a burst may have been counted in any order, and each may have taken another number off',
    faults: ['counted-twice', 'counted-twice-sliding'],
  },
  {
    reason: 'nobody knows which categories exist',
    faults: ['create-category-unknown-404'],
  },
];
