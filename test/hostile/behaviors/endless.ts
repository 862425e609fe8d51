import { at, type Behavior, CONFORMS, LARGER, noHttp, tooLate, untested } from '../behavior.ts';
import { bytesOf, drip, flood, partsOf, without } from '../bytes.ts';

const HEAD = tooLate('its headers do not end');
const BODY = tooLate('its body does not end');

/** Head of an answer whose body comes in chunks. */
async function chunkedHead(usual: () => Promise<Buffer>): Promise<Buffer> {
  const { status, headers } = partsOf(await usual());
  return bytesOf({
    status,
    headers: [...without(headers, 'content-length'), 'Transfer-Encoding: chunked'],
    body: Buffer.alloc(0),
  });
}

/** Answers that do not begin, or do not end. */
export const endless: readonly Behavior[] = [
  at('createPet', 'silence', 'accepts the request and says nothing', () => {}, tooLate('nothing came')),
  at(
    'getPet',
    'drip',
    'sends one byte of the answer at a time',
    async ({ socket, usual }) => drip(socket, await usual()),
    HEAD,
  ),
  at(
    'listPets',
    'drip-body',
    'sends the head at once and one byte of the body at a time',
    async ({ socket, usual }) => {
      const { body, ...head } = partsOf(await usual());
      socket.write(bytesOf({ ...head, body: Buffer.alloc(0) }));
      await drip(socket, body);
    },
    BODY,
  ),
  at(
    'getStoreOrders',
    'endless-status-line',
    'never ends the status line',
    async ({ socket }) => {
      socket.write('HTTP/1.1 200 ');
      await flood(socket, 'OK '.repeat(10_000));
    },
    HEAD,
  ),
  at(
    'getPet',
    'endless-headers',
    'sends header lines without end',
    async ({ socket }) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      await flood(socket, 'X-More: and more\r\n'.repeat(1_000));
    },
    HEAD,
  ),
  at(
    'listPets',
    'endless-header',
    'never ends the value of one header',
    async ({ socket }) => {
      socket.write('HTTP/1.1 200 OK\r\nX-More: ');
      await flood(socket, 'more '.repeat(10_000));
    },
    HEAD,
  ),
  at(
    'getPet',
    'endless-body',
    'sends chunks of a body without end',
    async ({ socket, usual }) => {
      socket.write(await chunkedHead(usual));
      await flood(socket, `10000\r\n${' '.repeat(65_536)}\r\n`);
    },
    untested(LARGER),
  ),
  at(
    'getStoreOrders',
    'endless-chunk-extension',
    'never ends the extension of a chunk',
    async ({ socket, usual }) => {
      socket.write(await chunkedHead(usual));
      socket.write('2;');
      await flood(socket, 'note=more;'.repeat(1_000));
    },
    BODY,
  ),
  at(
    'getPet',
    'endless-trailers',
    'sends trailers without end after the body',
    async ({ socket, usual }) => {
      const { body } = partsOf(await usual());
      socket.write(await chunkedHead(usual));
      socket.write(`${body.length.toString(16)}\r\n${body}\r\n0\r\n`);
      await flood(socket, 'X-More: and more\r\n'.repeat(1_000));
    },
    noHttp('its trailers are larger than'),
  ),
  at(
    'sendMessage',
    'endless-interim',
    'sends interim responses (103) without end',
    async ({ socket }) => flood(socket, 'HTTP/1.1 103 Early Hints\r\nLink: </v1>\r\n\r\n'.repeat(100)),
    tooLate('only interim responses (1xx) came'),
  ),
  at(
    'getPet',
    'endless-continue',
    'sends a 100 that nobody asked for without end, 4,096 in a packet',
    async ({ socket }) => flood(socket, 'HTTP/1.1 100\r\n\r\n'.repeat(4_096)),
    tooLate('only interim responses (1xx) came'),
  ),
  at(
    'getPet',
    'continue',
    'sends a 100 that nobody asked for, and then the answer',
    async ({ socket, usual }) => {
      socket.write('HTTP/1.1 100 Continue\r\n\r\n');
      socket.write(await usual());
    },
    CONFORMS,
  ),
];
