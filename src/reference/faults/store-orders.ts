import { answering, onCall, withText } from '../changes/changes.ts';
import type { Answer } from '../http/answer.ts';
import { errorAnswer } from '../http/answer.ts';
import type { Fault } from './fault.ts';
import { violating } from './fault.ts';
import { crashing, page } from './mistakes.ts';

const orders = { operation: 'getStoreOrders' } as const;
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
      answering(orders, () => errorAnswer(404, 'not_found', 'the list of orders is empty')),
    ],
    'orders-405': [
      'orders can be placed, but not listed: 405',
      answering(orders, () =>
        errorAnswer(405, 'method_not_allowed', 'this path allows POST', [['Allow', 'POST']]),
      ),
    ],
    'orders-410': [
      'the operation was removed: 410',
      answering(orders, () => errorAnswer(410, 'gone', 'orders have moved')),
    ],
    'orders-no-route': [
      'the path is not routed: 404, with and without a key',
      onCall(orders, (call) => ({ ...call, operation: undefined })),
    ],
  }),
  ...violating('getStoreOrders.responses', {
    'orders-500': ['GET /store/orders returns 500', crashing(orders)],
    'orders-501': [
      'GET /store/orders is not implemented: 501',
      answering(orders, () => errorAnswer(501, 'not_implemented', 'orders come later')),
    ],
    'orders-503': [
      'the service behind GET /store/orders is down: the proxy returns 503',
      answering(orders, () => page(503)),
    ],
  }),
  {
    id: 'orders-public',
    summary: 'GET /store/orders needs no key',
    violates: ['Unauthorized'],
    ...onCall(orders, (call) => ({ ...call, key: 'valid' })),
  },
  ...violating('service.content-type', {
    'orders-text': [
      'the orders are plain text',
      answering(orders, () => typed(200, 'text/plain', 'id\tpet\n1\t1001\n')),
    ],
    'orders-xml': ['the orders are XML', answering(orders, () => typed(200, 'application/xml', '<orders/>'))],
    'orders-binary': [
      'the orders are binary',
      answering(orders, () => typed(200, 'application/octet-stream', Buffer.from([0xff, 0xfe, 0x00, 0x80]))),
    ],
    'orders-large-table': [
      'the orders are a table of nine megabytes',
      answering(orders, () => typed(200, 'text/csv', 'x'.repeat(LARGE))),
    ],
    'orders-403-html': [
      'a gateway rejects GET /store/orders with an HTML page',
      answering(orders, () => page(403)),
    ],
  }),
  ...violating('service.json', {
    'orders-lines': [
      'the orders are one JSON object per line, not a list',
      answering(orders, () => typed(200, 'application/json', '{"id":1}\n{"id":2}\n')),
    ],
    'orders-cut': [
      'the JSON of the orders is truncated',
      withText({ ...orders, status: 200 }, (text) => text.slice(0, -5)),
    ],
  }),
  {
    id: 'orders-refusal-bare',
    summary: 'GET /store/orders is rejected with 403 and an empty object',
    violates: ['errors.elsewhere'],
    ...answering(orders, () => ({ ...errorAnswer(403, '', ''), body: {} })),
  },
];
