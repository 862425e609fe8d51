import type { ServerResponse } from 'node:http';
import { STATUS_CODES } from 'node:http';
import type { BigIntJson } from './json.ts';
import { writeJson } from './json.ts';

export type HeaderField = [name: string, value: string];

/**
 * A response as plain data; the writer turns it into bytes last. Order, case and repetition of the headers are
 * kept. A body that is a string or a Buffer is sent as it is, any other value as JSON, `undefined` as no body.
 */
export interface Answer {
  status: number;
  headers: HeaderField[];
  body: BigIntJson | Buffer | undefined;
}

export function jsonAnswer(status: number, body: BigIntJson, headers: HeaderField[] = []): Answer {
  return { status, headers: [['Content-Type', 'application/json'], ...headers], body };
}

/** An answer with an Error body (interface: Error): `code`, `message`, and the HTTP status. */
export function errorAnswer(
  status: number,
  code: string,
  message: string,
  headers: HeaderField[] = [],
): Answer {
  return jsonAnswer(status, { code, message, status: BigInt(status) }, headers);
}

function named(name: string): (header: HeaderField) => boolean {
  const lower = name.toLowerCase();
  return (header) => header[0].toLowerCase() === lower;
}

/** The first value of a header, in any case. */
export function headerOf(answer: Answer, name: string): string | undefined {
  return answer.headers.find(named(name))?.[1];
}

export function withoutHeaderOf(answer: Answer, name: string): Answer {
  const hit = named(name);
  return { ...answer, headers: answer.headers.filter((header) => !hit(header)) };
}

/** Sets a header in place of its first occurrence, or last. Removes other occurrences. */
export function withHeaderOf(answer: Answer, name: string, value: string): Answer {
  const hit = named(name);
  const at = answer.headers.findIndex(hit);
  const headers = answer.headers.filter((header, index) => index === at || !hit(header));
  if (at === -1) headers.push([name, value]);
  else headers[at] = [name, value];
  return { ...answer, headers };
}

export function appendHeaders(answer: Answer, headers: readonly HeaderField[]): Answer {
  return { ...answer, headers: [...answer.headers, ...headers] };
}

/** The body's text as sent. */
export function bodyText(answer: Answer): string {
  return bodyBytes(answer).toString('utf8');
}

/** The body's bytes as sent. */
export function bodyBytes({ body }: Answer): Buffer {
  if (body === undefined) return Buffer.alloc(0);
  if (Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === 'string' ? body : writeJson(body), 'utf8');
}

/** The headers of an answer with its Content-Length, unless the answer itself says how its body ends. */
export function framed(answer: Answer, length: number): HeaderField[] {
  const ends = headerOf(answer, 'Content-Length') ?? headerOf(answer, 'Transfer-Encoding');
  return ends === undefined ? [...answer.headers, ['Content-Length', String(length)]] : answer.headers;
}

/** Writes the status line and the headers exactly as in the answer. */
export function writeHead(answer: Answer, outgoing: ServerResponse, body = bodyBytes(answer)): void {
  const headers = framed(answer, body.length);
  // The answer has a Date from the shared clock; node would add the machine's.
  outgoing.sendDate = false;
  outgoing.writeHead(answer.status, headers.flat());
}

/** Sends an answer. Does nothing if the client has disconnected. */
export async function send(answer: Answer, outgoing: ServerResponse): Promise<void> {
  if (outgoing.destroyed || outgoing.headersSent) return;
  const body = bodyBytes(answer);
  writeHead(answer, outgoing, body);
  outgoing.end(body);
}

/** The whole answer as HTTP/1.1 bytes (RFC 9112), for answers that node's own writer refuses. */
export function httpBytes(answer: Answer): Buffer {
  const body = bodyBytes(answer);
  const lines = framed(answer, body.length).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status] ?? ''}\r\n${lines.join('')}\r\n`;
  return Buffer.concat([Buffer.from(head, 'latin1'), body]);
}
