import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { data, Evaluator, Lexer, Parser } from '@actions/expressions';
import { parse } from 'yaml';

const ROOT = join(import.meta.dirname, '../..');

/** The action at the root of petspec. */
export const action = parse(readFileSync(join(ROOT, 'action.yml'), 'utf8'));

export interface Shell {
  status: number | null;
  /** What was printed, on either stream. */
  output: string;
  /** Ends what it left running, as the runner does at the end of a job. */
  end: () => void;
}

/** A job's workspace, and the environment that all its steps have. */
export interface Job {
  workspace: string;
  env?: Record<string, string>;
}

/** Runs a program with an environment of its own, to its end. */
export async function shell(
  program: string,
  args: readonly string[],
  { workspace, env = {} }: Job,
): Promise<Shell> {
  const { PATH = '', HOME = workspace } = process.env;
  const child = spawn(program, args, { cwd: workspace, env: { PATH, HOME, ...env }, detached: true });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  const status = await new Promise<number | null>((resolve) => child.on('close', resolve));
  const end = () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid);
    } catch {
      // Nothing of it runs any more.
    }
  };
  return { status, output, end };
}

/** Runs the text of a `run` with `shell: bash`, as the runner does. */
export function runStep(run: string, job: Job): Promise<Shell> {
  const script = join(job.workspace, '.step.sh');
  writeFileSync(script, run);
  return shell('bash', ['--noprofile', '--norc', '-eo', 'pipefail', script], job);
}

/** What came of the action. */
export interface ActionResult extends Shell {
  outputs: Record<string, string>;
  summary: string;
  /** What it uploads as an artifact; undefined where it uploads none. */
  uploads: string | undefined;
  /** The file that it attests; undefined where it attests none. */
  attests: string | undefined;
}

interface Step {
  id?: string;
  if?: string;
  uses?: string;
  with?: Record<string, string>;
  env?: Record<string, string>;
  run?: string;
}

/** What the action that attests leaves: a file that says which one it was asked to attest. */
export const BUNDLE = 'a bundle for ';

/** Does with the action what the runner does: inputs, expressions, environment, shell, outputs. Actions of others are played. */
export async function runAction(given: Record<string, string>, job: Job): Promise<ActionResult> {
  const { workspace } = job;
  const defaults = Object.entries<{ default: string }>(action.inputs).map(([name, each]) => [
    name,
    each.default,
  ]);
  const inputs: Record<string, string> = { ...Object.fromEntries(defaults), ...given };
  const files = {
    GITHUB_OUTPUT: join(workspace, '.output'),
    GITHUB_STEP_SUMMARY: join(workspace, '.summary'),
  };
  for (const file of Object.values(files)) writeFileSync(file, '');
  const runner = {
    CI: 'true',
    GITHUB_ACTIONS: 'true',
    GITHUB_ACTION_PATH: ROOT,
    GITHUB_WORKSPACE: workspace,
  };
  const env = { ...runner, ...files, ...job.env };
  const context = { inputs, steps: { run: { outputs: {} }, attest: { outputs: {} } } };
  let ended: Shell = { status: 0, output: '', end: () => {} };
  const used = new Map<string, string>();
  for (const step of action.runs.steps as Step[]) {
    const isDue = step.if === undefined || substitute(step.if, context) === 'true';
    if (!isDue || (ended.status !== 0 && !step.if?.includes('always()'))) continue;
    const own = Object.entries({ ...step.env, ...step.with }).map(([name, text]) => [
      name,
      substitute(String(text), context),
    ]);
    const filled: Record<string, string> = Object.fromEntries(own);
    if (step.run !== undefined) {
      const before = ended;
      ended = await runStep(step.run, { workspace, env: { ...env, ...filled } });
      ended = { ...ended, output: before.output + ended.output, end: both(before.end, ended.end) };
    } else if (step.uses?.startsWith('actions/attest-build-provenance@')) {
      used.set('attests', filled['subject-path'] ?? '');
      const bundle = join(workspace, '.bundle');
      writeFileSync(bundle, BUNDLE + filled['subject-path']);
      context.steps.attest = { outputs: { 'bundle-path': bundle } };
    } else used.set('uploads', filled.path ?? '');
    if (step.id === 'run')
      context.steps.run = { outputs: outputsOf(readFileSync(files.GITHUB_OUTPUT, 'utf8')) };
  }
  const outputs = Object.entries<{ value: string }>(action.outputs).map(([name, { value }]) => [
    name,
    substitute(value, context),
  ]);
  return {
    ...ended,
    outputs: Object.fromEntries(outputs),
    summary: readFileSync(files.GITHUB_STEP_SUMMARY, 'utf8'),
    uploads: used.get('uploads'),
    attests: used.get('attests'),
  };
}

const both = (one: () => void, other: () => void) => () => {
  one();
  other();
};

/** A text with the expressions in it replaced by what they are, by GitHub's own evaluator. */
function substitute(text: string, context: object): string {
  return text.replace(/\$\{\{(.*?)\}\}/g, (_, expression: string) => {
    // A function of conditions, which the evaluator leaves to the runner.
    const { tokens } = new Lexer(expression.replace('always()', 'true').trim()).lex();
    const parsed = new Parser(tokens, Object.keys(context), []).parse();
    return new Evaluator(parsed, dictionary(context)).evaluate().coerceString();
  });
}

function dictionary(value: object): data.Dictionary {
  const pairs = Object.entries(value).map(([key, each]) => ({
    key,
    value: typeof each === 'object' && each !== null ? dictionary(each) : new data.StringData(String(each)),
  }));
  return new data.Dictionary(...pairs);
}

/** The outputs in a GITHUB_OUTPUT file: `name<<end`, the value, `end`. */
function outputsOf(text: string): Record<string, string> {
  const found = [...text.matchAll(/^([a-z]+)<<(.+)\n([\s\S]*?)\n\2\n/gm)];
  return Object.fromEntries(found.map(([, name, , value]) => [name, value]));
}
