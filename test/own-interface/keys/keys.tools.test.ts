import { spawn, spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { run } from '../../../src/index.ts';
import { curlOf } from '../../../src/report/reproduce/curl.ts';
import { startSmall } from '../small-service.ts';
import { documentOf, KEY, SCHEMES, startService } from './keyed-service.ts';

// The command encodes a key of the basic scheme with programs of its own.
test.each(SCHEMES)(
  'the command of a request with a key as %s sends the key',
  async (_, scheme, header, right) => {
    const { baseUrl } = await startService(header, right);
    const answered = await run({ baseUrl, apiKey: KEY, interface: documentOf(scheme) });
    const sent = answered.exchanges.find(({ key }) => key === 'valid');
    const shown = sent?.requestHeaders.find(([name]) => name.toLowerCase() === header)?.[1] ?? '';
    const env = { PETSPEC_API_KEY: KEY, PATH: process.env.PATH ?? '' };
    expect(
      spawnSync('bash', ['-c', `printf %s "${shown.replaceAll('"$PETSPEC_API_KEY"', '$PETSPEC_API_KEY')}"`], {
        env,
        // With a socket, bash reads the user's .bashrc.
        stdio: ['ignore', 'pipe', 'inherit'],
      }).stdout.toString(),
    ).toBe(right);
  },
);

test.each(SCHEMES)(
  'the commands of requests with wrong keys as %s send the same keys',
  async (_, scheme, header, right) => {
    const { baseUrl, got } = await startService(header, right);
    const { exchanges } = await run({ baseUrl, apiKey: KEY, interface: documentOf(scheme) });
    const inRun = [...got];
    got.length = 0;
    const env = { PETSPEC_API_KEY: KEY, PATH: process.env.PATH ?? '' };
    for (const exchange of exchanges) await inBash(`${curlOf(exchange)} >&2`, env);
    expect(got).toEqual(inRun);
  },
);

test('the commands of requests with wrong keys in the query send the same keys', async () => {
  const { baseUrl, asked } = await startSmall(({ query }) => (query.get('key') === KEY ? [200, []] : [401]));
  const path = documentOf({ type: 'apiKey', in: 'query', name: 'key' });
  const { exchanges } = await run({ baseUrl, apiKey: KEY, interface: path, seed: 2 });
  const inRun = asked.map(({ query }) => query.get('key'));
  asked.length = 0;
  for (const exchange of exchanges)
    await inBash(curlOf(exchange), { PETSPEC_API_KEY: KEY, PATH: process.env.PATH ?? '' });
  expect(asked.map(({ query }) => query.get('key'))).toEqual(inRun);
  expect(inRun).toEqual(expect.arrayContaining([`${KEY}x`, KEY.slice(0, -1), null]));
});

function inBash(command: string, env: Record<string, string>): Promise<void> {
  return new Promise((resolve) => {
    // With a socket, bash reads the user's .bashrc.
    spawn('bash', ['-c', command], { env, stdio: ['ignore', 'ignore', 'ignore'] }).on('close', () =>
      resolve(),
    );
  });
}
