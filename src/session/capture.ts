import { isDeepStrictEqual } from 'node:util';
import { wordsOf } from '../contract/words.ts';
import type { Contract, Operation } from '../model/contract.ts';
import type { Exchange, HeaderLine, Variation } from '../model/exchange.ts';
import { isLate, type Probe, type RequestVariation } from '../model/probe.ts';
import { readRateLimit } from '../model/rate-limit.ts';
import type { Answer, Outgoing } from './http/transport.ts';
import { readAnyRateLimit } from './rate-limit-dialects.ts';
import { shownHeaders, shownQuery } from './secrets/authorization.ts';
import { keySecrets, ownSecrets } from './secrets/own-secrets.ts';
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

interface Redaction {
  secrets: readonly string[];
  redact: Redact;
  redactResponse: RedactResponse;
}

/** The last redaction for an interface: its patterns are large, and runs one after the other may have the same secrets. */
const redactions = new WeakMap<Contract, Redaction>();

function redactionOf(contract: Contract, secrets: readonly [key: string, ...own: string[]]): Redaction {
  const last = redactions.get(contract);
  if (last && isDeepStrictEqual(last.secrets, secrets)) return last;
  const [key, ...own] = secrets;
  const redact = redactor(key, own, wordsOf(contract));
  const made = { secrets, redact, redactResponse: responseRedactor(redact, secrets) };
  redactions.set(contract, made);
  return made;
}

/** Turns what was sent and received into an exchange without secrets: from here on nothing holds the key. */
export function exchangeCapture(contract: Contract, options: SessionOptions): (sent: Sent) => Exchange {
  const { redact, redactResponse } = redactionOf(contract, [
    options.apiKey,
    ...keySecrets(options.apiKey, contract),
    ...ownSecrets(options),
  ]);
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
      method: request.method,
      // Only what a probe adds can hold a secret; the origin stays as it is.
      url: request.url.origin + redact(request.url.pathname + shownQuery(request.url, probe.key, operation)),
      requestHeaders: redactLate(
        shownHeaders(request.headers, probe.key, options.headers, operation.credential),
        probe,
        redact,
      ),
      ...(request.body === undefined ? {} : { requestBody: redact(request.body) }),
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

/** Redacts the headers that repeat what a response said: a service may echo the key in an ETag, which If-Match repeats. */
function redactLate(lines: HeaderLine[], { headers = [] }: Probe, redact: Redact): HeaderLine[] {
  const late = new Set(headers.flatMap(([name, value]) => (isLate(value) ? [name.toLowerCase()] : [])));
  if (late.size === 0) return lines;
  return lines.map(([name, value]) => [name, late.has(name.toLowerCase()) ? redact(value) : value]);
}
