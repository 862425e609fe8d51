import type { Failure } from '../../model/exchange.ts';
import type { Connection } from './connect.ts';
import { classify, RefusedResponse } from './failures.ts';
import { ProxyProblem } from './proxy.ts';
import type { Arrival } from './response-head.ts';
import { isTls, wrongWithHead } from './wrong-head.ts';

/** What arrived instead of a complete response. */
const ARRIVED: Readonly<Record<Arrival, string>> = {
  nothing: 'nothing came',
  interim: 'only interim responses (1xx) came',
  head: 'its headers do not end',
  body: 'its body does not end',
};

/** A request without a response. */
export interface FailedRequest {
  connection: Connection;
  isTimedOut: boolean;
  isInterrupted: boolean;
  /** ms that the request had. */
  timeout: number;
}

/** Why a request has no response, and whether the service, the way to it or the run is the cause. */
export function explainFailure(error: unknown, failed: FailedRequest): Omit<Failure, 'phase'> {
  const { connection, isTimedOut, isInterrupted, timeout } = failed;
  const isReached = connection.isReached();
  const watch = connection.watch();
  if (isTimedOut && isReached)
    return {
      kind: 'timeout',
      message: `no complete response within ${timeout} ms: ${ARRIVED[watch?.arrival ?? 'nothing']}`,
    };
  const via = connection.proxy === undefined ? '' : ` through the proxy ${connection.proxy}`;
  if (isTimedOut)
    return { kind: 'unreachable', message: `no connection could be made within ${timeout} ms${via}` };
  if (isInterrupted) return { kind: 'interrupted', message: 'the run was interrupted' };
  if (error instanceof ProxyProblem) return { kind: 'unreachable', message: error.message };
  if (isTls(watch?.head ?? ''))
    return { kind: 'tls', message: 'the server speaks TLS; the address must begin with https' };
  // The parser stops at the first unexpected byte, and does not always say what is wrong.
  const wrong = headProblem(connection);
  const failure = classify(wrong === undefined ? error : new RefusedResponse('NO_HTTP', wrong));
  if (isReached || ['refused', 'tls', 'unreachable'].includes(failure.kind)) return failure;
  // Without a connection, the service has not responded.
  return { kind: 'unreachable', message: `no connection could be made${via}: ${failure.message}` };
}

/** What is wrong with the head of the response that arrives over a connection; undefined if nothing is. */
export function headProblem(connection: Connection): string | undefined {
  const head = connection.watch()?.head;
  return head === undefined ? undefined : wrongWithHead(head);
}
