import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exchange } from '../../test/exchanges/exchange.ts';
import { cases } from '../../test/fuzz/budget.ts';
import { hostileText } from '../../test/fuzz/texts.ts';
import { inBash } from '../../test/reproduce/in-bash.ts';
import type { Exchange } from '../model/exchange.ts';
import type { KeyKind } from '../model/probe.ts';
import { visible } from '../model/visible.ts';
import { authorization, shownHeaders } from '../session/secrets/authorization.ts';
import { curlOf } from './curl.ts';

const KEY = 'Key-1 $HOME `id`';
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'petspec-curl-'));
  const stub = '#!/bin/sh\nprintf \'%d\\0\' "$#"; for argument; do printf \'%s\\0\' "$argument"; done\n';
  writeFileSync(join(folder, 'curl'), stub, { mode: 0o755 });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The arguments that curl gets when a shell runs these commands in one script. */
function givenBy(commands: readonly string[], shell = 'bash'): string[][] {
  const env = {
    PATH: `${folder}${delimiter}${process.env.PATH}`,
    PETSPEC_API_KEY: KEY,
    STAGING_KEY: 'staging',
  };
  const output = execFileSync(shell, ['-c', commands.join('\n')], {
    cwd: folder,
    env,
    encoding: 'utf8',
    // bash takes standard input that is a socket for a remote shell, and reads the user's .bashrc.
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const words = output.split('\0');
  const given: string[][] = [];
  // The number of arguments, and then each of them.
  for (let at = 0; at < words.length - 1; at += 1 + Number(words[at]))
    given.push(words.slice(at + 1, at + 1 + Number(words[at])));
  return given;
}

function exchangeOf(change: Partial<Exchange>): Exchange {
  return exchange({
    probe: 'listPets:first',
    url: 'https://staging.example.com/v1/pets?limit=1',
    receivedAt: 0,
    ...change,
  });
}

const sending = (kind: KeyKind) =>
  exchangeOf({
    requestHeaders: shownHeaders(
      [['authorization', authorization(kind, KEY, 'another-key') ?? '']],
      kind,
      [],
    ),
  });

test('curl sends a GET with a body as a GET, and a header without a value with its name', async () => {
  const sent: { method: string | undefined; empty: unknown; body: string }[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    sent.push({ method: request.method, empty: request.headers['x-empty'], body });
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const command = curlOf(
    exchangeOf({
      url: `http://127.0.0.1:${port}/v1/pets`,
      requestHeaders: [
        ['Content-Type', 'application/json'],
        ['X-Empty', ''],
      ],
      requestBody: '{"name":"Rex"}',
    }),
  );
  const { status, err } = await inBash(folder, command);
  server.close();
  expect(status, err).toBe(0);
  expect(sent).toEqual([{ method: 'GET', empty: '', body: '{"name":"Rex"}' }]);
});

test('curl says itself how long a body is: without a secret it has another length', () => {
  const requestHeaders = [['Content-Length', '53']] as const;
  const command = curlOf(exchangeOf({ method: 'POST', requestHeaders, requestBody: '{"owner":"[key]"}' }));
  expect(command).not.toMatch(/content-length/i);
});

test('without a Content-Type, curl adds none of its own', () => {
  const sent = exchangeOf({ method: 'POST', requestBody: '{}' });
  expect(givenBy([curlOf(sent)])[0]).toEqual(
    expect.arrayContaining(['-H', 'content-type:', '--data-raw', '{}']),
  );
  const typed = { ...sent, requestHeaders: [['Content-Type', 'text/plain']] as const };
  expect(curlOf(typed)).not.toContain("'content-type:'");
});

describe('what petspec itself sends', () => {
  test('is repeated unchanged', () => {
    const exchange = exchangeOf({
      method: 'POST',
      requestHeaders: [
        ['accept', 'application/json'],
        ['content-type', 'application/json'],
        ['user-agent', 'petspec/0.1.0'],
        ['authorization', 'Bearer $PETSPEC_API_KEY'],
        ['X-Gateway', '[hidden]'],
      ],
      requestBody: '{"name":"O\'Malley"}',
    });
    const command = curlOf(exchange, { isInsecure: true });
    expect(command).toBe(
      `curl -i --insecure -X POST -H 'accept: application/json' -H 'content-type: application/json' -H "Authorization: Bearer $PETSPEC_API_KEY" ` +
        `-H 'X-Gateway: [hidden]' --data-raw '{"name":"O'\\''Malley"}' 'https://staging.example.com/v1/pets?limit=1'`,
    );
    expect(givenBy([command])).toEqual([
      [
        ...['-i', '--insecure', '-X', 'POST', '-H', 'accept: application/json'],
        ...['-H', 'content-type: application/json'],
        ...['-H', `Authorization: Bearer ${KEY}`, '-H', 'X-Gateway: [hidden]'],
        ...['--data-raw', '{"name":"O\'Malley"}', 'https://staging.example.com/v1/pets?limit=1'],
      ],
    ]);
  });

  test.each(['valid', 'empty', 'unknown', 'scheme', 'longer', 'shorter', 'case', 'bare'] as const)(
    'whatever stands in place of the key: %s, in any shell',
    (kind) => {
      const sent = [
        '-i',
        '-H',
        `Authorization: ${authorization(kind, KEY, 'another-key')}`,
        exchangeOf({}).url,
      ];
      const command = curlOf(sending(kind));
      for (const shell of ['bash', 'sh']) expect(givenBy([command], shell)).toEqual([sent]);
    },
  );

  test('a varied request keeps its spelling and its header', () => {
    const exchange = exchangeOf({
      variation: 'spelling',
      url: 'https://staging.example.com/v1/pets?%6Cimit=1',
      requestHeaders: [['x-forwarded-for', '203.0.113.7']],
    });
    expect(givenBy([curlOf(exchange)])).toEqual([
      ['-i', '-H', 'x-forwarded-for: 203.0.113.7', 'https://staging.example.com/v1/pets?%6Cimit=1'],
    ]);
  });

  test('the key comes from the given variable', () => {
    const [given] = givenBy([curlOf(sending('shorter'), { keyVariable: 'STAGING_KEY' })]);
    expect(given).toContain('Authorization: Bearer stagin');
  });
});

/** Texts that a shell or curl would execute or expand without quotes. */
const HOSTILE = [
  '$(touch pwned)',
  '`touch pwned`',
  '"; touch pwned; "',
  "'; touch pwned; '",
  '\\$(touch pwned)',
  '\\',
  '"',
  "'",
  '\n touch pwned\n',
  '\r\ntouch pwned',
  '; touch pwned #',
  '| touch pwned',
  '&& touch pwned',
  '> pwned',
  '$PETSPEC_API_KEY$(touch pwned)',
  '$PETSPEC_API_KEYS',
  '$' + '{PETSPEC_API_KEY:-$(touch pwned)}',
  '$' + '{PETSPEC_API_KEY',
  '$((1+1))',
  '!!',
  'a!b',
  '~',
  '*',
  '{a,b}',
  '-o pwned',
  '@pwned',
  '\u0003\u001b[2J\u0015',
  '\u202e\u2028\u200b',
  '\ud800',
  "\u0007'",
  '##[error]',
  '',
];

describe('a ledger from somebody else', () => {
  test.each(HOSTILE)('is taken as it is, wherever it has this: %j', (text) => {
    const exchange = exchangeOf({
      method: `P${text}`,
      url: `https://example.com/${text}`,
      requestHeaders: [
        ['authorization', `Bearer $PETSPEC_API_KEY ${text}`],
        ['X-Any', text],
        [`X-${text}`, 'any'],
      ],
      requestBody: text,
    });
    const command = curlOf(exchange, { keyVariable: `PETSPEC_API_KEY${text}` });
    // No escape sequences, and nothing that looks different from what is copied.
    expect(visible(command)).toBe(command);
    const [given = []] = givenBy([command]);
    const whole = text.replace('\ud800', '\ufffd');
    const body = given[given.indexOf('--data-raw') + 1];
    expect(given).toContain(`P${whole}`);
    expect(given.at(-1)).toBe(`https://example.com/${whole}`);
    expect(given).toContain(text === '' ? 'X-Any;' : `X-Any: ${whole}`);
    expect(given).toContain(`Authorization: Bearer ${KEY} ${whole.replace(/\$PETSPEC_API_KEY(?!\w)/, KEY)}`);
    expect(body).toBe(whole);
    expect(existsSync(join(folder, 'pwned'))).toBe(false);
  });

  test('an invalid header is left out, and an address does not become an option', () => {
    const headers = [
      ['@/etc/hostname', ''],
      ['a b', 'c'],
      ['', 'd'],
    ] as const;
    const exchange = exchangeOf({ url: '--output=pwned', requestHeaders: headers });
    expect(givenBy([curlOf(exchange)])).toEqual([['-i', '--url', '--output=pwned']]);
  });

  test('curl does not expand an address', () => {
    const url = 'http://[::1]:8080/v1/pets?q={a,b}[1-9]';
    expect(givenBy([curlOf(exchangeOf({ url }))])).toEqual([['-i', '--globoff', url]]);
  });

  test('no argument contains a NUL', () => {
    expect(givenBy([curlOf(exchangeOf({ requestBody: 'a\0b' }))])).toEqual([
      ['-i', '-X', 'GET', '-H', 'content-type:', '--data-raw', 'ab', exchangeOf({}).url],
    ]);
  });

  test('a shell expands nothing', () => {
    const texts = fc.sample(hostileText, { ...cases<string>(400), numRuns: 400 });
    const commands = texts.map((text) =>
      curlOf(exchangeOf({ method: 'POST', requestHeaders: [['authorization', text]], requestBody: text })),
    );
    for (const command of commands) expect(visible(command)).toBe(command);
    const given = givenBy(commands);
    const whole = texts.map((text) => Buffer.from(text.replaceAll('\0', '')).toString());
    expect(given.map((each) => each[4])).toEqual(
      whole.map((each, index) =>
        /^[\t-\r ]*$/.test(texts[index] ?? '') ? 'authorization;' : `Authorization: ${each}`,
      ),
    );
    expect(given.map((each) => each[8])).toEqual(whole);
  });
});
