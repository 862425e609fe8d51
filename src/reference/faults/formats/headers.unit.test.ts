import { adding, testChanges, unusual } from '../../../../test/services/change-cases.ts';
import { KEY, type Reply } from '../../../../test/services/running-reference.ts';
import { requestHeaderFaults } from './headers.ts';

const JSON_TYPE = 'application/json';
const type = ({ headers }: Reply) => headers['content-type'];

testChanges(requestHeaderFaults, [
  unusual(
    'header-case-content-type',
    '/pets',
    { ...adding({ name: 'Rex', categoryId: 1 }), headers: { 'Content-Type': JSON_TYPE } },
    [201, 400],
  ),
  unusual(
    'header-case-authorization',
    '/pets/1001',
    { key: null, headers: { AUTHORIZATION: `Bearer ${KEY}` } },
    [200, 401],
  ),
  unusual(
    'header-case-accept',
    '/pets/1001',
    { headers: { Accept: JSON_TYPE } },
    [JSON_TYPE, 'text/html; charset=utf-8'],
    type,
  ),
  unusual('forwarded-crash', '/pets', { headers: { 'X-Forwarded-For': '192.0.2.1' } }, [200, 500]),
]);
