import { type Exchange, isSuccess } from '../../model/exchange.ts';

/** Whether an exchange shows that what its URL names is not there any more: it was removed now, or before. */
export function isRemoval(exchange: Pick<Exchange, 'method' | 'response'>): boolean {
  const status = exchange.response?.status;
  return exchange.method === 'DELETE' && (isSuccess(exchange) || status === 404 || status === 410);
}
