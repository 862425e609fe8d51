import { ABSENT } from '../src/judge/exchange/status.ts';
import { type Check, eachExchange, headerValue, observe, type Probe, stringifyJson } from '../src/suite.ts';
import { animalOf } from './animals.ts';
import { statuses } from './listing.ts';

const isOrders = (probe: Probe) => probe.operation === 'getStoreOrders' && probe.key === 'valid';

/** Requests without parameters: a 404 with a parameter may mean that no order has this value. */
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

/** Message submission: checks of shapes and failures are derived, so these only observe what the interface leaves open. */
export const messages: readonly Check[] = [
  observe(
    'open.message-status',
    (probe) => probe.id === 'sendMessage:minimal',
    ([sent]) => {
      const message = sent && animalOf(sent);
      return (
        sent &&
        `a message gets ${sent.exchange.response?.status}, and its status is ${stringifyJson(message?.status ?? null)}`
      );
    },
  ),
  observe(
    'open.message-type',
    (probe) => probe.operation === 'sendMessage' && probe.validity === 'open',
    statuses,
  ),
  observe(
    'open.message-area',
    (probe) => probe.id === 'sendMessage:minimal',
    ([sent]) => {
      if (!sent?.documented?.schema) return undefined;
      const documented = Object.keys(sent.documented.schema.properties ?? {});
      const extra = Object.keys(animalOf(sent)).filter((name) => !documented.includes(name));
      return extra.length === 0 ? 'no other fields' : `other fields: ${extra.join(', ')}`;
    },
  ),
];
