import { headerValues, isServerError } from '../../model/exchange.ts';
import { isLenientVariation } from '../../model/probe.ts';
import { type Judged, tellsNothing } from '../judged.ts';
import { headersFor } from './headers.ts';
import { documentedStatus } from './status.ts';

/**
 * A varied request shows how the limiter counts it: the interface does not say whether a service accepts a needless escape,
 * or a header of a proxy from anybody. So a refusal tells nothing else. What a service may refuse is judged unless it does,
 * and a 5xx is wrong in any case. A refusal with a header that every response of the service has comes from the service: the
 * other headers and the body are judged as well.
 */
export function withoutVaried(judged: Judged): Judged {
  const { exchange, probe, deviations } = judged;
  const status = exchange.response?.status ?? 0;
  const isOpen = probe.validity !== 'invalid' && probe.acceptable.length === 0;
  // Where the interface leaves all responses open, a 4xx has no deviation and still is a refusal.
  const isRefused = isOpen && exchange.variation !== undefined && status >= 400;
  const isUsual = judged.outcome === 'answered' && deviations.length === 0 && !isRefused;
  const isLenient = isLenientVariation(exchange.variation) || (isOpen && exchange.variations !== undefined);
  if ((!exchange.variation && !isLenient) || isUsual || status === 429) return judged;
  if (isServerError(exchange) || (isLenient && status < 400)) return judged;
  const [owner] = deviations;
  const reason = `${exchange.response ? 'the service rejects' : 'no response came to'} a request that was varied${isLenient ? '' : ' to get around the limit'}`;
  // A failure ends the exhaustion, and may have the same cause as others.
  const cause = owner && !exchange.response ? { cause: owner.requirement } : {};
  const told = tellsNothing(judged, { reason, ...cause });
  return isOwnRefusal(judged) ? { ...told, deviations } : told;
}

/** Whether a refusal, whose status conforms, has a header that a gateway in front of the service would not add. */
function isOwnRefusal({ exchange: { response }, operation, outcome }: Judged): boolean {
  if (!response || outcome !== 'answered' || operation.mayRefuse) return false;
  return headersFor(operation, documentedStatus(operation, response.status)).some(
    ({ name, required }) => required && headerValues(response.headers, name).length > 0,
  );
}
