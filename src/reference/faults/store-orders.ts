import { errorAnswer } from '../answer.ts';
import { answering, onCall } from '../deviations.ts';
import type { Fault } from './fault.ts';
import { crash, page } from './ways.ts';

const orders = { operation: 'getStoreOrders' } as const;

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
    id: 'orders-refusal-bare',
    summary: 'orders are refused with 403 and an empty object',
    violates: ['errors.elsewhere'],
    ...answering(orders, () => ({ ...errorAnswer(403, '', ''), body: {} })),
  },
];
