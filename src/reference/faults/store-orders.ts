import { answering, onCall, withText } from '../changes/changes.ts';
import type { Answer } from '../http/answer.ts';
import { errorAnswer } from '../http/answer.ts';
import { type Fault, violating } from './fault.ts';
import { crashing, page } from './mistakes.ts';
import { ORDERS } from './requests.ts';

const LARGE = 9 * 1024 * 1024;

/** An answer of any type. */
const typed = (status: number, type: string, body: string | Buffer): Answer => ({
  status,
  headers: [['Content-Type', type]],
  body,
});

/** GET /store/orders. */
export const storeOrdersFaults: readonly Fault[] = [
  ...violating('getStoreOrders.exists', {
    'orders-404': [
      'a store without orders returns 404',
      answering(ORDERS, () => errorAnswer(404, 'not_found', 'the list of orders is empty')),
    ],
    'orders-405': [
      'orders can be placed, but not listed: 405',
      answering(ORDERS, () =>
        errorAnswer(405, 'method_not_allowed', 'this path allows POST', [['Allow', 'POST']]),
      ),
    ],
    'orders-410': [
      'the operation was removed: 410',
      answering(ORDERS, () => errorAnswer(410, 'gone', 'orders have moved')),
    ],
    'orders-no-route': [
      'the path is not routed: 404, with and without a key',
      onCall(ORDERS, (call) => ({ ...call, operation: undefined })),
    ],
  }),
  ...violating('getStoreOrders.responses', {
    'orders-500': ['GET /store/orders returns 500', crashing(ORDERS)],
    'orders-501': [
      'GET /store/orders is not implemented: 501',
      answering(ORDERS, () => errorAnswer(501, 'not_implemented', 'orders come later')),
    ],
    'orders-503': [
      'the service behind GET /store/orders is down: the proxy returns 503',
      answering(ORDERS, () => page(503)),
    ],
  }),
  {
    id: 'orders-public',
    summary: 'GET /store/orders needs no key',
    violates: ['Unauthorized'],
    ...onCall(ORDERS, (call) => ({ ...call, key: 'valid' })),
  },
  ...violating('service.content-type', {
    'orders-text': [
      'the orders are plain text',
      answering(ORDERS, () => typed(200, 'text/plain', 'id\tpet\n1\t1001\n')),
    ],
    'orders-xml': ['the orders are XML', answering(ORDERS, () => typed(200, 'application/xml', '<orders/>'))],
    'orders-binary': [
      'the orders are binary',
      answering(ORDERS, () => typed(200, 'application/octet-stream', Buffer.from([0xff, 0xfe, 0x00, 0x80]))),
    ],
    'orders-large-table': [
      'the orders are a table of nine megabytes',
      answering(ORDERS, () => typed(200, 'text/csv', 'x'.repeat(LARGE))),
    ],
    'orders-403-html': [
      'a gateway rejects GET /store/orders with an HTML page',
      answering(ORDERS, () => page(403)),
    ],
  }),
  ...violating('service.json', {
    'orders-lines': [
      'the orders are one JSON object per line, not a list',
      answering(ORDERS, () => typed(200, 'application/json', '{"id":1}\n{"id":2}\n')),
    ],
    'orders-cut': [
      'the JSON of the orders is truncated',
      withText({ ...ORDERS, status: 200 }, (text) => text.slice(0, -5)),
    ],
  }),
  {
    id: 'orders-refusal-bare',
    summary: 'GET /store/orders is rejected with 403 and an empty object',
    violates: ['errors.elsewhere'],
    ...answering(ORDERS, () => ({ ...errorAnswer(403, '', ''), body: {} })),
  },
];
