import type { Behavior } from '../behavior.ts';
import { noHttp, tooLate, untested } from '../behavior.ts';

const none = () => false;

/** What a whole service does, whatever it is asked. */
export const whole: readonly Behavior[] = [
  {
    id: 'dies',
    does: 'goes away half-way: nothing listens any more',
    concerns: ({ before }) => before >= 20,
    act: ({ die }) => die(),
    expected: untested('the service is gone'),
  },
  {
    id: 'dies-in-answer',
    does: 'goes away in the middle of an answer',
    concerns: ({ before }) => before >= 20,
    act: async ({ socket, usual, die }) => {
      socket.write((await usual()).subarray(0, 80));
      die();
    },
    expected: untested('the service is gone'),
  },
  {
    id: 'dies-in-creation',
    does: 'goes away while an animal is being added',
    concerns: ({ before, operation }) => before >= 5 && operation === 'createPet',
    act: ({ die }) => die(),
    expected: untested('the service is gone'),
  },
  {
    id: 'falls-silent',
    does: 'answers nothing any more from half-way on, though it accepts connections',
    concerns: ({ before }) => before >= 20,
    act: () => {},
    expected: tooLate('nothing came'),
  },
  {
    id: 'closes-all',
    does: 'closes every connection as soon as it is made',
    concerns: none,
    act: () => {},
    connected: ({ socket }) => {
      socket.end();
      return false;
    },
    expected: noHttp('closed before'),
  },
  {
    id: 'plain-for-tls',
    does: 'speaks plain HTTP where the address says https',
    concerns: none,
    act: () => {},
    connected: ({ socket }) => {
      socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n'));
      return false;
    },
    expected: { ...untested('no TLS connection could be made'), scheme: 'https' },
  },
  {
    id: 'tls-for-plain',
    does: 'speaks TLS where the address says http',
    concerns: none,
    act: () => {},
    // What a TLS server says to somebody who does not speak it: an alert, protocol_version (RFC 8446 section 6).
    connected: ({ socket }) => {
      socket.once('data', () => socket.end(Buffer.from('15030100020246', 'hex')));
      return false;
    },
    expected: untested('the server speaks TLS'),
  },
];
