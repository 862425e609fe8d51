import { expect, test } from 'vitest';
import { documentOf, read } from '../document.ts';

test.each<[what: string, operation: object, removal: string | undefined]>([
  ['a day', { deprecated: true, 'x-sunset': '2030-12-05' }, '2030-12-05'],
  ['a time', { deprecated: true, 'x-sunset': '2030-12-05T08:00:00Z' }, '2030-12-05'],
  ['a day of an operation that is not deprecated', { 'x-sunset': '2030-12-05' }, undefined],
  ['no day of the calendar', { deprecated: true, 'x-sunset': '2030-13-45' }, undefined],
  ['words', { deprecated: true, 'x-sunset': 'soon' }, undefined],
  ['a number', { deprecated: true, 'x-sunset': 2030 }, undefined],
  [
    'the word that only the bundled interface has',
    { deprecated: true, 'x-removal': '2030-12-05' },
    undefined,
  ],
])('from x-sunset: %s', async (_what, operation, removal) => {
  const document = documentOf({ type: 'string' });
  Object.assign(document.paths['/things'].get, operation);
  const { operations } = await read({ 'openapi.json': document });
  expect(operations[0]?.removal).toBe(removal);
});
