import { expect } from 'vitest';
import { concurrentTest as test, testedCommandLine } from '../../../test/command-line/tested-command-line.ts';

// What is asked by a shell is printed by a library, to the console of a process of its own.
const { line } = testedCommandLine();
const petspec = (...words: string[]) => line.petspec(...words);

test('each shell gets what it reads', async () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { status, out } = await petspec('complete', shell);
    expect({ shell, status }).toEqual({ shell, status: 0 });
    expect(out).toMatch(new RegExp(`${shell} completion for petspec`));
    expect(out).toContain('petspec complete --');
  }
});

test('a shell that asks gets commands with their words, and the options of a command', async () => {
  const { out: commands } = await petspec('complete', '--', 're');
  expect(commands).toMatch(/^report\t.+$/m);
  expect(commands).toMatch(/^requirements\t.+$/m);
  expect(commands).not.toContain('serve');
  const { out: options } = await petspec('complete', '--', 'run', '--see');
  expect(options).toMatch(/^--seed\t/m);
});

test('another shell is refused in a line', async () => {
  for (const words of [['nosuch'], []])
    expect(await petspec('complete', ...words)).toMatchObject({
      status: 2,
      err: expect.stringMatching(
        /^petspec: complete: no such shell '\w*'; name one of bash, zsh, fish, powershell\n$/,
      ),
    });
});
