import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { packageRoot } from '../../model/package-root.ts';

/** `petspec skills`: instructions for coding agents, as a skill file. */
export function skillsCommand(): Command {
  return new Command('skills')
    .description(
      'Prints a skill file for coding agents: when to run which command, what it costs, and how to read agent.md.',
    )
    .addHelpText('after', '\nExamples:\n  petspec skills > SKILL.md')
    .action(() => {
      process.stdout.write(readFileSync(join(packageRoot, 'assets', 'skill.md'), 'utf8'));
    });
}
