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
 * Prints the completion for a shell, or what completes the words of a command line after `--`, which is what the shell then asks.
 * @param words from `complete` on
 * @param commands all that petspec has
 * @throws UsageError if petspec does not know the shell
 */
export async function complete(words: readonly string[], commands: readonly Command[]): Promise<void> {
  const [, shell = ''] = words;
  if (shell !== '--' && !SHELLS.includes(shell))
    throw new UsageError(`complete: no such shell '${shell}'; name one of ${SHELLS.join(', ')}`);
  const program = new Command('petspec');
  for (const each of commands) program.addCommand(each.description(each.summary()));
  tab(program);
  await program.parseAsync(words, { from: 'user' });
}
