import { COMMANDS, GROUPS } from './command-table.ts';

/** The help of petspec itself: every command in its group, in 80 columns. */
export function helpText(): string {
  const groups = Object.entries(GROUPS).map(([group, title]) => {
    const commands = Object.entries(COMMANDS).filter(([, each]) => each.group === group);
    const rows = commands.map(([command, { args, summary }]) =>
      `  ${`${command} ${args}`.padEnd(27)} ${summary}`.trimEnd(),
    );
    return [`${title}:`, ...rows].join('\n');
  });
  return `Usage: petspec <command> [options]

Decides whether a service conforms to the animal store interface, or to an
OpenAPI document of your own.

${groups.join('\n\n')}

petspec <command> --help explains a command; petspec --version is the version.

Examples:
  petspec run                                    judge the bundled reference
  petspec run https://staging.example.com/v1     the key is in PETSPEC_API_KEY
  petspec run https://staging.example.com/v1 --dry-run    send nothing

Exit status: 0 conformant, 1 non-conformant, 2 wrong usage or configuration,
3 incomplete, 4 a bug of petspec, never held against the target: please report
it with what PETSPEC_DEBUG=1 prints
`;
}
