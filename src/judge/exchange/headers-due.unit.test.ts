import { expect, test } from 'vitest';
import { operation, response } from '../../../test/operations/operations.ts';
import type { Header } from '../../model/contract.ts';
import { headersFor } from './headers.ts';

const header = (name: string): Header => ({
  ...{ name, required: true, section: 'Headers', description: name },
  schema: { type: 'integer' },
});
const [COUNT, LEFT, NOTE] = [header('Count'), header('Left'), header('Note')];

test('a status that is not documented is to carry what all that are carry', () => {
  const several = operation({
    responses: [
      response('200', { headers: [COUNT, NOTE, LEFT] }),
      response('401', { headers: [LEFT, COUNT] }),
      response('429', { headers: [COUNT, NOTE] }),
    ],
  });
  expect(headersFor(several, '401')).toEqual([LEFT, COUNT]);
  expect(headersFor(several, '418')).toEqual([COUNT]);
  expect(headersFor(several, undefined)).toEqual([COUNT]);
  expect(headersFor(operation({ responses: [] }), '200')).toEqual([]);
});
