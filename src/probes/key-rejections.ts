import type { Operation } from '../model/contract.ts';
import { ANY_REJECTION } from '../model/probe.ts';
import { documented } from './probe.ts';

/**
 * What a request with a missing or an unknown key may get: a documented 401 or 403. Where no 401 is documented, nothing says
 * which status it is.
 */
export function keyRejections(operation: Operation): readonly string[] {
  const refused = [...documented(operation, '403'), ...documented(operation, '401')];
  return refused.includes('401') ? refused : ANY_REJECTION;
}

/**
 * Whether a status refuses the right key. Where the document says what may come, not when, a 403 may do so, too.
 */
export function isKeyRefusal(
  { mayRefuse }: Pick<Operation, 'mayRefuse'>,
  status: number | undefined,
): boolean {
  return status === 401 || (mayRefuse === true && status === 403);
}
