import { expect, test } from 'vitest';
import { UsageError } from '../model/usage-error.ts';
import { refuseKeyInAddress } from './key-in-address.ts';

const KEY = 'pK-31415926';
const refusing = (key: string | undefined, address: string) => () =>
  refuseKeyInAddress(key, { target: 'http://127.0.0.1/v1', '--api-url': address });

test.each([
  `https://api.example/${KEY}/v1`,
  `https://api.example/${KEY.toUpperCase()}x/v1`,
  'https://api.example/p%4B-31415926/v1',
])('%s is refused, and not quoted', (address) => {
  expect(refusing(KEY, address)).toThrow(UsageError);
  expect(refusing(KEY, address)).toThrow(
    '--api-url: the address contains the API key, which every report would show; use one without it',
  );
});

test.each([
  [KEY, 'https://api.example/v1'],
  [KEY, 'https://api.example/%zz/v1'],
  [KEY, `https://${KEY}.example/v1`],
  // Words that may be there by chance.
  ['test', 'https://api.example/test/v1'],
  ['test1', 'https://api.example/test12/v1'],
  ['animal-store', 'https://api.example/animal-store/v1'],
  ['', 'https://api.example/v1'],
  [undefined, 'https://api.example/v1'],
])('the key %j and %s are taken', (key, address) => {
  expect(refusing(key, address)).not.toThrow();
});
