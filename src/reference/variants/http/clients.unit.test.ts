import { testChanges, unusual } from '../../../../test/services/change-cases.ts';
import { addressVariants } from './clients.ts';

const KEYLESS = { key: null };

testChanges(addressVariants, [
  unusual(
    'address-redirected',
    '//pets',
    KEYLESS,
    [undefined, '/v1/pets'],
    ({ headers }) => headers.location,
  ),
  unusual(
    'address-page',
    '/pets/',
    KEYLESS,
    ['application/json', 'text/html'],
    ({ headers }) => headers['content-type'],
  ),
  unusual('address-nothing', '/pets/', KEYLESS, [404, 200]),
  unusual('address-502', '/p%65ts', KEYLESS, [401, 502]),
]);
