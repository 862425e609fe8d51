import { setTimeout as pause } from 'node:timers/promises';
import { at, type Behavior, CONFORMS, noHttp, violating } from '../behavior.ts';
import { bytesOf, partsOf } from '../bytes.ts';
import type { Wire } from '../raw-service.ts';

const resetting =
  (part: (answer: Buffer) => number) =>
  async ({ socket, usual }: Wire) => {
    const answer = await usual();
    socket.write(answer.subarray(0, part(answer)));
    // What arrives together with a reset is lost: the client gets time to read it.
    await pause(20);
    socket.resetAndDestroy();
  };
const bodyStart = (answer: Buffer) => answer.indexOf('\r\n\r\n') + 4;

const redirecting = (id: string, does: string, to: (wire: Wire, target: string) => string) =>
  at(
    'getPet',
    id,
    does,
    async (wire, { target }) => {
      const { status, headers, body } = partsOf(await wire.usual());
      const isSuccess = / 200 /.test(status);
      const location = `Location: ${to(wire, target)}`;
      wire.socket.write(
        bytesOf(
          isSuccess
            ? { status: 'HTTP/1.1 307 Temporary Redirect', headers: [...headers, location], body }
            : { status, headers, body },
        ),
      );
    },
    violating('getPet.200', 'status 307 to'),
  );

/** Connections that end when they should not, and answers that point elsewhere. */
export const connections: readonly Behavior[] = [
  at(
    'createPet',
    'reset',
    'resets the connection in place of an answer',
    resetting(() => 0),
    noHttp('before the response was complete'),
  ),
  at(
    'getPet',
    'reset-head',
    'resets the connection within the head',
    resetting((answer) => bodyStart(answer) / 2),
    noHttp('before the response was complete'),
  ),
  at(
    'listPets',
    'reset-body',
    'resets the connection within the body',
    resetting((answer) => bodyStart(answer) + 1),
    noHttp('before the response was complete'),
  ),
  at(
    'getPet',
    'reset-after',
    'resets the connection after each answer',
    resetting((answer) => answer.length),
    CONFORMS,
  ),
  at(
    'getStoreOrders',
    'closed',
    'closes the connection in place of an answer',
    ({ socket }) => void socket.end(),
    noHttp('closed before'),
  ),
  at(
    'listPets',
    'early',
    'answers at once and closes, though more may be asked',
    async ({ socket, usual }) => void socket.end(await usual()),
    CONFORMS,
  ),
  {
    id: 'closed-on-reuse',
    does: 'closes a connection that was idle at the moment of its next request',
    concerns: () => true,
    act: async ({ socket, used, usual }) => {
      if (used === 0) socket.write(await usual());
      else socket.end();
    },
    expected: CONFORMS,
  },
  {
    id: 'reset-on-reuse',
    does: 'resets a connection that was idle at the moment of its next request',
    concerns: () => true,
    act: async ({ socket, used, usual }) => {
      if (used === 0) socket.write(await usual());
      else socket.resetAndDestroy();
    },
    expected: CONFORMS,
  },
  {
    id: 'closed-in-head',
    does: 'closes the connection after the first bytes of an answer',
    operation: 'getPet',
    concerns: ({ operation }) => operation === 'getPet',
    act: async ({ socket, usual }) => {
      const answer = await usual();
      socket.end(answer.subarray(0, 12));
    },
    expected: noHttp('closed before'),
  },
  redirecting('redirect-itself', 'redirects to the same address', (_, target) => target),
  redirecting('redirect-path', 'redirects to another path', () => '/v1/pets'),
  redirecting('redirect-origin', 'redirects to another origin', ({ elsewhere }) => `${elsewhere}/v1/pets`),
  redirecting('redirect-loop', 'redirects in a circle', (_, target) =>
    target.includes('?') ? (target.split('?')[0] ?? '') : `${target}?again`,
  ),
];
