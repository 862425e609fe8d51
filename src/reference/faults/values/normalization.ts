import type { Fault } from '../fault.ts';
import { echoed, stored } from './renaming.ts';

/** Names that are normalized, which the interface documents nowhere. */
export const normalizationFaults: readonly Fault[] = [
  echoed('name-composed', 'a decomposed name (NFD) comes back composed (NFC)', (name) =>
    name.normalize('NFC'),
  ),
  stored(
    'name-stored-composed',
    'names are stored composed (NFC): a decomposed one is fetched changed',
    (name) => name.normalize('NFC'),
  ),
  echoed('name-blanks-collapsed', 'several blanks in a row come back as one', (name) =>
    name.replaceAll(/\s{2,}/g, ' '),
  ),
];
