import type { Kind } from './kind.ts';
import { lastStatus } from './printed-answers.ts';

/** Deviations in how responses are sent, and in which keys are accepted. */
export const HTTP_KINDS: readonly Kind[] = [
  {
    kind: 'some responses are cut short',
    fault: 'http-closed-every-fifth',
    requirement: 'service.http',
    shows: ({ out }) => out.trim().split('\n').length > 1,
  },
  {
    kind: 'the body has more bytes than Content-Length',
    fault: 'http-length-short',
    requirement: 'service.http',
    shows: ({ out }) =>
      Number(/(\d+) bytes of body/.exec(out)?.[1]) > Number(/Content-Length: (\d+)/.exec(out)?.[1]),
  },
  {
    kind: 'the body has fewer bytes than Content-Length',
    fault: 'http-closed-half-message',
    requirement: 'service.http',
    shows: ({ status }) => status === 18,
  },
  {
    kind: 'a body is not encoded as its header says',
    fault: 'json-not-gzip',
    requirement: 'service.json',
    shows: ({ status }) => status !== 0,
  },
  {
    kind: 'a key without its last character is accepted',
    fault: 'key-shorter',
    requirement: 'authentication.key',
    shows: (printed) => lastStatus(printed) === 200,
  },
  {
    kind: 'a key in the other case is accepted',
    fault: 'key-any-case',
    requirement: 'authentication.key',
    shows: (printed) => lastStatus(printed) === 200,
  },
];
