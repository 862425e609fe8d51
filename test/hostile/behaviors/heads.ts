import { at, type Behavior, CONFORMS, changed, noHttp, violating } from '../behavior.ts';
import { type Parts, partsOf } from '../bytes.ts';

/** The usual answer with another head. */
const head = (
  operation: string,
  id: string,
  does: string,
  change: (parts: Parts) => Partial<Parts>,
  expected: Behavior['expected'],
) =>
  at(
    operation,
    id,
    does,
    changed((parts) => ({ ...parts, ...change(parts) })),
    expected,
  );
/** Bytes in place of an answer; then the connection is closed. */
const raw = (
  operation: string,
  id: string,
  does: string,
  bytes: string | Buffer,
  expected: Behavior['expected'],
) => at(operation, id, does, ({ socket }) => void socket.end(bytes), expected);

const status = (line: string) => () => ({ status: line });
const adding =
  (...lines: string[]) =>
  ({ headers }: Parts) => ({ headers: [...headers, ...lines] });

/** Heads that are not HTTP, or unusual. */
export const heads: readonly Behavior[] = [
  raw(
    'getPet',
    'http-0-9',
    'answers with a body alone, as HTTP/0.9 did',
    '{"id":1,"name":"x"}',
    noHttp('it does not begin with HTTP/'),
  ),
  raw('listPets', 'ssh', 'speaks SSH', 'SSH-2.0-OpenSSH_9.2\r\n', noHttp('it does not begin with HTTP/')),
  raw(
    'createPet',
    'noise',
    'sends arbitrary bytes',
    Buffer.from(
      Array(512)
        .fill(0)
        .map((_, index) => (index * 7919) % 256),
    ),
    noHttp('it does not begin with HTTP/'),
  ),
  raw('getPet', 'nul-stream', 'sends NUL bytes', Buffer.alloc(4096), noHttp('it does not begin with HTTP/')),
  raw(
    'getPet',
    'http-2',
    'answers in HTTP/2',
    Buffer.from('000012040000000000000300000064', 'hex'),
    noHttp('it does not begin with HTTP/'),
  ),
  head(
    'getPet',
    'http-7',
    'answers in HTTP/7.3',
    ({ status: line }) => ({ status: line.replace('1.1', '7.3') }),
    noHttp('its version is neither HTTP/1.0 nor HTTP/1.1'),
  ),
  head(
    'getStoreOrders',
    'status-000',
    'answers with status 000',
    status('HTTP/1.1 000 Nothing'),
    noHttp('its status is not a number from 100 to 999'),
  ),
  head(
    'getPet',
    'status-999',
    'answers with status 999',
    status('HTTP/1.1 999 Denied'),
    violating('getPet.200', 'status 999'),
  ),
  head(
    'createPet',
    'status-600',
    'answers with status 600',
    status('HTTP/1.1 600 Beyond'),
    violating('createPet.201', 'status 600'),
  ),
  head(
    'getPet',
    'status-20',
    'answers with a status of two digits',
    status('HTTP/1.1 20 OK'),
    noHttp('its status is not a number from 100 to 999'),
  ),
  head(
    'getPet',
    'no-reason',
    'leaves the reason phrase out',
    ({ status: line }) => ({ status: line.replace(/^(\S+ \d+ ).*/, '$1') }),
    CONFORMS,
  ),
  head(
    'getPet',
    'header-injection',
    'sends a bare carriage return within a header',
    adding('X-User: a\rSet-Cookie: b'),
    noHttp('contains a carriage return'),
  ),
  head(
    'listPets',
    'folded-header',
    'folds a header over two lines',
    adding('X-Consequences: one', '  two'),
    noHttp('a header is folded over two lines'),
  ),
  head(
    'getPet',
    'nameless-header',
    'sends a header without a name',
    adding(': nothing'),
    noHttp('a header has no name'),
  ),
  head(
    'getPet',
    'blank-before-colon',
    'puts a blank between the name of a header and its colon',
    adding('X-Blank : 1'),
    noHttp('a header has whitespace before its colon'),
  ),
  head(
    'createPet',
    'nul-in-header',
    'sends a NUL byte in a header',
    adding('X-Nul: a\0b'),
    noHttp('its head contains a NUL byte'),
  ),
  at(
    'getPet',
    'line-feeds',
    'ends lines by a line feed alone',
    async ({ socket, usual }) => {
      const { status: line, headers, body } = partsOf(await usual());
      socket.write(Buffer.concat([Buffer.from(`${[line, ...headers].join('\n')}\n\n`), body]));
    },
    noHttp('ends with a line feed alone'),
  ),
  raw(
    'getPet',
    'upgrade',
    'switches to another protocol unasked',
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n\x81\x05hello',
    noHttp('it switches to another protocol (101)'),
  ),
];
