import type { Contract, Operation } from '../../model/contract.ts';
import type { Burst, Exchange, Variation } from '../../model/exchange.ts';
import { readLimitOf } from '../../model/limits/rate-limit.ts';
import type { Probe, RequestVariation } from '../../model/probe.ts';
import type { Confirms } from '../../model/report/confirmation.ts';
import type { Outgoing } from '../../requests/request.ts';
import { headersShown, queryShown } from '../../secrets/keys/keys-of-request.ts';
import type { TransportResult } from '../http/transport.ts';
import type { SessionOptions } from '../terms/types.ts';

/** A request that was sent, and its result. */
export interface SentProbe {
  id: number;
  probe: Probe;
  operation: Operation;
  variation?: Variation | undefined;
  burst?: Burst | undefined;
  confirms?: Confirms | undefined;
  /** The variations that it was sent with. */
  variations?: readonly RequestVariation[];
  request: Outgoing;
  inFlight: number;
  answer: TransportResult;
}

/**
 * Makes an exchange of a request and its result. The key in the request is written as a variable; a key in the response stays
 * until the exchange is hidden.
 */
export function exchangeCapture(contract: Contract, options: SessionOptions): (sent: SentProbe) => Exchange {
  const readLimit = readLimitOf(contract);
  return ({
    id,
    probe,
    operation,
    burst,
    confirms,
    variation,
    variations = [],
    request,
    inFlight,
    answer,
  }) => {
    const { sentAt, receivedAt, response, failure, isRepeated } = answer;
    return {
      id,
      probe: probe.id,
      operation: operation.id,
      address: operation.address,
      stage: probe.stage,
      key: probe.key,
      ...(burst ? { burst } : {}),
      ...(confirms ? { confirms } : {}),
      ...(variation ? { variation } : {}),
      ...(variations.length > 0 ? { variations: variations.map((applied) => applied.id) } : {}),
      method: request.method,
      url: request.url.origin + request.url.pathname + queryShown(request.url, probe, operation),
      requestHeaders: headersShown(request.headers, probe, operation, options.headers),
      ...(request.body === undefined ? {} : { requestBody: request.body }),
      sentAt,
      receivedAt,
      inFlight,
      ...(isRepeated ? { isRepeated } : {}),
      ...(response ? { response } : {}),
      ...(failure ? { failure } : {}),
      rate: response ? readLimit(response.headers, receivedAt) : {},
    };
  };
}
