import { expect, test } from 'vitest';
import { keyFromCommand } from './key-command.ts';

test('a command that takes too long is ended', async () => {
  await expect(keyFromCommand('exec sleep 60', 50)).rejects.toThrow(
    '--api-key-command: the command took longer than 0.05 s',
  );
});

test('a command that waits for input gets none', async () => {
  expect(await keyFromCommand('cat; echo the-key')).toBe('the-key');
});
