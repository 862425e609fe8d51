import type { Command } from 'commander';
import type { Conductor } from '../vitest/vitest-run.ts';

export type Exit = (status: number) => void;

/** The groups of commands, and the purpose of each. */
const GROUPS = {
  judge: 'Judge a service',
  certify: 'Certify what was built',
  help: 'Help others',
} as const;

/** A command as the help lists it, and its code. */
interface ListedCommand {
  args: string;
  group: keyof typeof GROUPS;
  /** Five words at most. */
  summary: string;
  /** Words that people type when they mean this command. */
  meant?: readonly string[];
  load: (exit: Exit, conductor: Conductor) => Promise<Command>;
}

/** The commands in the order of the help. Only the code of the named command is loaded. */
export const COMMANDS: Readonly<Record<string, ListedCommand>> = {
  run: {
    args: '[target]',
    group: 'judge',
    summary: 'judge a target or reference',
    meant: ['test', 'check', 'validate', 'conformance', 'start'],
    load: async (exit, conductor) => (await import('./commands/run.ts')).runCommand(exit, conductor),
  },
  judge: {
    args: '<file...>',
    group: 'judge',
    summary: 'judge recorded traffic, a HAR',
    meant: ['har', 'recording', 'replay', 'traffic', 'drift'],
    load: async (exit) => (await import('./commands/judge.ts')).judgeCommand(exit),
  },
  proxy: {
    args: '<target>',
    group: 'judge',
    summary: 'judge live traffic, forwarding it',
    meant: ['live', 'gateway', 'monitor', 'watch', 'forward'],
    load: async (exit) => (await import('./commands/proxy.ts')).proxyCommand(exit),
  },
  report: {
    args: '[folder]',
    group: 'judge',
    summary: 'write reports from a ledger',
    meant: ['html', 'render', 'junit'],
    load: async (exit) => (await import('./commands/reports/report.ts')).reportCommand(exit),
  },
  compare: {
    args: '<report.json...>',
    group: 'judge',
    summary: 'compare two or more runs',
    meant: ['regression'],
    load: async (exit) => (await import('./commands/reports/compare.ts')).compareCommand(exit),
  },
  diff: {
    args: '<old> <new>',
    group: 'judge',
    summary: 'compare versions of an interface',
    meant: ['changes', 'breaking', 'changelog', 'evolve'],
    load: async (exit) => (await import('./commands/reports/diff.ts')).diffCommand(exit),
  },
  limiter: {
    args: '<target>',
    group: 'judge',
    summary: 'tell what a limiter does',
    meant: ['rate-limit', 'ratelimit', 'throttle', 'quota', 'profile'],
    load: async (exit) => (await import('./limiter/limiter.ts')).limiterCommand(exit),
  },
  requirements: {
    args: '',
    group: 'judge',
    summary: 'list what services must do',
    meant: ['rules', 'checks', 'list', 'spec'],
    load: async () => (await import('./commands/requirements.ts')).requirementsCommand(),
  },
  explain: {
    args: '<id>',
    group: 'judge',
    summary: 'explain how requirements are read',
    meant: ['why', 'describe', 'reading', 'show', 'requirement'],
    load: async () => (await import('./commands/explain.ts')).explainCommand(),
  },
  init: {
    args: '',
    group: 'certify',
    summary: 'write a configuration and workflow',
    meant: ['setup', 'config', 'new', 'ci'],
    load: async () => (await import('./init/init.ts')).initCommand(),
  },
  certify: {
    args: '[target]',
    group: 'certify',
    summary: 'judge, and sign the result',
    meant: ['certificate', 'sign', 'badge'],
    load: async (exit, conductor) => (await import('./commands/certify.ts')).certifyCommand(exit, conductor),
  },
  verify: {
    args: '<file>',
    group: 'certify',
    summary: 'check what a certificate proves',
    load: async (exit) => (await import('./commands/reports/verify.ts')).verifyCommand(exit),
  },
  history: {
    args: '[command]',
    group: 'certify',
    summary: 'see what changes between runs',
    meant: ['trend', 'trends', 'log'],
    load: async (exit) => (await import('./commands/reports/history.ts')).historyCommand(exit),
  },
  board: {
    args: '<path...>',
    group: 'certify',
    summary: 'publish many implementations and runs',
    meant: ['site', 'dashboard', 'publish'],
    load: async () => (await import('./commands/reports/board.ts')).boardCommand(),
  },
  selfcheck: {
    args: '',
    group: 'certify',
    summary: 'prove that every check works',
    meant: ['self-test', 'self-check', 'selftest', 'doctor'],
    load: async (exit) => (await import('./commands/selfcheck.ts')).selfcheckCommand(exit),
  },
  serve: {
    args: '',
    group: 'help',
    summary: 'serve the reference to clients',
    meant: ['server', 'mock', 'reference', 'stub'],
    load: async () => (await import('./commands/serve.ts')).serveCommand(),
  },
  client: {
    args: '-- <command...>',
    group: 'help',
    summary: 'judge a client by scenarios',
    meant: ['consumer', 'sdk'],
    load: async (exit) => (await import('./commands/client.ts')).clientCommand(exit),
  },
  faults: {
    args: '',
    group: 'help',
    summary: 'list faults of the reference',
    meant: ['mutants', 'bugs'],
    load: async () => (await import('./commands/catalogue.ts')).faultsCommand(),
  },
  variants: {
    args: '',
    group: 'help',
    summary: 'list variants of the reference',
    load: async () => (await import('./commands/catalogue.ts')).variantsCommand(),
  },
  skills: {
    args: '',
    group: 'help',
    summary: 'print instructions for coding agents',
    meant: ['agent', 'agents', 'skill', 'claude'],
    load: async () => (await import('./agents/agents.ts')).skillsCommand(),
  },
  mcp: {
    args: '',
    group: 'help',
    summary: 'serve petspec to coding agents',
    load: async () => (await import('./agents/agents.ts')).mcpCommand(),
  },
  complete: {
    args: '<shell>',
    group: 'help',
    summary: 'complete commands in your shell',
    meant: ['completion', 'completions', 'autocomplete'],
    load: async () => (await import('./agents/complete.ts')).completeCommand(),
  },
};

/** The help of petspec itself: every command in its group, in 80 columns. */
export function helpText(): string {
  const groups = Object.entries(GROUPS).map(([group, title]) => {
    const commands = Object.entries(COMMANDS).filter(([, command]) => command.group === group);
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
