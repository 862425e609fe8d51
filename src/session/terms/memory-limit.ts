import type { Exchange, Received } from '../../model/exchange.ts';
import { KEPT, LIGHT, MAX_BODY, MAX_KEPT_WEIGHT, MAX_WEIGHT, VALUES } from '../http/bounds.ts';
import type { TransportResult } from '../http/transport.ts';

/** Estimated overhead in bytes of a JSON value, and of a header line. */
const BYTES_PER_VALUE = 32;
const BYTES_PER_LINE = 128;

const COMMA = 0x2c;
const COLON = 0x3a;
const BRACKET = 0x5b;
const BRACE = 0x7b;

/** Bounds the memory of the responses of a run: estimates how much each takes up once parsed, and keeps those that fit. */
export function limitMemory() {
  let kept = 0;
  const isTooMuch = (weight: number) => weight > LIGHT && kept + weight > MAX_KEPT_WEIGHT;
  return {
    /** The bytes of a body that are worth reading, because petspec keeps no more. */
    room: (): number => Math.max(LIGHT, Math.min(MAX_BODY, MAX_KEPT_WEIGHT - kept)),
    /** The result without the body if that is too large, and without the response if the headers alone are. */
    keep(result: TransportResult): TransportResult {
      const { response } = result;
      if (!response) return result;
      const [headWeight, bodyWeight] = [headWeightOf(response), jsonWeightOf(response.body)];
      if (isTooMuch(headWeight)) {
        const { response: _, ...rest } = result;
        return { ...rest, failure: { kind: 'too-large', phase: 'headers', message: KEPT } };
      }
      kept += headWeight;
      if (bodyWeight > MAX_WEIGHT) return { ...result, response: { ...response, body: '', unread: VALUES } };
      if (isTooMuch(bodyWeight)) return { ...result, response: { ...response, body: '', unread: KEPT } };
      kept += bodyWeight;
      return result;
    },
  };
}

/** Estimates the memory of the address, the heads and the bodies of an exchange once parsed, in bytes. */
export function weightsOf({ url, requestHeaders, requestBody = '', response }: Exchange): number[] {
  const heads = [requestHeaders, response?.headers ?? []].map((headers) => headWeightOf({ headers }));
  return [url.length, ...heads, jsonWeightOf(requestBody), jsonWeightOf(response?.body ?? '')];
}

function headWeightOf({ headers }: Pick<Received, 'headers'>): number {
  return headers.reduce((sum, [name, value]) => sum + name.length + value.length + BYTES_PER_LINE, 0);
}

/** A response without its body if the body would take up too much memory once parsed. */
export function withinWeight<T extends Pick<Received, 'body' | 'unread'>>(response: T): T {
  return isLight(response.body) ? response : { ...response, body: '', unread: VALUES };
}

/** Whether a body may be parsed without taking up too much memory. */
export function isLight(body: string): boolean {
  return body.length < LIGHT || jsonWeightOf(body) <= MAX_WEIGHT;
}

/** Estimates the memory of a text once parsed as JSON, in bytes; rather too much than too little. */
function jsonWeightOf(text: string): number {
  return text.length + valuesIn(text) * BYTES_PER_VALUE;
}

/** How many values a text of JSON has, names of members included; rather too many than too few. */
export function valuesIn(text: string): number {
  let values = 1;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === COMMA || code === COLON || code === BRACKET || code === BRACE) values += 1;
  }
  return values;
}
