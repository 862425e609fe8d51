import { at, type Behavior, CONFORMS, changed, noHttp, tooLate } from '../behavior.ts';
import { type Parts, without } from '../bytes.ts';

/** The usual answer, framed otherwise. */
const framing = (
  operation: string,
  id: string,
  does: string,
  frame: (parts: Parts) => Parts,
  expected: Behavior['expected'],
  ends = false,
) =>
  at(
    operation,
    id,
    does,
    changed((parts) => frame({ ...parts, headers: without(parts.headers, 'content-length') }), ends),
    expected,
  );

const lines =
  (...added: string[]) =>
  (parts: Parts): Parts => ({ ...parts, headers: [...parts.headers, ...added] });
const chunked = (parts: Parts, text: string): Parts => ({
  ...lines('Transfer-Encoding: chunked')(parts),
  body: Buffer.from(text),
});
const length = (change: (length: number) => string | number) => (parts: Parts) =>
  lines(`Content-Length: ${change(parts.body.length)}`)(parts);
const NO_BODY = Buffer.alloc(0);

/** Where an answer ends, said wrongly, twice, or not at all. */
export const framings: readonly Behavior[] = [
  framing(
    'getPet',
    'two-lengths',
    'states two Content-Lengths that contradict each other',
    ({ body, ...parts }) => lines(`Content-Length: ${body.length}`, 'Content-Length: 3')({ ...parts, body }),
    noHttp('two Content-Lengths'),
  ),
  framing(
    'listPets',
    'length-and-chunks',
    'states a Content-Length and sends chunks',
    (parts) =>
      lines('Content-Length: 3')(
        chunked(parts, `${parts.body.length.toString(16)}\r\n${parts.body}\r\n0\r\n\r\n`),
      ),
    noHttp('both a Content-Length and a Transfer-Encoding'),
  ),
  framing(
    'getPet',
    'length-long',
    'announces more than it sends, and closes',
    length((size) => size + 5),
    noHttp('closed before the response was complete'),
    true,
  ),
  framing(
    'getPet',
    'length-short',
    'sends more than it announces',
    length((size) => size - 5),
    noHttp('more bytes arrived than the response has'),
  ),
  framing(
    'createPet',
    'length-negative',
    'announces a negative length',
    length(() => -1),
    noHttp('its Content-Length is not a number'),
  ),
  framing(
    'listPets',
    'length-absurd',
    'announces a length of thirty digits',
    length(() => '9'.repeat(30)),
    noHttp('its Content-Length is impossibly large'),
  ),
  framing(
    'getStoreOrders',
    'chunk-size-words',
    'writes the size of a chunk in words',
    (parts) => chunked(parts, `two\r\n[]\r\n0\r\n\r\n`),
    noHttp('Invalid character in chunk size'),
  ),
  framing(
    'getPet',
    'chunk-size-absurd',
    'announces a chunk of 2^80 bytes',
    (parts) => chunked(parts, `1${'0'.repeat(20)}\r\n${parts.body}`),
    noHttp('Chunk size overflow'),
  ),
  framing(
    'listPets',
    'chunk-longer',
    'sends a chunk that is longer than its size',
    (parts) => chunked(parts, `2\r\n${parts.body}\r\n0\r\n\r\n`),
    noHttp('Expected LF after chunk data'),
  ),
  framing(
    'getPet',
    'chunks-cut',
    'closes before the last chunk',
    (parts) => chunked(parts, `${parts.body.length.toString(16)}\r\n${parts.body}\r\n`),
    noHttp('closed before the response was complete'),
    true,
  ),
  framing(
    'getPet',
    'head-alone',
    'announces a body and sends none, as to a HEAD',
    (parts) => ({ ...length((size) => size)(parts), body: NO_BODY }),
    tooLate('its body does not end'),
  ),
  framing(
    'getPet',
    'body-of-204',
    'answers 204 with a body',
    (parts) => ({ ...length((size) => size)(parts), status: 'HTTP/1.1 204 No Content' }),
    noHttp('the length of the body differs from Content-Length'),
  ),
  framing(
    'getPet',
    'body-of-304',
    'answers 304 to an unconditional request, with a body',
    (parts) => ({ ...length((size) => size)(parts), status: 'HTTP/1.1 304 Not Modified' }),
    noHttp('the length of the body differs from Content-Length'),
  ),
  at(
    'getPet',
    'answers-twice',
    'sends two answers to each request',
    async ({ socket, usual }) => {
      const answer = await usual();
      socket.write(Buffer.concat([answer, answer]));
    },
    noHttp('more bytes arrived than the response has'),
  ),
  at(
    'listPets',
    'trailing-line',
    'sends an empty line after each answer',
    async ({ socket, usual }) => void socket.write(Buffer.concat([await usual(), Buffer.from('\r\n')])),
    CONFORMS,
  ),
  framing(
    'getPet',
    'http-1-0',
    'answers in HTTP/1.0, without a length, and closes',
    (parts) => ({ ...parts, status: parts.status.replace('1.1', '1.0') }),
    CONFORMS,
    true,
  ),
];
