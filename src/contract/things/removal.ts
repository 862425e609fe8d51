import { type Exchange, isSuccess } from '../../model/exchange.ts';

/** Whether an exchange shows that what its URL names is not there any more: it was removed now, or before. */
export function isRemoval(exchange: Pick<Exchange, 'method' | 'response' | 'key'>): boolean {
  const status = exchange.response?.status;
  // To another key, a thing that is still there may be hidden.
  return (
    exchange.key !== 'second' &&
    exchange.method === 'DELETE' &&
    (isSuccess(exchange) || status === 404 || status === 410)
  );
}
