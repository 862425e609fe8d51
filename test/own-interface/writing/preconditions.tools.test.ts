import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { judged } from '../small-service.ts';
import { thingsWith, versioned, WRITING } from './versioned-things.ts';

test('a script creates what a change with a precondition needs, and sends its version', async () => {
  const answer = versioned();
  const careless: typeof answer = (asked) =>
    answer(asked.method === 'PUT' ? { ...asked, body: '{"name":"any"}' } : asked);
  const { report, wrong } = await judged(thingsWith('If-Match'), careless, WRITING);
  expect(wrong).toEqual(['change.body']);
  const { script = 'false' } =
    report.requirements.find(({ id: each }) => each === 'change.body')?.reproduce ?? {};
  const env = { ...process.env, PETSPEC_API_KEY: 'k-91' };
  const { stdout } = await promisify(execFile)('bash', ['--norc', '-c', script], { env });
  expect(stdout).toContain('HTTP/1.1 200 OK');
});
