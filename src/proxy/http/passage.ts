import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Dispatcher } from 'undici';
import { visible } from '../../model/visible.ts';
import { MAX_HEADER_LINES, MAX_HEADERS } from '../../session/http/bounds.ts';
import { classify } from '../../session/http/failures.ts';
import { endToEnd, type FlatLines, hasLine, hasOtherCoding, pairsOf } from './end-to-end.ts';
import type { Unanswered, Witness } from './passed.ts';

type Controller = Dispatcher.DispatchController;

const CLIENT_LEFT = new Error('the client closed the connection');

/** Only a head can be too large: bodies of any size pass. */
const TOO_LARGE = `the head of the response is larger than ${MAX_HEADERS / 1024} KiB or has more than ${MAX_HEADER_LINES.toLocaleString('en')} lines`;

/** Failures that mean that the target was not reached. */
const NOT_REACHED: readonly string[] = ['refused', 'unreachable', 'tls'];

/** ms that a client has to read a response while its request is not complete. */
const FAREWELL_MS = 5_000;

export interface PassageOptions {
  request: IncomingMessage;
  response: ServerResponse;
  /** The origin of the target, for messages. */
  origin: string;
  /** Watches the exchange; undefined if it is not judged. */
  witness?: Witness | undefined;
  onUnanswered(why: Unanswered): void;
}

/** Passes the response to one request on to the client as it arrives, at the speed of the client. */
export class Passage implements Dispatcher.DispatchHandler {
  readonly #options: PassageOptions;
  readonly #socket: IncomingMessage['socket'];
  #controller: Controller | undefined;
  #hasBegun = false;
  /** Whether the status says that no body follows, whatever the length. */
  #hasNoBody = false;
  #isOver = false;

  constructor(options: PassageOptions) {
    this.#options = options;
    const { request, response } = options;
    this.#socket = request.socket;
    response.on('error', () => {});
    request.on('error', () => {});
    response.on('close', () => {
      if (response.writableFinished) this.#dismiss();
      else this.#controller?.abort(CLIENT_LEFT);
    });
  }

  onRequestStart(controller: Controller): void {
    this.#controller = controller;
    this.#options.witness?.begin();
    if (this.#options.response.destroyed) controller.abort(CLIENT_LEFT);
  }

  onResponseStart(controller: Controller, status: number, _headers: object, reason = ''): void {
    // Interim responses are for the connection to the target.
    if (status < 200) return;
    const { response, witness } = this.#options;
    const raw = flat(controller.rawHeaders);
    if (hasOtherCoding(raw)) throw new Error('its transfer coding is not known');
    const lines = endToEnd(raw);
    this.#hasNoBody = status === 304;
    response.sendDate = false;
    const announced = goesOutInChunks(this.#options, status, lines) ? lines : endToEnd(lines, TRAILER);
    response.writeHead(status, UNUSUAL.test(reason) ? '' : reason, announced);
    witness?.head(status, lines);
    // Sends the head before the body arrives.
    setImmediate(() => {
      if (!this.#hasBegun && !response.destroyed) response.flushHeaders();
    });
  }

  onResponseData(controller: Controller, chunk: Buffer): void {
    const { response, witness } = this.#options;
    this.#hasBegun = true;
    witness?.responseBody.add(chunk);
    if (response.write(chunk)) return;
    controller.pause();
    response.once('drain', () => controller.resume());
  }

  onResponseEnd(controller: Controller): void {
    const { response, witness } = this.#options;
    this.#hasBegun = true;
    this.#isOver = true;
    const trailers = pairsOf(endToEnd(flat(controller.rawTrailers)));
    if (trailers.length > 0) response.addTrailers(trailers);
    response.end();
    witness?.end();
  }

  onResponseError(controller: Controller | undefined, error: Error): void {
    if (controller && this.#hasNoBody && isMismatch(error)) this.onResponseEnd(controller);
    if (this.#isOver) return;
    this.#isOver = true;
    const { response, origin, witness, onUnanswered } = this.#options;
    const isSeen = witness?.breakOff() === true;
    const { kind, message } = classify(error);
    const hasLeft = error === CLIENT_LEFT || response.destroyed;
    const why = hasLeft ? 'client-left' : NOT_REACHED.includes(kind) ? 'unreachable' : 'broken-off';
    if (!isSeen) onUnanswered(why);
    if (response.headersSent) response.destroy();
    else if (!hasLeft) {
      const problem = kind === 'too-large' ? TOO_LARGE : message;
      this.refuse(502, `no response from ${origin}: ${problem}`);
    }
  }

  /** Answers in place of the target. */
  refuse(status: number, why: string): void {
    const { request, response } = this.#options;
    this.#isOver = true;
    this.#hasBegun = true;
    const body = Buffer.from(`petspec proxy: ${visible(why)}\n`);
    // With its own reason phrase: the target's may still be set.
    response.writeHead(status, STATUS_CODES[status], {
      'Content-Type': 'text/plain; charset=utf-8',
      'Content-Length': body.length,
      ...(request.complete ? {} : { Connection: 'close' }),
    });
    response.end(body);
  }

  /** Ends the connection of a client that still sends a request whose response is complete. */
  #dismiss(): void {
    if (this.#options.request.complete || this.#socket.destroyed) return;
    this.#socket.end();
    this.#socket.setTimeout(FAREWELL_MS, () => this.#socket.destroy());
  }
}

/** undici expects the body whose length a 304 states, which it never has (RFC 9110 section 8.6). */
function isMismatch(error: Error): boolean {
  return 'code' in error && error.code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH';
}

/** Announces trailers. Node refuses it in a response that cannot have any: only chunked ones can (RFC 9112 section 7.1.2). */
const TRAILER: ReadonlySet<string> = new Set(['trailer']);

/** Whether Node sends a response with this head in chunks. */
function goesOutInChunks(
  { request, response }: Pick<PassageOptions, 'request' | 'response'>,
  status: number,
  lines: FlatLines,
): boolean {
  if (request.method === 'HEAD' || status === 204 || status === 304) return false;
  return response.useChunkedEncodingByDefault && !hasLine(lines, 'content-length');
}

/** Characters that a reason phrase cannot have. */
const UNUSUAL = /[^\t\x20-\x7e\x80-\xff]/;

/** Lines of undici, whose bytes are characters of latin1. */
function flat(raw: Controller['rawHeaders']): FlatLines {
  if (!Array.isArray(raw)) return [];
  return raw.map((text: Buffer | string) => (typeof text === 'string' ? text : text.toString('latin1')));
}
