import { randomBytes } from 'node:crypto';
import { type HeaderLine, headerValue } from '../exchange.ts';

const TRACEPARENT = 'traceparent';

/** Version 00, sampled (W3C Trace Context sections 3.2.2.1 and 3.2.2.5). */
const [VERSION, SAMPLED] = ['00', '01'];

/** The header of a new trace for a request (W3C Trace Context section 3.2). */
export function newTrace(): HeaderLine {
  const traceId = randomBytes(16).toString('hex');
  const parentId = randomBytes(8).toString('hex');
  return [TRACEPARENT, [VERSION, traceId, parentId, SAMPLED].join('-')];
}

export function traceIdOf(requestHeaders: readonly HeaderLine[]): string | undefined {
  return /^00-([\da-f]{32})-[\da-f]{16}-[\da-f]{2}$/.exec(
    headerValue(requestHeaders, TRACEPARENT) ?? '',
  )?.[1];
}
