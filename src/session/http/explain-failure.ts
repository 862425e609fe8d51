import type { Failure } from '../../model/exchange.ts';
import type { Connection } from './connect.ts';
import { classify, ProxyProblem, RefusedResponse } from './failures.ts';
import type { Arrival } from './response-head.ts';

/** What arrived instead of a complete response. */
const ARRIVED: Readonly<Record<Arrival, string>> = {
  nothing: 'nothing came',
  interim: 'only interim responses (1xx) came',
  head: 'its headers do not end',
  body: 'its body does not end',
};

/** A request without a response. */
export interface FailedRequest {
  connection: Connection;
  isTimedOut: boolean;
  isInterrupted: boolean;
  /** ms that the request had. */
  timeout: number;
}

/** Says why a request has no response, and whether the service, the connection or the run is the cause. */
export function explainFailure(error: unknown, failed: FailedRequest): Omit<Failure, 'phase'> {
  const { connection, isTimedOut, isInterrupted, timeout } = failed;
  const isReached = connection.isReached();
  const watch = connection.watch();
  if (isTimedOut && isReached)
    return {
      kind: 'timeout',
      message: `no complete response within ${timeout} ms: ${ARRIVED[watch?.arrival ?? 'nothing']}`,
    };
  const via = connection.proxy === undefined ? '' : ` through the proxy ${connection.proxy}`;
  if (isTimedOut)
    return { kind: 'unreachable', message: `no connection could be made within ${timeout} ms${via}` };
  if (isInterrupted) return { kind: 'interrupted', message: 'the run was interrupted' };
  if (error instanceof ProxyProblem) return { kind: 'unreachable', message: error.message };
  if (isTls(watch?.head ?? ''))
    return { kind: 'tls', message: 'the server speaks TLS; the address must begin with https' };
  // The parser stops at the first unexpected byte, and does not always say what is wrong.
  const wrong = headProblem(connection);
  const failure = classify(wrong === undefined ? error : new RefusedResponse('NO_HTTP', wrong));
  if (isReached || ['refused', 'tls', 'unreachable'].includes(failure.kind)) return failure;
  // Without a connection, the service has not responded.
  return { kind: 'unreachable', message: `no connection could be made${via}: ${failure.message}` };
}

/** What is wrong with the head of the response that arrives over a connection; undefined if nothing is. */
export function headProblem(connection: Connection): string | undefined {
  const head = connection.watch()?.head;
  return head === undefined ? undefined : wrongWithHead(head);
}

/** Problems of the head of a response; the first pattern that matches counts. */
const PROBLEMS: readonly (readonly [pattern: RegExp | string, message: string])[] = [
  [/^(?!HTTP\/)/, 'it does not begin with HTTP/'],
  [/^(?!HTTP\/1\.[01] )/, 'its version is neither HTTP/1.0 nor HTTP/1.1'],
  [/^HTTP\/1\.\d (?![1-9]\d\d(?:[ \r\n]|$))/, 'its status is not a number from 100 to 999'],
  [/^HTTP\/1\.\d 101/, 'it switches to another protocol (101), although petspec did not ask for that'],
  ['\0', 'its head contains a NUL byte'],
  [/(?:^|[^\r])\n/, 'a line of its head ends with a line feed alone'],
  [/\r(?!\n)/, 'a line of its head contains a carriage return'],
  [/\n[ \t]/, 'a header is folded over two lines'],
  [/\n:/, 'a header has no name'],
  [/\n[!-9;-~]*[ \t]+:/, 'a header has whitespace before its colon'],
  [/\n(?!\r?\n)[^:\n]+\n/, 'a line of its head is not a header'],
];

/** Heads without any of these problems. Most heads match, so one pattern suffices for them. */
const PLAIN = plainHead();

function plainHead(): RegExp {
  const line = String.raw`(?:(?!content-length:|transfer-encoding:)[\w-]+:[ -~]*\r\n)*`;
  const length = String.raw`content-length: ?\d{1,15}\r\n`;
  return new RegExp(String.raw`^HTTP/1\.1 [2-9]\d\d(?: [ -~]*)?\r\n${line}(?:${length}${line})?\r\n$`, 'i');
}

/**
 * Why a head is not HTTP (RFC 9112 sections 2 to 6); undefined if no problem is found.
 * @param head from the status line to the empty line, as latin1
 */
export function wrongWithHead(head: string): string | undefined {
  if (PLAIN.test(head)) return undefined;
  const text = head.trimStart();
  return (
    PROBLEMS.find(([pattern]) =>
      typeof pattern === 'string' ? text.includes(pattern) : pattern.test(text),
    )?.[1] ?? wrongWithLength(text)
  );
}

/** Whether the bytes are a TLS record (RFC 8446 section 5.1): the URL says http, but the server speaks https. */
export function isTls(head: string): boolean {
  const [type = 0, version = 0] = Buffer.from(head.slice(0, 2), 'latin1');
  return type >= 0x14 && type <= 0x17 && version === 0x03;
}

/** What is wrong with the stated end of the body (RFC 9112 section 6.3). */
function wrongWithLength(text: string): string | undefined {
  const lengths = [...text.matchAll(/\ncontent-length:([^\r\n]*)/gi)]
    .flatMap(([, value = '']) => value.split(','))
    .map((length) => length.trim());
  if (new Set(lengths).size > 1) return 'it states two Content-Lengths';
  const [length] = lengths;
  if (length === undefined) return undefined;
  if (!/^\d+$/.test(length)) return 'its Content-Length is not a number';
  if (!Number.isSafeInteger(Number(length))) return 'its Content-Length is impossibly large';
  return /\ntransfer-encoding:/i.test(text)
    ? 'it states both a Content-Length and a Transfer-Encoding'
    : undefined;
}
