import { answering, withHeader } from '../changes/changes.ts';
import type { Answer } from '../http/answer.ts';
import { errorAnswer, jsonAnswer } from '../http/answer.ts';
import { COVERAGE } from './freedoms.ts';
import { type Variant, variantOf } from './variant.ts';

const SILENCE =
  'GET /store/orders: "An operation with this path exists. Its parameters, payload and responses: not shown."';
const RECORD = 'Unspecified resources: "Store order record: ... its fields are not shown."';
const LARGE = 9 * 1024 * 1024;
const JSON_TYPE = 'application/json';

function orders(id: string, summary: string, answer: () => Answer, freedom = SILENCE): Variant {
  return variantOf(`orders-${id}`, summary, freedom, answering({ operation: 'getStoreOrders' }, answer));
}

/** An answer with this body, or without a body. */
function raw(status: number, type: string | undefined, body: string | Buffer | undefined): Answer {
  return { status, headers: type === undefined ? [] : [['Content-Type', type]], body };
}

/** Responses of GET /store/orders: the interface shows only its path. */
export const ordersVariants: readonly Variant[] = [
  orders(
    'object',
    'the orders are wrapped in an object',
    () => jsonAnswer(200, { orders: [], total: 0n }),
    RECORD,
  ),
  orders('empty-list', 'the list of orders is empty', () => jsonAnswer(200, []), RECORD),
  orders('null', 'the body is null', () => jsonAnswer(200, null), RECORD),
  orders(
    'like-error',
    'an order has fields code, message and status',
    () => jsonAnswer(200, [{ code: 7n, message: null, status: 'placed' }]),
    RECORD,
  ),
  orders('204', 'an empty list of orders gets 204 without a body', () => raw(204, undefined, undefined)),
  orders(
    '204-gzip',
    'the 204 of an empty list of orders states the coding that a list would have',
    () => ({ ...raw(204, undefined, undefined), headers: [['Content-Encoding', 'gzip']] }),
    'RFC 9110 section 15.3.5: headers of a 204 "refer to the target resource and its selected representation"',
  ),
  orders('empty-body', 'the orders get 200 without a body or a Content-Type', () => raw(200, undefined, '')),
  orders('202', 'the list of orders is created later: 202', () => jsonAnswer(202, { job: 'j-1' })),
  orders('206', 'the response is the first part of the orders: 206', () =>
    jsonAnswer(206, [{ id: 1n }], [['Content-Range', 'orders 0-0/2']]),
  ),
  orders('string', 'the orders are a table, in a JSON string', () =>
    raw(200, JSON_TYPE, JSON.stringify('id\tpet\n1\t1001\n')),
  ),
  orders('large', 'the orders are nine megabytes long', () =>
    raw(200, JSON_TYPE, JSON.stringify('x'.repeat(LARGE))),
  ),
  orders('redirect', 'the orders are redirected to another path', () => ({
    ...raw(302, undefined, undefined),
    headers: [['Location', '/v1/store/orders/all']],
  })),
  orders('redirect-html', 'the orders are redirected to another path, with an HTML page', () => ({
    ...raw(302, 'text/html', '<a href="/v1/store/orders/all">Found</a>'),
    headers: [
      ['Content-Type', 'text/html'],
      ['Location', '/v1/store/orders/all'],
    ],
  })),
  orders('308', 'the path has moved permanently: 308', () => ({
    ...raw(308, undefined, undefined),
    headers: [['Location', '/v1/store/orders/']],
  })),
  orders('400', 'an unlisted parameter is required: 400', () =>
    errorAnswer(400, 'missing_parameter', 'storeId is required'),
  ),
  orders('402', 'the plan does not include orders: 402', () =>
    errorAnswer(402, 'plan', 'upgrade to see orders'),
  ),
  orders('403', 'the key may not see orders: 403', () => errorAnswer(403, 'forbidden', 'not with this key')),
  orders('403-other', 'a gateway rejects the request with its own JSON: 403', () =>
    jsonAnswer(403, { message: 'Forbidden', requestId: '7f3c' }),
  ),
  orders('422', 'an unlisted parameter is required: 422', () =>
    errorAnswer(422, 'missing_parameter', 'from is required'),
  ),
  variantOf(
    'orders-unlimited',
    'the plan does not limit GET /store/orders',
    COVERAGE,
    withHeader({ operation: 'getStoreOrders' }, 'X-RateLimit-Limit', '2147483647'),
    withHeader({ operation: 'getStoreOrders' }, 'X-RateLimit-Remaining', '2147483647'),
  ),
];
