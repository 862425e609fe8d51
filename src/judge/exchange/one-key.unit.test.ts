import { expect, test } from 'vitest';
import { contractOf, operation } from '../../../test/operations/operations.ts';
import type { Operation } from '../../model/contract.ts';
import { perhapsOtherKey } from './one-key.ts';

const IN_QUERY = { in: 'query', name: 'api_key' } as const;
const secured = (change: Partial<Operation> = {}) => operation({ secured: true, ...change });
const queried = secured({ id: 'queried', credential: IN_QUERY });
const plain = secured({ id: 'plain' });
const open = operation({ id: 'open', secured: false, credential: IN_QUERY });

const HINT = '; the document has several kinds of keys, and the one of this run may not be one for the ';
const hintOf = (
  asked: Operation,
  status = 401,
  key: 'valid' | 'unknown' = 'valid',
  others: Operation[] = [plain, queried],
) => perhapsOtherKey({ probe: { key }, operation: asked }, status, contractOf(others));

test('an operation of several kinds of keys may refuse the one that another accepts', () => {
  expect(hintOf(queried)).toBe(`${HINT}query api_key`);
  expect(hintOf(queried, 403)).toBe(`${HINT}query api_key`);
  expect(hintOf(plain)).toBe(`${HINT}header Authorization`);
});

test('another status, a wrong key, and an operation that takes none have other reasons', () => {
  expect(hintOf(queried, 404)).toBe('');
  expect(hintOf(queried, 401, 'unknown')).toBe('');
  expect(hintOf(open)).toBe('');
});

test('one kind of key is the same for all operations that take one', () => {
  expect(hintOf(plain, 401, 'valid', [plain, secured({ id: 'other' })])).toBe('');
  expect(hintOf(plain, 401, 'valid', [plain, open])).toBe('');
});
