import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cases } from '../../../test/fuzz/budget.ts';
import { hostileText } from '../../../test/fuzz/texts.ts';
import {
  exchangeOf,
  folderOfCommands,
  givenBy,
  KEY,
  sending,
} from '../../../test/reproduce/given-to-curl.ts';
import { inBash } from '../../../test/reproduce/in-bash.ts';
import { visible } from '../../model/visible.ts';
import { authorization } from '../../secrets/keys/authorization.ts';
import { curlOf } from './curl.ts';

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
  const { status, err } = await inBash(folderOfCommands(), command);
  server.close();
  expect(status, err).toBe(0);
  expect(sent).toEqual([{ method: 'GET', empty: '', body: '{"name":"Rex"}' }]);
});

test.each(['valid', 'empty', 'unknown', 'scheme', 'longer', 'shorter', 'case', 'followed', 'bare'] as const)(
  'whatever stands in place of the key: %s, in any shell',
  (kind) => {
    const sent = [
      '-i',
      '-H',
      `Authorization: ${authorization(kind, KEY, 'another-key')}`,
      exchangeOf({}).url,
    ];
    const command = curlOf(sending(kind));
    for (const shell of ['bash', 'sh'] as const) expect(givenBy([command], shell)).toEqual([sent]);
  },
);

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
    const [given = []] = givenBy([command], 'bash');
    const whole = text.replace('\ud800', '\ufffd');
    const body = given[given.indexOf('--data-raw') + 1];
    expect(given).toContain(`P${whole}`);
    expect(given.at(-1)).toBe(`https://example.com/${whole}`);
    expect(given).toContain(text === '' ? 'X-Any;' : `X-Any: ${whole}`);
    expect(given).toContain(`Authorization: Bearer ${KEY} ${whole.replace(/\$PETSPEC_API_KEY(?!\w)/, KEY)}`);
    expect(body).toBe(whole);
    expect(existsSync(join(folderOfCommands(), 'pwned'))).toBe(false);
  });

  test('a shell expands nothing', () => {
    const texts = fc.sample(hostileText, { ...cases<string>(400), numRuns: 400 });
    const commands = texts.map((text) =>
      curlOf(exchangeOf({ method: 'POST', requestHeaders: [['authorization', text]], requestBody: text })),
    );
    for (const command of commands) expect(visible(command)).toBe(command);
    const given = givenBy(commands, 'bash');
    const whole = texts.map((text) => Buffer.from(text.replaceAll('\0', '')).toString());
    expect(given.map((each) => each[4])).toEqual(
      whole.map((each, index) =>
        /^[\t-\r ]*$/.test(texts[index] ?? '') ? 'authorization;' : `Authorization: ${each}`,
      ),
    );
    expect(given.map((each) => each[8])).toEqual(whole);
  });
});
