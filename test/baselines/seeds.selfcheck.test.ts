import { expect, test } from 'vitest';
import { faults } from '../../src/reference/faults/index.ts';
import { isNightly, sampled } from '../nightly/sampled.ts';
import { mismatchesOf, recordedRunOf, runOf } from './fault-baselines.ts';

/** Of every section of the interface, and what another seed sends elsewhere: values, wrong keys, rare failures, bursts. */
const FAULTS = [
  'list-one-too-many',
  'list-status-sold-all',
  'list-limit-100-refused',
  'list-ids-of-rows',
  'fetch-listed-renamed',
  'fetch-text-500',
  'create-200-sold',
  'create-422-fields',
  'create-name-no-tags',
  'create-category-text',
  'pet-status-upper-case',
  'orders-filter-crash',
  'message-number-500',
  'key-any-case',
  'key-wrong-403',
  'scheme-missing',
  'error-code-missing',
  'error-status-always-400',
  'http-hang-fetch',
  'json-every-fifth',
  'json-latin-1',
  'header-limit-missing-401',
  'limit-hexadecimal',
  'remaining-one-high',
  'remaining-absent-at-zero',
  'late-every-tenth',
  'retry-after-lists-alone',
  'early-fetch',
  'read-beside-wrong-key-let-in',
  'address-unversioned',
];

/** Beside the recorded run. `node dist/scripts/baselines.js` tries every fault, and more seeds. */
const WAYS = [{ seed: 5, concurrency: 1 }, ...(isNightly ? [{ seed: 10, concurrency: 4 }] : [])];

test.each(sampled(FAULTS, 10, String, 'seeds'))(
  'the baseline of one seed is that of others, with and without bursts: %s',
  async (id) => {
    const fault = faults.find((each) => each.id === id);
    if (!fault) return expect.fail(`unknown fault ${id}`);
    const others = await Promise.all(WAYS.map((way) => runOf(fault, way)));
    expect(mismatchesOf(fault, [recordedRunOf(fault), ...others])).toEqual([]);
  },
);
