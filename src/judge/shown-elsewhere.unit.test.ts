import { expect, test } from 'vitest';
import { contractOf, operation, response } from '../../test/operations/operations.ts';
import { isOfErrors } from './shown-elsewhere.ts';

const contract = contractOf([
  operation({ id: 'list', responses: ['200', '422', 'DEFAULT'].map((status) => response(status)) }),
  operation({ id: 'move', responses: ['302', 'DEFAULT'].map((status) => response(status)) }),
  // These say nothing of a success, so their only description may be meant for it.
  operation({ id: 'check', responses: ['422', '503', 'DEFAULT'].map((status) => response(status)) }),
  operation({ id: 'refuse', responses: ['404', 'DEFAULT'].map((status) => response(status)) }),
  operation({ id: 'any', responses: [response('DEFAULT')] }),
]);

test.each<[what: string, statuses: Record<string, string[]>, isOfErrors: boolean]>([
  ['errors', { list: ['422'], check: ['422', '503'] }, true],
  ['a success', { list: ['200'] }, false],
  ['a success whose number has a 4', { list: ['204'] }, false],
  ['an error and a success', { list: ['200', '422'] }, false],
  ['an error of one operation and a success of another', { check: ['422'], list: ['200'] }, false],
  ['a redirect', { move: ['302'] }, false],
  ['all else beside a success', { list: ['DEFAULT'] }, true],
  ['all else beside a redirect', { move: ['DEFAULT'] }, true],
  ['all else beside errors whose numbers have a 2 or a 3', { check: ['DEFAULT'] }, false],
  ['all else beside another error', { refuse: ['DEFAULT'] }, false],
  ['whatever comes', { any: ['DEFAULT'] }, false],
  ['nothing, as of a parameter', {}, false],
])('what only the responses for %s have', (_what, statuses, expected) => {
  expect(isOfErrors(contract, new Map(Object.entries(statuses)))).toBe(expected);
});
