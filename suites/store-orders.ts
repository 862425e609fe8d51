import { ABSENT } from '../src/judge/exchange/status.ts';
import { type Check, eachExchange, headerValue, observe, type Probe } from '../src/suite.ts';

const isOrders = (probe: Probe) => probe.operation === 'getStoreOrders' && probe.key === 'valid';

/** A 404 with a parameter may say that no order has this value. */
const isOrdersAlone = (probe: Probe) => isOrders(probe) && probe.stage !== 'surplus';

/** GET /store/orders: the interface says only that it exists. */
export const storeOrders: readonly Check[] = [
  eachExchange(
    { requirement: 'getStoreOrders.exists', probes: isOrdersAlone, of: 'answered' },
    ({ exchange }) => {
      const status = exchange.response?.status ?? 0;
      if (!ABSENT.includes(status)) return 'held';
      return {
        reason: 'the operation does not exist',
        expected: `a status other than ${ABSENT.join(', ')}`,
        received: `status ${status}`,
      };
    },
  ),
  observe(
    'open.orders',
    isOrders,
    ([orders]) =>
      orders &&
      `the orders get ${orders.exchange.response?.status}, with ${headerValue(orders.exchange.response?.headers ?? [], 'Content-Type') ?? 'no Content-Type'}`,
  ),
  observe('open.order-record', isOrders, ([orders]) =>
    orders?.exchange.response?.body === ''
      ? 'the response has no body'
      : `the response has a body of ${orders?.exchange.response?.body.length} characters`,
  ),
];
