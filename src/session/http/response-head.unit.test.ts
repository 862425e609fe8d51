import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { MAX_HEADER_LINES, MAX_HEADERS } from './bounds.ts';
import { HeadWatch } from './response-head.ts';

const ANSWER = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]';

/** A connection to nobody: what it is pushed is what a server sends. */
function connection() {
  const socket = new Socket();
  const watch = new HeadWatch(socket);
  let read = '';
  socket.on('data', (bytes) => {
    read += bytes.toString('latin1');
  });
  let failure: Error | undefined;
  socket.on('error', (error) => {
    failure = error;
  });
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  return {
    watch,
    async send(...pieces: string[]) {
      for (const piece of pieces) socket.push(Buffer.from(piece, 'latin1'));
      await turn();
    },
    async end() {
      socket.push(null);
      await turn();
    },
    read: () => read,
    failure: () => failure,
  };
}

test('a response is unchanged, however it is cut into pieces', async () => {
  for (let cut = 1; cut < ANSWER.length; cut += 1) {
    const { send, read, watch } = connection();
    await send(ANSWER.slice(0, cut), ANSWER.slice(cut));
    expect(read()).toBe(ANSWER);
    expect(watch.arrival).toBe('body');
    expect(watch.head).toBe(ANSWER.slice(0, -2));
  }
});

test('an unexpected 100 is left out, however it is cut into pieces; other interim responses are not', async () => {
  const early = 'HTTP/1.1 103 Early Hints\r\nLink: </v1>\r\n\r\n';
  const sent = `HTTP/1.1 100 Continue\r\n\r\n${early}HTTP/1.1 100\r\nX-Note: 1\r\n\r\n${ANSWER}`;
  for (let cut = 1; cut < sent.length; cut += 1) {
    const { send, read } = connection();
    await send(sent.slice(0, cut), sent.slice(cut));
    expect(read()).toBe(early + ANSWER);
  }
});

test.each([
  ['100', 'HTTP/1.1 100\r\n\r\n', ''],
  ['100 with a reason', 'HTTP/1.1 100 Continue\r\n\r\n', ''],
  ['103', 'HTTP/1.1 103\r\nLink: </v1>\r\n\r\n', 'HTTP/1.1 103\r\nLink: </v1>\r\n\r\n'],
])('60,000 interim responses in one packet are read one after the other: %s', async (_what, one, through) => {
  const { send, read, watch } = connection();
  await send(one.repeat(60_000) + ANSWER);
  expect(read()).toBe(through.repeat(60_000) + ANSWER);
  expect(watch.arrival).toBe('body');
});

test('tells apart nothing, interim responses, a head and a body', async () => {
  const { send, watch } = connection();
  expect(watch.arrival).toBe('nothing');
  await send('HTTP/1.1 102 Processing\r\n\r\n');
  expect(watch.arrival).toBe('interim');
  await send(ANSWER);
  expect(watch.arrival).toBe('body');
  watch.expect();
  expect(watch.arrival).toBe('nothing');
  expect(watch.head).toBeUndefined();
  await send('HTTP/1.1 200 OK\r\nX-');
  expect(watch.arrival).toBe('head');
});

test('bytes that do not begin like HTTP go to the parser at once, which rejects them', async () => {
  const { send, read, watch } = connection();
  await send('SSH-2.0-OpenSSH');
  expect(read()).toBe('SSH-2.0-OpenSSH');
  expect(watch.head).toBe('SSH-2.0-OpenSSH');
});

test('a head that is cut off goes to the parser, which reports its end', async () => {
  const { send, end, read } = connection();
  await send('HTTP/1.1 200 OK\r\nX-');
  expect(read()).toBe('');
  await end();
  expect(read()).toBe('HTTP/1.1 200 OK\r\nX-');
});

test.each([
  ['bytes', `X-Large: ${'x'.repeat(MAX_HEADERS)}\r\n`],
  ['lines', 'a:\r\n'.repeat(MAX_HEADER_LINES + 1)],
])('a head of too many %s is read to its end, but not kept', async (_what, lines) => {
  const { send, read, failure } = connection();
  await send('HTTP/1.1 200 OK\r\n', lines.slice(0, -2));
  expect(failure()).toBeUndefined();
  await send('\r\n\r\n', '[]');
  expect(failure()).toMatchObject({ code: 'TOO_LARGE' });
  expect(read()).toBe('');
});
