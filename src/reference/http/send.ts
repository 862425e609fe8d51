import type { ServerResponse } from 'node:http';
import { STATUS_CODES } from 'node:http';
import type { Answer, HeaderField } from './answer.ts';
import { bodyBytes, headerOf } from './answer.ts';

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
