import { expect, test } from 'vitest';
import { runInVitest } from '../vitest/vitest-run.ts';
import { COMMANDS } from './command-table.ts';

test.each(Object.entries(COMMANDS))('%s is the command that the help lists', async (name, { args, load }) => {
  const command = await load(() => {}, runInVitest);
  expect(command.name()).toBe(name);
  expect(command.usage()).toBe(`[options]${args && ` ${args}`}`);
});

test.each(Object.entries(COMMANDS))('what %s does is said in five words at most', (_name, { summary }) => {
  expect(summary.split(' ').length).toBeLessThanOrEqual(5);
});
