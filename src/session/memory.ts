import type { Received } from '../model/exchange.ts';
import { KEPT, LIGHT, MAX_BODY, MAX_KEPT_WEIGHT, MAX_WEIGHT, VALUES } from './http/bounds.ts';
import type { Answer } from './http/transport.ts';

/** Bytes that a value of JSON takes up besides its characters, and a header line besides its own. */
const PER_VALUE = 32;
const PER_LINE = 128;

const COMMA = 0x2c;
const COLON = 0x3a;
const BRACKET = 0x5b;
const BRACE = 0x7b;

/** The memory of a run for what comes back. */
export interface Memory {
  /** Bytes of a body that are worth reading: more would not be kept. */
  room(): number;
  /**
   * An answer as it is kept. Of a response that is too much, status and headers stay; where its headers alone are, it is
   * as if petspec had not read it.
   */
  keep(answer: Answer): Answer;
}

/** Keeps the answers of a run as long as they fit into memory, whatever they hold once they are parsed. */
export function openMemory(): Memory {
  let kept = 0;
  const isTooMuch = (weight: number) => weight > LIGHT && kept + weight > MAX_KEPT_WEIGHT;
  return {
    room: () => Math.max(LIGHT, Math.min(MAX_BODY, MAX_KEPT_WEIGHT - kept)),
    keep(answer) {
      const { response } = answer;
      if (!response) return answer;
      const [head, body] = [weightOfHead(response), weightOfText(response.body)];
      if (isTooMuch(head)) {
        const { response: _, ...rest } = answer;
        return { ...rest, failure: { kind: 'too-large', phase: 'headers', message: KEPT } };
      }
      kept += head;
      if (body > MAX_WEIGHT) return { ...answer, response: { ...response, body: '', unread: VALUES } };
      if (isTooMuch(body)) return { ...answer, response: { ...response, body: '', unread: KEPT } };
      kept += body;
      return answer;
    },
  };
}

function weightOfHead({ headers }: Received): number {
  return headers.reduce((sum, [name, value]) => sum + name.length + value.length + PER_LINE, 0);
}

/** What a text takes up once it is parsed as JSON, in bytes: an estimate, rather too high. */
function weightOfText(text: string): number {
  let values = 1;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === COMMA || code === COLON || code === BRACKET || code === BRACE) values += 1;
  }
  return text.length + values * PER_VALUE;
}
