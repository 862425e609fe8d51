import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import { at, type Behavior, CONFORMS, LARGER, untested } from '../behavior.ts';
import { bytesOf, flood, partsOf, withBody, without } from '../bytes.ts';

const GIBIBYTE = 2 ** 30;
const PIECE = Buffer.alloc(64 * 1024, ' ');
const CHUNK = Buffer.concat([Buffer.from('10000\r\n'), PIECE, Buffer.from('\r\n')]);

/** A body that grows a thousandfold and more when it is decoded. */
const BLANKS = Buffer.alloc(64_000_000, ' ');
const COMPRESSED = {
  gzip: gzipSync(BLANKS, { level: 1 }),
  deflate: deflateSync(BLANKS, { level: 1 }),
  br: brotliCompressSync(BLANKS, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
};

const bomb = (operation: string, coding: keyof typeof COMPRESSED) =>
  at(
    operation,
    `bomb-${coding}`,
    `sends 64 MB of blanks, compressed by ${coding} to a hundredth and less`,
    async ({ socket, usual }) => {
      const parts = partsOf(await usual());
      socket.write(bytesOf(withBody(parts, COMPRESSED[coding], `Content-Encoding: ${coding}`)));
    },
    untested(LARGER),
  );

/** Answers that are larger than anybody wants. */
export const large: readonly Behavior[] = [
  at(
    'getPet',
    'two-gigabytes',
    'sends a body of 2 GB, as announced',
    async ({ socket, usual }) => {
      const { status, headers } = partsOf(await usual());
      const length = `Content-Length: ${2 * GIBIBYTE}`;
      socket.write(
        bytesOf({ status, headers: [...without(headers, 'content-length'), length], body: PIECE }),
      );
      await flood(socket, PIECE, (2 * GIBIBYTE) / PIECE.length - 1);
    },
    untested(LARGER),
  ),
  at(
    'listPets',
    'ten-megabytes',
    'sends a body of 10 MB in chunks',
    async ({ socket, usual }) => {
      const { status, headers } = partsOf(await usual());
      const lines = [...without(headers, 'content-length'), 'Transfer-Encoding: chunked'];
      socket.write(bytesOf({ status, headers: lines, body: Buffer.alloc(0) }));
      for (let count = 0; count < 160; count += 1) socket.write(CHUNK);
      socket.write('0\r\n\r\n');
    },
    untested(LARGER),
  ),
  bomb('getPet', 'gzip'),
  bomb('listPets', 'br'),
  bomb('createPet', 'deflate'),
  at(
    'getPet',
    'nested-encodings',
    'compresses the body by gzip a hundred times over',
    async ({ socket, usual }) => {
      const parts = partsOf(await usual());
      let body = parts.body;
      for (let time = 0; time < 100; time += 1) body = gzipSync(body, { level: 0 });
      const codings = `Content-Encoding: ${Array(100).fill('gzip').join(', ')}`;
      socket.write(bytesOf(withBody(parts, body, codings)));
    },
    untested('petspec decodes no more than'),
  ),
  at(
    'getStoreOrders',
    'many-headers',
    'sends 10,000 headers besides its own',
    async ({ socket, usual }) => {
      const { status, headers, body } = partsOf(await usual());
      const more = Array.from({ length: 10_000 }, (_, index) => `X-${index}: ${index}`);
      socket.write(bytesOf({ status, headers: [...headers, ...more], body }));
    },
    CONFORMS,
  ),
  at(
    'getPet',
    'large-header',
    'sends a header of 1 MB',
    async ({ socket, usual }) => {
      const { status, headers, body } = partsOf(await usual());
      socket.write(bytesOf({ status, headers: [...headers, `X-Large: ${'x'.repeat(1_000_000)}`], body }));
    },
    untested(LARGER),
  ),
  at(
    'createPet',
    'blank-header',
    'sends a header whose value holds 200,000 blanks',
    async ({ socket, usual }) => {
      const { status, headers, body } = partsOf(await usual());
      const value = `a${' '.repeat(200_000)}b`;
      socket.write(bytesOf({ status, headers: [...headers, `X-Blank: ${value}`], body }));
    },
    CONFORMS,
  ),
  at(
    'getPet',
    'escaped-quotes',
    'sends a Content-Type with 100,000 escaped quotes, which nothing ends',
    async ({ socket, usual }) => {
      const { status, headers, body } = partsOf(await usual());
      const lines = [
        ...without(headers, 'content-type'),
        `Content-Type: application/json; x="${'\\"'.repeat(100_000)}`,
      ];
      socket.write(bytesOf({ status, headers: lines, body }));
    },
    CONFORMS,
  ),
  at(
    'getStoreOrders',
    'flood-continue',
    'sends a 100 that nobody asked for 60,000 times at once, and then the answer',
    async ({ socket, usual }) => {
      const answer = await usual();
      socket.write(Buffer.concat([Buffer.from('HTTP/1.1 100\r\n\r\n'.repeat(60_000)), answer]));
    },
    CONFORMS,
  ),
  at(
    'sendMessage',
    'flood-early-hints',
    'sends 60,000 interim responses (103) at once, and then the answer',
    async ({ socket, usual }) => {
      const answer = await usual();
      const hints = 'HTTP/1.1 103\r\nLink: </v1>\r\n\r\n'.repeat(60_000);
      socket.write(Buffer.concat([Buffer.from(hints), answer]));
    },
    CONFORMS,
  ),
  {
    id: 'large-everywhere',
    does: 'adds 3 MB of blanks to every body, which stays JSON',
    concerns: () => true,
    act: async ({ socket, usual }) => {
      const parts = partsOf(await usual());
      socket.write(bytesOf(withBody(parts, Buffer.concat([parts.body, Buffer.alloc(3_000_000, ' ')]))));
    },
    expected: untested('keeps no more large ones'),
  },
];
