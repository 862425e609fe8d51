import { eachExchange } from 'petspec/suite';

const booksIn = (value) => (Array.isArray(value?.items) ? value.items : [value]);

/** Prices and problems: what every response holds to. */
export const checks = [
  eachExchange({ requirement: 'books.cents', probes: () => true }, ({ value, documented }) => {
    if (!documented?.status.startsWith('2')) return undefined;
    const prices = booksIn(value).flatMap((book) => (typeof book?.price === 'number' ? [book.price] : []));
    const wrong = prices.find((price) => Math.abs(Math.round(price * 100) - price * 100) > 1e-6);
    if (wrong === undefined) return prices.length > 0 ? 'held' : undefined;
    return { reason: 'a price has more than two decimals', expected: 'cents', received: `price: ${wrong}` };
  }),

  eachExchange({ requirement: 'problems.status', probes: () => true }, ({ value, exchange }) => {
    const status = exchange.response?.status;
    if (status === undefined || status < 400) return undefined;
    if (value?.status === status) return 'held';
    return {
      reason: 'the problem has another status than its response',
      expected: `status: ${status}`,
      received: `status: ${value?.status}`,
      pointer: '/status',
    };
  }),
];
