import { expect, test } from 'vitest';
import { wrongWithHead } from './explain-failure.ts';

const head = (...lines: string[]) => `${lines.join('\r\n')}\r\n\r\n`;

test.each([
  ['a minimal one', head('HTTP/1.1 200 OK')],
  ['without a reason phrase', head('HTTP/1.1 200 ')],
  ['without the space before it', head('HTTP/1.1 200')],
  ['HTTP/1.0', head('HTTP/1.0 404 Not Found')],
  ['an unregistered status', head('HTTP/1.1 999 Denied')],
  ['empty lines before it', `\r\n\r\n${head('HTTP/1.1 200 OK')}`],
  ['an empty value', head('HTTP/1.1 200 OK', 'X-Empty:', 'X-Blank: \t')],
  ['colons and blanks in a value', head('HTTP/1.1 200 OK', 'X-Time: 12:30 : 00')],
  ['bytes beyond ASCII in a value', head('HTTP/1.1 200 Sch\u00f6n', 'X-Name: \u00fc')],
  ['one length, stated twice', head('HTTP/1.1 200 OK', 'Content-Length: 2', 'content-length: 2')],
  ['a length with blanks', head('HTTP/1.1 200 OK', 'Content-Length:  2 ')],
  ['chunks', head('HTTP/1.1 200 OK', 'Transfer-Encoding: chunked')],
])('a correct head has no problem: %s', (_what, text) => {
  expect(wrongWithHead(text)).toBeUndefined();
});

test.each([
  ['begin with HTTP/', 'ICY 200 OK\r\n\r\n'],
  ['begin with HTTP/', '{"id":1,"name":"x"}'],
  ['begin with HTTP/', '\0'.repeat(4_096)],
  ['begin with HTTP/', '\0\0\x12\x04\0\0\0\0\0\0\x03\0\0\0d'],
  ['version', head('HTTP/2 200')],
  ['version', head('HTTP/0.9 200 OK')],
  ['version', head('HTTP/7.3 200 OK')],
  ['status', head('HTTP/1.1 099 Low')],
  ['status', head('HTTP/1.1 000 Nothing')],
  ['status', head('HTTP/1.1 20 OK')],
  ['status', head('HTTP/1.1 2000 OK')],
  ['another protocol', head('HTTP/1.1 101 Switching Protocols')],
  ['NUL', head('HTTP/1.1 200 OK', 'X-Nul: a\0b')],
  ['line feed alone', 'HTTP/1.1 200 OK\nX-A: 1\n\n'],
  ['carriage return', head('HTTP/1.1 200 OK', 'X-A: 1\rX-B: 2')],
  ['folded', head('HTTP/1.1 200 OK', 'X-A: 1', '\t2')],
  ['no name', head('HTTP/1.1 200 OK', ': 1')],
  ['before its colon', head('HTTP/1.1 200 OK', 'X-A : 1')],
  ['not a header', head('HTTP/1.1 200 OK', 'no cache please')],
  ['two Content-Lengths', head('HTTP/1.1 200 OK', 'Content-Length: 2', 'Content-Length: 3')],
  ['two Content-Lengths', head('HTTP/1.1 200 OK', 'Content-Length: 2, 3')],
  ['not a number', head('HTTP/1.1 200 OK', 'Content-Length: -1')],
  ['impossibly large', head('HTTP/1.1 200 OK', `Content-Length: ${'9'.repeat(30)}`)],
  ['both', head('HTTP/1.1 200 OK', 'Content-Length: 2', 'Transfer-Encoding: chunked')],
])('a wrong head has a problem: %s', (words, text) => {
  expect(wrongWithHead(text)).toContain(words);
});

const SIZE = 64 * 1024;

// Trying each place of such a head anew would take several seconds.
test.each([
  ...[' ', '\t', ':', 'a', ' :', 'a '].map((each) => [
    undefined,
    head('HTTP/1.1 200 OK', `X-Long: ${each.repeat(SIZE)}b`),
  ]),
  ['carriage return', head('HTTP/1.1 200 OK', `X-Long: ${'\r'.repeat(SIZE)}b`)],
  ['not a header', head('HTTP/1.1 200 OK', 'a'.repeat(SIZE))],
  ['begin with HTTP/', '\r\n'.repeat(SIZE)],
])('a large head is checked like any other: %s', (words, text = '') => {
  expect(wrongWithHead(text)).toEqual(words === undefined ? undefined : expect.stringContaining(words));
});
