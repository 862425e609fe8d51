import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { run } from '../../src/index.ts';
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
