import type { IncomingMessage } from 'node:http';
import type { Call } from './call.ts';
import { readJson } from './json.ts';

/** Far above every valid body. The rest is discarded. */
export const MOST_BYTES = 1_048_576;
const EMPTY = Buffer.alloc(0);
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The request's body, cut off beyond 1 MiB; undefined if the client disconnected before its end. */
export function readBytes(incoming: IncomingMessage): Promise<Buffer | undefined> {
  const { headers } = incoming;
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined)
    return Promise.resolve(EMPTY);
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    incoming.on('data', (chunk: Buffer) => {
      if (length <= MOST_BYTES) chunks.push(chunk);
      length += chunk.length;
    });
    incoming.on('end', () => resolve(Buffer.concat(chunks)));
    incoming.on('error', () => resolve(undefined));
    incoming.on('close', () => resolve(undefined));
  });
}

/** The body's text; undefined if the bytes are not UTF-8. */
export function readText(bytes: Buffer): string | undefined {
  if (bytes.length === 0) return '';
  try {
    return UTF8.decode(bytes);
  } catch {
    return undefined;
  }
}

/** The call with the JSON of its body, or with the reason why it cannot be read. */
export function withBody(call: Call): Call {
  if (call.operation !== 'createPet' && call.operation !== 'sendMessage') return call;
  if (call.bodyText === undefined) return { ...call, bodyProblem: 'the body is not UTF-8' };
  if (call.bodyText === '') return { ...call, bodyProblem: 'the body is empty' };
  if (call.bodyBytes.length > MOST_BYTES) return { ...call, bodyProblem: 'the body is longer than 1 MiB' };
  try {
    return { ...call, body: readJson(call.bodyText) };
  } catch (error) {
    if (error instanceof RangeError) return { ...call, bodyProblem: 'the body is nested too deeply' };
    return { ...call, bodyProblem: `the body is not JSON: ${(error as Error).message}` };
  }
}
