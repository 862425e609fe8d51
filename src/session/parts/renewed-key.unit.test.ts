import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { VirtualClock } from '../../model/clock.ts';
import { keyFromCommand, RenewedKey } from './renewed-key.ts';

/** A key whose command prints `printed`, and how often the command was asked. */
function keyMadeBy(printed: string) {
  const folder = mkdtempSync(join(tmpdir(), 'petspec-key-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const calls = join(folder, 'calls');
  const clock = new VirtualClock(0);
  const stopped: string[] = [];
  const end = {
    stop: ({ message }: { message: string }) => void stopped.push(message),
    waitFor: async (ms: number) => void (await clock.sleep(ms)),
  };
  const key = new RenewedKey(
    { apiKey: 'first', apiKeyCommand: `echo asked >> '${calls}'; ${printed}`, clock },
    end as unknown as ConstructorParameters<typeof RenewedKey>[1],
  );
  const asked = () => readFileSync(calls, 'utf8').trim().split('\n').length;
  return { key, asked, stopped };
}

const OPERATIONS = ['a', 'b', 'c', 'd'];

test('requests that are refused together get one new key', async () => {
  const { key, asked } = keyMadeBy('echo second');
  for (const each of OPERATIONS) key.accepted(each);
  expect(await Promise.all(OPERATIONS.map((each) => key.renewed(each, 'first')))).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect([key.current, asked()]).toEqual(['second', 1]);
});

test('a command that makes the same key is asked once for all that are refused together', async () => {
  const { key, asked, stopped } = keyMadeBy('echo first');
  for (const each of OPERATIONS) key.accepted(each);
  expect(await Promise.all(OPERATIONS.map((each) => key.renewed(each, 'first')))).toEqual([
    false,
    false,
    false,
    false,
  ]);
  expect([asked(), stopped]).toEqual([1, []]);
});

test('a command that takes too long is ended', async () => {
  await expect(keyFromCommand('exec sleep 60', 50)).rejects.toThrow(
    '--api-key-command: the command took longer than 0.05 s',
  );
});

test('a command that waits for input gets none', async () => {
  expect(await keyFromCommand('cat; echo the-key')).toBe('the-key');
});
