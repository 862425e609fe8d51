import { expect } from 'vitest';
import { concurrentTest as test, testedCommandLine } from '../../../test/command-line/tested-command-line.ts';

const { petspec } = testedCommandLine();

test('the skill says what it is for, and names commands and options that exist', async () => {
  const { status, out } = await petspec('skills');
  expect(status).toBe(0);
  expect(out).toMatch(/^---\nname: petspec\ndescription: [^\n]{50,1024}\n---\n\n# petspec\n/);
  const commands = [...out.matchAll(/petspec ([a-z]+)((?: [^`\n|]*)?)/g)].filter(([, name]) =>
    ['run', 'judge', 'client', 'diff', 'explain'].includes(name ?? ''),
  );
  expect(commands.length).toBeGreaterThan(6);
  for (const [, name = '', rest = ''] of commands) {
    const { out: help } = await petspec(name, '--help');
    for (const [option] of rest.matchAll(/--[a-z-]+/g)) expect(help).toContain(option);
  }
});
