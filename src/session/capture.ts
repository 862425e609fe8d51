import { isDeepStrictEqual } from 'node:util';
import { wordsOf } from '../contract/words.ts';
import type { Contract, Operation } from '../model/contract.ts';
import type { Exchange, HeaderLine, Variation } from '../model/exchange.ts';
import type { Probe, RequestVariation } from '../model/probe.ts';
import { readRateLimit } from '../model/rate-limit.ts';
import { rememberingLast } from '../model/remembering.ts';
import type { Answer, Outgoing } from './http/transport.ts';
import { readAnyRateLimit } from './rate-limit-dialects.ts';
import { shownHeaders, shownQuery } from './secrets/authorization.ts';
import { ownSecrets } from './secrets/own-secrets.ts';
import { type Redact, redactor } from './secrets/redact.ts';
import { type RedactResponse, responseRedactor } from './secrets/redact-response.ts';
import type { SessionOptions } from './types.ts';

/** A request that was sent, and what came back. */
export interface Sent {
  id: number;
  probe: Probe;
  operation: Operation;
  variation?: Variation | undefined;
  /** What rode along on it. */
  variations?: readonly RequestVariation[];
  request: Outgoing;
  inFlight: number;
  answer: Answer;
}

/** What must not be shown: the key, secrets of the user's own, and the user's own headers, secret or not. */
interface Hidden {
  apiKey: string;
  own: readonly string[];
  headers: readonly HeaderLine[];
}

type ShownRequest = Pick<Exchange, 'method' | 'url' | 'requestHeaders' | 'requestBody'>;

interface Redaction {
  redact: Redact;
  redactResponse: RedactResponse;
  /** How requests that are sent several times are shown. */
  shown: WeakMap<Outgoing, ShownRequest>;
}

/** The redaction of an interface: its patterns are large, and runs one after the other may hide the same. */
const redactionOf = rememberingLast((contract: Contract, { apiKey, own }: Hidden): Redaction => {
  const redact = redactor(apiKey, own, wordsOf(contract));
  return { redact, redactResponse: responseRedactor(redact, [apiKey, ...own]), shown: new WeakMap() };
}, isDeepStrictEqual);

/** Turns what was sent and received into an exchange without secrets: from here on nothing holds the key. */
export function exchangeCapture(contract: Contract, options: SessionOptions): (sent: Sent) => Exchange {
  const { apiKey, headers } = options;
  const hidden = { apiKey, own: ownSecrets(options), headers };
  const { redact, redactResponse, shown } = redactionOf(contract, hidden);
  const shownOf = (request: Outgoing, { key }: Probe, operation: Operation): ShownRequest => {
    const known = shown.get(request);
    if (known) return known;
    const { method, url, body } = request;
    const made = {
      method,
      // Only what a probe adds can hold a secret; the origin stays as it is.
      url: url.origin + redact(url.pathname + shownQuery(url, key, operation)),
      requestHeaders: shownHeaders(request.headers, key, headers, operation.credential),
      ...(body === undefined ? {} : { requestBody: redact(body) }),
    };
    shown.set(request, made);
    return made;
  };
  // The bundled interface says which headers there are.
  const readLimit = contract.file === undefined ? readRateLimit : readAnyRateLimit;
  return ({ id, probe, operation, variation, variations = [], request, inFlight, answer }) => {
    const { sentAt, receivedAt, failure, isRepeated } = answer;
    const response = answer.response && redactResponse(answer.response);
    return {
      id,
      probe: probe.id,
      operation: operation.id,
      address: operation.address,
      stage: probe.stage,
      key: probe.key,
      ...(variation ? { variation } : {}),
      ...(variations.length > 0 ? { variations: variations.map((each) => each.id) } : {}),
      ...shownOf(request, probe, operation),
      sentAt,
      receivedAt,
      inFlight,
      ...(isRepeated ? { isRepeated } : {}),
      ...(response ? { response } : {}),
      ...(failure ? { failure: { ...failure, message: redact(failure.message) } } : {}),
      rate: response ? readLimit(response.headers, receivedAt) : {},
    };
  };
}
