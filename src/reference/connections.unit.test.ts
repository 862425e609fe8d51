import { connect, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { KEY, NOON, running } from '../../test/services/running-reference.ts';
import { VirtualClock } from '../model/clock.ts';
import { UsageError } from '../model/usage-error.ts';
import type { Change } from './index.ts';
import { startReference } from './index.ts';

function rawly(port: string, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(bytes));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', () => {});
    socket.on('close', () => resolve(Buffer.concat(chunks).toString()));
  });
}

test('odd but readable requests are routed; unreadable ones are rejected with all headers', () =>
  running({}, async ({ baseUrl }) => {
    const { port } = new URL(baseUrl);
    const authorized = `Authorization: Bearer ${KEY}\r\nConnection: close\r\n\r\n`;
    const status = async (head: string) => (await rawly(port, `${head}\r\n${authorized}`)).slice(9, 12);
    expect(await status('GET /v1/pets HTTP/1.1')).toBe('200');
    expect(await status('GET /v1/pets HTTP/1.1\r\nHost: a b')).toBe('200');
    expect(await status('GET http://example.org/v1/pets?limit=1 HTTP/1.1\r\nHost: example.org')).toBe('200');
    expect(await status('OPTIONS * HTTP/1.1\r\nHost: x')).toBe('404');
    expect(await status(`GET /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${KEY}`)).toBe('401');
    const refused = await rawly(port, 'hello\r\n\r\n');
    expect(refused).toMatch(/^HTTP\/1.1 400 Bad Request\r\n/);
    expect(refused).toMatch(/\r\nX-RateLimit-Reset: \d+\r\n/);
    expect(JSON.parse(refused.split('\r\n\r\n')[1] ?? '')).toMatchObject({
      code: 'invalid_request',
      status: 400,
    });
  }));

/** The handles that keep the process alive after everything has closed. */
async function open(): Promise<string[]> {
  for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
  return process
    .getActiveResourcesInfo()
    .filter((kind) => /TCP|Timeout/.test(kind))
    .sort();
}

/** What is open now and was not before: other test files of this process may have closed something meanwhile. */
function newSince(before: readonly string[], now: readonly string[]): string[] {
  const left = [...before];
  return now.filter((each) => {
    const place = left.indexOf(each);
    if (place >= 0) left.splice(place, 1);
    return place < 0;
  });
}

test('a port in use: one clear line, and nothing stays open', async () => {
  const clock = new VirtualClock(NOON);
  const squatter = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => squatter.once('listening', resolve));
  const { port } = squatter.address() as { port: number };
  const before = await open();
  for (const ports of [{ port }, { messagePort: port }])
    await expect(startReference({ clock, apiKey: KEY, ...ports })).rejects.toThrow(
      `cannot start the reference on 127.0.0.1:${port}: the port is already in use`,
    );
  expect(newSince(before, await open())).toEqual([]);
  squatter.close();
});

test.each([
  [undefined, "missing 'clock' and 'apiKey'; expected options such as { clock: realClock, apiKey: 'a-key' }"],
  [{ apiKey: undefined }, "missing 'apiKey'; expected options such as { clock: realClock, apiKey: 'a-key' }"],
  [{ apiKey: 'a secret \u00fc' }, "'apiKey' is not valid; expected the key that it accepts, in ASCII"],
  [{ clock: {} }, "'clock' is not valid; expected a clock, such as realClock"],
  [{ plan: { minute: 0, day: 5 } }, "'plan' is not valid; expected one of free, pro, business, or"],
  [{ plan: 'gold' }, "'plan' is not valid; expected one of free, pro, business, or"],
  [{ port: '8080' }, "'port' is not valid; expected a port from 0 to 65535"],
  [{ changes: ['list-default-25'] }, "'changes' is not valid; expected a list of faults and variants"],
  [{ apikey: 'x' }, "unknown option 'apikey'; did you mean 'apiKey'?"],
])('%o is refused in one line that names the option and never the key', async (wrong, words) => {
  const options = wrong && { clock: new VirtualClock(NOON), apiKey: KEY, ...wrong };
  const error: unknown = await startReference(options as never).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(UsageError);
  const { message } = error as UsageError;
  expect(message.slice(0, 16 + words.length)).toBe(`startReference: ${words}`);
  expect(message).not.toMatch(/\n|secret/);
});

test('a clock that does not know the time is refused', () => {
  for (const start of [undefined, '2026', new Date(NOON), Number.NaN])
    expect(() => new VirtualClock(start as number)).toThrow(UsageError);
});

test('close ends stalled and idle connections and leaves nothing open', async () => {
  const before = await open();
  const clock = new VirtualClock(NOON);
  const stalled: Promise<void>[] = [];
  const stall: Change['wire'] = (_answer, call) => {
    stalled.push(call.pause(Number.POSITIVE_INFINITY));
    return stalled[0];
  };
  const reference = await startReference({ clock, apiKey: KEY, changes: [{ wire: stall }] });
  const { port } = new URL(reference.baseUrl);
  const ends = [rawly(port, 'GET /v1/pets HTTP/1.1\r\n\r\n'), rawly(port, ''), rawly(port, 'POST /v1/p')];
  while (stalled.length === 0) await new Promise(setImmediate);
  expect(newSince(before, await open())).not.toEqual([]);
  await reference.close();
  await reference.close();
  expect(await Promise.all(ends)).toEqual(['', '', '']);
  await Promise.all(stalled);
  expect(newSince(before, await open())).toEqual([]);
});
