import type { Fault } from './fault.ts';

/** Addresses without a version, or with the version in the wrong place. */
export const versioningFaults: readonly Fault[] = [
  {
    id: 'address-unversioned',
    summary: 'the base address ends without the version',
    violates: ['versioning.address'],
    settings: { basePath: '/api' },
  },
  {
    id: 'address-version-first',
    summary: 'the version comes first in the base address, not last',
    violates: ['versioning.address'],
    settings: { basePath: '/v1/animals' },
  },
];
