import { answering, onCall, withText } from '../changes/changes.ts';
import type { Answer } from '../http/answer.ts';
import { errorAnswer } from '../http/answer.ts';
import { crash, page } from './building-blocks.ts';
import type { Fault } from './fault.ts';

const orders = { operation: 'getStoreOrders' } as const;
const LARGE = 9 * 1024 * 1024;

/** An answer of whatever type. */
const typed = (status: number, type: string, body: string | Buffer): Answer => ({
  status,
  headers: [['Content-Type', type]],
  body,
});

/** GET /store/orders. */
export const storeOrdersFaults: readonly Fault[] = [
  {
    id: 'orders-404',
    summary: 'a store without orders is answered 404',
    violates: ['getStoreOrders.exists'],
    ...answering(orders, () => errorAnswer(404, 'not_found', 'there are no orders')),
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
    summary: 'the operation is gone: 410',
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
    summary: 'GET /store/orders answers 500',
    violates: ['getStoreOrders.responses'],
    ...answering(orders, crash),
  },
  {
    id: 'orders-501',
    summary: 'GET /store/orders is left for later: 501',
    violates: ['getStoreOrders.responses'],
    ...answering(orders, () => errorAnswer(501, 'not_implemented', 'orders come later')),
  },
  {
    id: 'orders-503',
    summary: 'the service behind GET /store/orders is not there: the proxy answers 503',
    violates: ['getStoreOrders.responses'],
    ...answering(orders, () => page(503)),
  },
  {
    id: 'orders-public',
    summary: 'orders are shown to everybody',
    violates: ['Unauthorized'],
    ...onCall(orders, (call) => ({ ...call, key: 'valid' })),
  },
  {
    id: 'orders-text',
    summary: 'the orders come as plain text',
    violates: ['service.content-type'],
    ...answering(orders, () => typed(200, 'text/plain', 'id\tpet\n1\t1001\n')),
  },
  {
    id: 'orders-xml',
    summary: 'the orders come as XML',
    violates: ['service.content-type'],
    ...answering(orders, () => typed(200, 'application/xml', '<orders/>')),
  },
  {
    id: 'orders-binary',
    summary: 'the orders come as bytes that are no text',
    violates: ['service.content-type'],
    ...answering(orders, () => typed(200, 'application/octet-stream', Buffer.from([0xff, 0xfe, 0x00, 0x80]))),
  },
  {
    id: 'orders-large-table',
    summary: 'the orders are nine megabytes of a table',
    violates: ['service.content-type'],
    ...answering(orders, () => typed(200, 'text/csv', 'x'.repeat(LARGE))),
  },
  {
    id: 'orders-403-html',
    summary: 'a gateway refuses the orders with a page of its own',
    violates: ['service.content-type'],
    ...answering(orders, () => page(403)),
  },
  {
    id: 'orders-lines',
    summary: 'each order has a line of its own, and there is no list around them',
    violates: ['service.json'],
    ...answering(orders, () => typed(200, 'application/json', '{"id":1}\n{"id":2}\n')),
  },
  {
    id: 'orders-cut',
    summary: 'the orders end in the middle',
    violates: ['service.json'],
    ...withText({ ...orders, status: 200 }, (text) => text.slice(0, -5)),
  },
  {
    id: 'orders-refusal-bare',
    summary: 'orders are refused with 403 and an empty object',
    violates: ['errors.elsewhere'],
    ...answering(orders, () => ({ ...errorAnswer(403, '', ''), body: {} })),
  },
];
