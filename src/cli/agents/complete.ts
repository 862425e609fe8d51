import tab from '@bomb.sh/tab/commander';
import { Command } from 'commander';
import { UsageError } from '../../model/usage-error.ts';

const SHELLS: readonly string[] = ['bash', 'zsh', 'fish', 'powershell'];

/** `petspec complete` as its help shows it. */
export function completeCommand(): Command {
  return new Command('complete')
    .description('Prints what a shell reads to complete commands and options.')
    .argument('<shell>', 'bash, zsh, fish or powershell')
    .addHelpText('after', '\nExamples:\n  petspec complete bash > ~/.petspec-completion');
}

/**
 * Prints the completion script for a shell, or, after `--`, the completions of a command line, which the script asks for.
 * @param words from `complete` on
 * @param commands all commands of petspec
 * @throws UsageError if petspec does not know the shell
 */
export async function complete(words: readonly string[], commands: readonly Command[]): Promise<void> {
  const [, shell = ''] = words;
  if (shell !== '--' && !SHELLS.includes(shell))
    throw new UsageError(`complete: no such shell '${shell}'; name one of ${SHELLS.join(', ')}`);
  const program = new Command('petspec');
  for (const command of commands) program.addCommand(command.description(command.summary()));
  tab(program);
  await program.parseAsync(words, { from: 'user' });
}
