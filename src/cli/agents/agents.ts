import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { packageRoot, packageVersion } from '../../model/package-root.ts';
import { UsageError } from '../../model/usage-error.ts';
import { BUG } from '../output/bugs.ts';

/** The arguments of a call: switches are `true` or `false`. */
type CallArguments = Readonly<Record<string, string | undefined>>;

/** A tool for an agent: its parameters, and the command line that it runs. */
interface Tool {
  description: string;
  /** The parameters by name: texts, or switches. */
  parameters: Readonly<Record<string, { description: string; optional?: true; isSwitch?: true }>>;
  words(given: CallArguments): string[];
  /** Set if the result is the text of `agent.md`. */
  isRun?: true;
}

const TARGET = { description: 'base URL of the service, such as https://staging.example.com/v1' };
const INTERFACE = {
  description: 'path of an OpenAPI document; without it, the service is judged as an animal store',
  optional: true,
} as const;

const ofInterface = ({ interface: path }: CallArguments) => (path === undefined ? [] : ['--interface', path]);

const TOOLS: Readonly<Record<string, Tool>> = {
  plan: {
    description: 'Says which requests a run would send to a service and what it costs. Sends nothing.',
    parameters: { target: TARGET, interface: INTERFACE },
    words: (given) => ['run', given.target ?? '', '--dry-run', ...ofInterface(given)],
  },
  run: {
    description:
      'Judges a service: sends requests with the key in PETSPEC_API_KEY, may add up to 16 animals, and may wait for the rate limit for a minute or more. Returns the verdict and each violation with its evidence.',
    parameters: {
      target: TARGET,
      interface: INTERFACE,
      only: { description: 'ids of requirements to judge, comma-separated', optional: true },
      readOnly: {
        description: 'send only GET and HEAD, and leave the rate limit alone',
        optional: true,
        isSwitch: true,
      },
    },
    words: (given) => [
      ...['run', given.target ?? '', ...ofInterface(given)],
      ...(given.only === undefined ? [] : ['--only', given.only]),
      ...(given.readOnly === 'true' ? ['--read-only', '--no-exhaust'] : []),
    ],
    isRun: true,
  },
  explain: {
    description: 'Says how petspec reads a requirement, what else it could mean, and why it does not.',
    parameters: {
      id: { description: 'id of the requirement, such as listPets.limit' },
      interface: INTERFACE,
    },
    words: (given) => ['explain', given.id ?? '', ...ofInterface(given)],
  },
  verify: {
    description: 'Checks a certificate of petspec, and explains what it proves.',
    parameters: { file: { description: 'path of the certificate' } },
    words: (given) => ['verify', given.file ?? ''],
  },
};

/** `petspec mcp`: serves these tools to a coding agent, over stdin and stdout, by the Model Context Protocol. */
export function mcpCommand(): Command {
  return new Command('mcp')
    .description(
      'Serves petspec to coding agents by the Model Context Protocol, over stdin and stdout: the tools plan, run, explain and verify. The key is in PETSPEC_API_KEY. It needs the package @modelcontextprotocol/sdk beside petspec.',
    )
    .addHelpText('after', '\nExamples:\n  npm install @modelcontextprotocol/sdk\n  petspec mcp')
    .action(serve);
}

async function serve(): Promise<void> {
  const { Server, StdioServerTransport, types } = await protocol();
  const server = new Server({ name: 'petspec', version: packageVersion }, { capabilities: { tools: {} } });
  server.setRequestHandler(types.ListToolsRequestSchema, () => ({
    tools: Object.entries(TOOLS).map(listed),
  }));
  server.setRequestHandler(types.CallToolRequestSchema, async ({ params }) => {
    const tool = Object.hasOwn(TOOLS, params.name) ? TOOLS[params.name] : undefined;
    if (!tool) return text(`no such tool: ${params.name}`, true);
    const problem = wrongIn(tool, params.arguments ?? {});
    if (problem !== undefined) return text(problem, true);
    const given = Object.entries(params.arguments ?? {}).map(([name, value]) => [name, String(value)]);
    return answer(tool, Object.fromEntries(given));
  });
  const closed = new Promise<void>((resolve) => {
    server.onclose = resolve;
  });
  await server.connect(new StdioServerTransport());
  await closed;
}

/** Only this command loads the protocol, which needs sixty packages of its own. @throws UsageError if it is not installed */
async function protocol() {
  try {
    const [{ Server }, { StdioServerTransport }, types] = await Promise.all([
      import('@modelcontextprotocol/sdk/server/index.js'),
      import('@modelcontextprotocol/sdk/server/stdio.js'),
      import('@modelcontextprotocol/sdk/types.js'),
    ]);
    return { Server, StdioServerTransport, types };
  } catch {
    throw new UsageError(
      'mcp: needs the package @modelcontextprotocol/sdk; npm install @modelcontextprotocol/sdk',
    );
  }
}

function listed([name, { description, parameters }]: [string, Tool]) {
  const named = Object.entries(parameters);
  return {
    name,
    description,
    inputSchema: {
      type: 'object' as const,
      properties: Object.fromEntries(
        named.map(([parameter, { description: words, isSwitch }]) => [
          parameter,
          { type: isSwitch ? 'boolean' : 'string', description: words },
        ]),
      ),
      required: named.flatMap(([parameter, schema]) => (schema.optional ? [] : parameter)),
      additionalProperties: false,
    },
  };
}

/** The problem with the arguments of a call, if there is one. A value that begins with - could be an option. */
function wrongIn({ parameters }: Tool, given: Readonly<Record<string, unknown>>): string | undefined {
  for (const [name, { optional }] of Object.entries(parameters))
    if (!optional && given[name] === undefined) return `missing '${name}'`;
  for (const [name, value] of Object.entries(given)) {
    const parameter = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    if (!parameter) return `unknown argument '${name}'`;
    if (parameter.isSwitch && typeof value !== 'boolean') return `'${name}': expected true or false`;
    if (!parameter.isSwitch && (typeof value !== 'string' || value.startsWith('-')))
      return `'${name}': expected a text that does not begin with -`;
  }
  return undefined;
}

function text(content: string, isError = false) {
  return { content: [{ type: 'text' as const, text: content }], isError };
}

/** Runs a command line of petspec. Its exit status is the verdict, so only wrong usage and a bug are errors. */
async function answer(tool: Tool, given: CallArguments) {
  const folder = tool.isRun ? mkdtempSync(join(tmpdir(), 'petspec-mcp-')) : undefined;
  const reports = folder === undefined ? [] : ['--out', folder, '--format', 'agent'];
  try {
    const { status, printed } = await petspec([...tool.words(given), ...reports]);
    const isError = isFailure(status);
    if (folder === undefined || isError) return text(printed, isError);
    return text(readFileSync(join(folder, 'agent.md'), 'utf8'));
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  }
}

/** Whether an exit status is not a verdict: wrong usage, or a bug. */
function isFailure(status: number): boolean {
  return status === 2 || status === BUG;
}

/** The most output of a command that is kept, in bytes. */
const MAX_PRINTED = 16 * 1024 * 1024;

function petspec(words: readonly string[]): Promise<{ status: number; printed: string }> {
  const bin = join(packageRoot, 'bin', 'petspec.js');
  return new Promise((resolve) => {
    execFile(process.execPath, [bin, ...words], { maxBuffer: MAX_PRINTED }, (error, out, err) => {
      // Without an exit status, the process was killed, or printed too much.
      const status = error === null ? 0 : typeof error.code === 'number' ? error.code : BUG;
      resolve({ status, printed: `${out}${isFailure(status) ? err : ''}` });
    });
  });
}

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
