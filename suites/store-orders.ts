import { type Check, eachExchange, observe } from '../src/judge/check.ts';
import { headerValue } from '../src/model/exchange.ts';
import type { Probe } from '../src/model/probe.ts';

const isOrders = (probe: Probe) => probe.operation === 'getStoreOrders' && probe.key === 'valid';

/** Statuses that say: there is no such operation. */
const ABSENT = [404, 405, 410];

/** GET /store/orders: that it exists is all that is written. */
export const storeOrders: readonly Check[] = [
  eachExchange({ requirement: 'getStoreOrders.exists', probes: isOrders, of: 'answered' }, ({ exchange }) => {
    const status = exchange.response?.status ?? 0;
    if (!ABSENT.includes(status)) return 'held';
    return {
      reason: 'there is no operation with this path',
      expected: `a status other than ${ABSENT.join(', ')}`,
      received: `status ${status}`,
    };
  }),
  observe(
    'open.orders',
    isOrders,
    ([orders]) =>
      orders &&
      `answered ${orders.exchange.response?.status}, ${headerValue(orders.exchange.response?.headers ?? [], 'Content-Type') ?? 'no content type'}`,
  ),
  observe('open.order-record', isOrders, ([orders]) =>
    orders?.exchange.response?.body === ''
      ? 'no body'
      : `${orders?.exchange.response?.body.length} characters of body`,
  ),
];
