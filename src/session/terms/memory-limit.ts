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

/**
 * Bounds the memory that the responses of a run take up: estimates what each takes up once it is parsed, and keeps those
 * that fit.
 */
export function limitMemory() {
  let kept = 0;
  const isTooMuch = (weight: number) => weight > LIGHT && kept + weight > MAX_KEPT_WEIGHT;
  return {
    /** Bytes of a body that are worth reading: petspec would not keep more. */
    room: (): number => Math.max(LIGHT, Math.min(MAX_BODY, MAX_KEPT_WEIGHT - kept)),
    /** The answer without its body if that is too large, and without its response if the headers alone are. */
    keep(answer: TransportResult): TransportResult {
      const { response } = answer;
      if (!response) return answer;
      const [headWeight, bodyWeight] = [headWeightOf(response), jsonWeightOf(response.body)];
      if (isTooMuch(headWeight)) {
        const { response: _, ...rest } = answer;
        return { ...rest, failure: { kind: 'too-large', phase: 'headers', message: KEPT } };
      }
      kept += headWeight;
      if (bodyWeight > MAX_WEIGHT) return { ...answer, response: { ...response, body: '', unread: VALUES } };
      if (isTooMuch(bodyWeight)) return { ...answer, response: { ...response, body: '', unread: KEPT } };
      kept += bodyWeight;
      return answer;
    },
  };
}

/** Estimates what the heads and the bodies of an exchange take up once they are parsed, in bytes. */
export function weightsOf({ url, requestHeaders, requestBody = '', response }: Exchange): number[] {
  const heads = [requestHeaders, response?.headers ?? []].map((headers) => headWeightOf({ headers }));
  return [url.length, ...heads, jsonWeightOf(requestBody), jsonWeightOf(response?.body ?? '')];
}

function headWeightOf({ headers }: Pick<Received, 'headers'>): number {
  return headers.reduce((sum, [name, value]) => sum + name.length + value.length + BYTES_PER_LINE, 0);
}

/** A response without its body if that alone would take up too much memory once it is parsed. */
export function withinWeight<T extends Pick<Received, 'body' | 'unread'>>(response: T): T {
  return isLight(response.body) ? response : { ...response, body: '', unread: VALUES };
}

/** Whether a body may be parsed: it takes up no more memory than a run keeps of one. */
export function isLight(body: string): boolean {
  return body.length < LIGHT || jsonWeightOf(body) <= MAX_WEIGHT;
}

/** Estimates what a text takes up once it is parsed as JSON, in bytes; rather too much than too little. */
function jsonWeightOf(text: string): number {
  return text.length + valuesIn(text) * BYTES_PER_VALUE;
}

/** How many values a text has if it is JSON, with the names of members; rather too many than too few. */
export function valuesIn(text: string): number {
  let values = 1;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === COMMA || code === COLON || code === BRACKET || code === BRACE) values += 1;
  }
  return values;
}
