import { answering, onCall, withText } from '../changes/changes.ts';
import type { Answer } from '../http/answer.ts';
import { errorAnswer } from '../http/answer.ts';
import type { Fault } from './fault.ts';
import { crash, page } from './mistakes.ts';

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
  {
    id: 'orders-404',
    summary: 'a store without orders returns 404',
    violates: ['getStoreOrders.exists'],
    ...answering(orders, () => errorAnswer(404, 'not_found', 'the list of orders is empty')),
  },
  {
    id: 'orders-405',
    summary: 'orders can be placed, but not listed: 405',
    violates: ['getStoreOrders.exists'],
    ...answering(orders, () =>
      errorAnswer(405, 'method_not_allowed', 'this path allows POST', [['Allow', 'POST']]),
    ),
  },
  {
    id: 'orders-410',
    summary: 'the operation was removed: 410',
    violates: ['getStoreOrders.exists'],
    ...answering(orders, () => errorAnswer(410, 'gone', 'orders have moved')),
  },
  {
    id: 'orders-no-route',
    summary: 'the path is not routed: 404, with and without a key',
    violates: ['getStoreOrders.exists'],
    ...onCall(orders, (call) => ({ ...call, operation: undefined })),
  },
  {
    id: 'orders-500',
    summary: 'GET /store/orders returns 500',
    violates: ['getStoreOrders.responses'],
    ...answering(orders, crash),
  },
  {
    id: 'orders-501',
    summary: 'GET /store/orders is not implemented: 501',
    violates: ['getStoreOrders.responses'],
    ...answering(orders, () => errorAnswer(501, 'not_implemented', 'orders come later')),
  },
  {
    id: 'orders-503',
    summary: 'the service behind GET /store/orders is down: the proxy returns 503',
    violates: ['getStoreOrders.responses'],
    ...answering(orders, () => page(503)),
  },
  {
    id: 'orders-public',
    summary: 'GET /store/orders needs no key',
    violates: ['Unauthorized'],
    ...onCall(orders, (call) => ({ ...call, key: 'valid' })),
  },
  {
    id: 'orders-text',
    summary: 'the orders are plain text',
    violates: ['service.content-type'],
    ...answering(orders, () => typed(200, 'text/plain', 'id\tpet\n1\t1001\n')),
  },
  {
    id: 'orders-xml',
    summary: 'the orders are XML',
    violates: ['service.content-type'],
    ...answering(orders, () => typed(200, 'application/xml', '<orders/>')),
  },
  {
    id: 'orders-binary',
    summary: 'the orders are binary',
    violates: ['service.content-type'],
    ...answering(orders, () => typed(200, 'application/octet-stream', Buffer.from([0xff, 0xfe, 0x00, 0x80]))),
  },
  {
    id: 'orders-large-table',
    summary: 'the orders are a table of nine megabytes',
    violates: ['service.content-type'],
    ...answering(orders, () => typed(200, 'text/csv', 'x'.repeat(LARGE))),
  },
  {
    id: 'orders-403-html',
    summary: 'a gateway rejects GET /store/orders with an HTML page',
    violates: ['service.content-type'],
    ...answering(orders, () => page(403)),
  },
  {
    id: 'orders-lines',
    summary: 'the orders are one JSON object per line, not a list',
    violates: ['service.json'],
    ...answering(orders, () => typed(200, 'application/json', '{"id":1}\n{"id":2}\n')),
  },
  {
    id: 'orders-cut',
    summary: 'the JSON of the orders is truncated',
    violates: ['service.json'],
    ...withText({ ...orders, status: 200 }, (text) => text.slice(0, -5)),
  },
  {
    id: 'orders-refusal-bare',
    summary: 'GET /store/orders is rejected with 403 and an empty object',
    violates: ['errors.elsewhere'],
    ...answering(orders, () => ({ ...errorAnswer(403, '', ''), body: {} })),
  },
];
