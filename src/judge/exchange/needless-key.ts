import type { Contract, Operation } from '../../model/contract.ts';
import type { Exchange } from '../../model/exchange.ts';
import { documentedStatus } from './status.ts';

/** Headers with which somebody may ask to be let in, whatever the document says. */
const USUAL = ['authorization', 'cookie', 'proxy-authorization'];

/**
 * Whether a service asks for a key where the document says that none is needed, and lists no 401. What a request carries
 * may be refused with 401 as well: a name and a password in the body, a token in the path, a key of `--header`.
 * @param isAnyLetIn whether the service accepts other requests; otherwise something before it may ask for a key
 */
export function asksForNeedlessKey(
  exchange: Exchange,
  operation: Operation,
  { operations }: Pick<Contract, 'operations'>,
  isAnyLetIn: boolean,
): boolean {
  const status = exchange.response?.status;
  if (status !== 401 || !isAnyLetIn || !operation.needsNoKey || exchange.recorded === 'traffic') return false;
  if (documentedStatus(operation, status) !== undefined) return false;
  const hasValue =
    operation.path.includes('{') || exchange.requestBody !== undefined || exchange.url.includes('?');
  if (hasValue) return false;
  const ownNames = operation.parameters.map(({ name }) => name);
  const keyNames = operations.map(({ credential }) => credential?.name);
  const secret = new Set([...USUAL, ...ownNames, ...keyNames].map((each) => each?.toLowerCase()));
  return !exchange.requestHeaders.some(([name]) => secret.has(name.toLowerCase()));
}
