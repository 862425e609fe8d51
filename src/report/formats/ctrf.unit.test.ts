import { validate as validateCtrf } from 'ctrf';
import { expect, test } from 'vitest';
import { handMade } from '../../../test/reports/hand-made-report.ts';
import { renderCtrf } from './ctrf.ts';

test('one test per requirement, with its own status next to the common one', () => {
  const ctrf = JSON.parse(renderCtrf(handMade));
  expect(validateCtrf(ctrf)).toMatchObject({ valid: true });
  expect(ctrf.results.summary).toMatchObject({
    tests: 7,
    passed: 2,
    failed: 1,
    skipped: 3,
    pending: 0,
    other: 1,
    start: Date.UTC(2026, 10, 21, 10, 0, 0, 250),
    stop: Date.UTC(2026, 10, 21, 10, 1, 2, 250),
  });
  const statuses = ctrf.results.tests.map(({ testId, status, rawStatus }: Record<string, string>) => [
    testId,
    status,
    rawStatus,
  ]);
  expect(statuses).toEqual([
    ['listPets.200', 'passed', 'met'],
    ['listPets.limit', 'passed', 'met'],
    ['listPets.status', 'failed', 'violated'],
    ['getPet.sunset', 'other', 'advisory'],
    ['open.ordering', 'skipped', 'observed'],
    ['createPet.201', 'skipped', 'not-tested'],
    ['getPet.stored', 'skipped', 'not-tested'],
  ]);
  const messages = new Map(
    ctrf.results.tests.map(({ testId, message }: Record<string, string>) => [testId, message]),
  );
  expect(messages.get('open.ordering')).toBe('left open by the interface: by id, ascending');
  expect(messages.get('createPet.201')).toBe('left out: --read-only');
});
