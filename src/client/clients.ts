import { spawn } from 'node:child_process';
import { Socket } from 'node:net';
import { UsageError } from '../model/usage-error.ts';
import { clip } from '../model/visible.ts';
import type { ClientEnd } from '../traffic/client-check.ts';
import type { Client, Service } from './run-client.ts';

/** The names of the environment variables that tell a client where the service is. */
export type VariableNames = Readonly<Record<keyof Service, string>>;

/** The default names. */
export const VARIABLES: VariableNames = {
  baseUrl: 'PETSPEC_BASE_URL',
  apiUrl: 'PETSPEC_API_URL',
  apiKey: 'PETSPEC_API_KEY',
};

/** How a command is run as a client. */
export interface ClientSettings {
  variables: VariableNames;
  environment: Readonly<Record<string, string | undefined>>;
  /** Gets the output of the command without the key, as `printedText` passes it on. */
  onOutput: (text: string) => void;
}

/** ms until a command that ignores SIGTERM gets SIGKILL. */
const GRACE_MS = 2_000;

/** ms in which the output of a command may still arrive after its end. */
const LAST_OUTPUT_MS = 500;

/**
 * A client that is a command. It gets the addresses and the key in its environment, and in its arguments where these have
 * `{baseUrl}`, `{apiUrl}` or `{apiKey}`.
 */
export function commandClient(command: readonly string[], settings: ClientSettings): Client {
  return (service, signal) => {
    const [program = '', ...args] = command.map((argument) => filled(argument, service));
    return new Promise((resolve, reject) => {
      const child = start(program, args, environmentOf(settings, service));
      if (child instanceof Error) return reject(notStarted(command[0], child));
      const kill = (name: NodeJS.Signals) => endGroup(child.pid, name);
      let killing: NodeJS.Timeout | undefined;
      const stop = () => {
        kill('SIGTERM');
        killing = setTimeout(kill, GRACE_MS, 'SIGKILL');
      };
      signal.addEventListener('abort', stop, { once: true });
      let lastLine = '';
      const onError = (text: string) => {
        settings.onOutput(text);
        lastLine = lastLineOf(text) ?? lastLine;
      };
      for (const [stream, onOutput] of [
        [child.stdout, settings.onOutput],
        [child.stderr, onError],
      ] as const) {
        const printed = printedText(service.apiKey, onOutput);
        stream.setEncoding('utf8').on('data', printed.add).on('end', printed.end);
      }
      child.once('error', (error) => reject(notStarted(command[0], error)));
      child.once('exit', (status, name) => {
        clearTimeout(killing);
        signal.removeEventListener('abort', stop);
        // Processes that the command left behind must not reach into the next scenario.
        kill('SIGKILL');
        // A process that has left the group as well may print for ever.
        for (const stream of [child.stdout, child.stderr]) if (stream instanceof Socket) stream.unref();
        const end = signal.aborted ? signal.reason : endOf(status, name);
        if (end.kind !== 'failed') return resolve(end);
        // The process may end before its last output arrives.
        const finish = () => resolve(lastLine === '' ? end : { ...end, lastLine });
        if (child.stderr.readableEnded) return finish();
        const waiting = setTimeout(finish, LAST_OUTPUT_MS);
        child.stderr.once('end', () => {
          clearTimeout(waiting);
          finish();
        });
      });
    });
  };
}

/** The process, or the error why it cannot be started: Node throws some of these, such as ENOTDIR, and emits others. */
function start(program: string, args: readonly string[], env: NodeJS.ProcessEnv) {
  try {
    // In a process group of its own, so that the processes that the command starts end with it.
    return spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function notStarted(program: string | undefined, { code, message }: NodeJS.ErrnoException): UsageError {
  return new UsageError(`cannot start '${program}' (${code ?? message}); check the command after --`);
}

/** The last line that is not part of a stack trace; node prints its version after the trace. */
function lastLineOf(text: string): string | undefined {
  return text.split('\n').findLast((line) => /^\S.*\p{L}/u.test(line) && !/^Node\.js v\d/.test(line));
}

function endOf(status: number | null, name: NodeJS.Signals | null): ClientEnd {
  if (name !== null) return { kind: 'failed', words: `ended by ${name}` };
  return { kind: status === 0 ? 'ended' : 'failed', words: `exit status ${status}` };
}

function filled(argument: string, service: Service): string {
  return argument.replace(/\{(baseUrl|apiUrl|apiKey)\}/g, (_, name: keyof Service) => service[name]);
}

/** The environment of the command: without petspec's variables, and with those of the service. */
function environmentOf({ environment, variables }: ClientSettings, service: Service): NodeJS.ProcessEnv {
  const inherited = Object.entries(environment).filter(([name]) => !name.startsWith('PETSPEC_'));
  const serviceVariables = (['baseUrl', 'apiUrl', 'apiKey'] as const).map((name) => [
    variables[name],
    service[name],
  ]);
  return Object.fromEntries([...inherited, ...serviceVariables]);
}

/** Sends a signal to a process and to those that it started. */
function endGroup(pid: number | undefined, name: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, name);
  } catch {
    // All of them have ended.
  }
}

/** Characters of an unfinished line that are held back. */
const MOST_HELD = 64 * 1024;

/** Gets the output of a client as it arrives. */
interface PrintedText {
  add(text: string): void;
  /** The output has ended. */
  end(): void;
}

/**
 * Passes on the output of a client without the key, even if one half of the key arrives after the other.
 * @param onOutput gets whole lines; a line longer than 64 Ki characters in parts
 */
export function printedText(apiKey: string, onOutput: (text: string) => void): PrintedText {
  let held = '';
  const passOn = (length: number) => {
    if (length > 0) onOutput(held.slice(0, length));
    held = held.slice(length);
  };
  return {
    add(text) {
      held = (held + text).replaceAll(apiKey, '[key]');
      passOn(held.lastIndexOf('\n') + 1);
      if (held.length > MOST_HELD) passOn(held.length - apiKey.length);
    },
    end: () => passOn(held.length),
  };
}

/**
 * A client that is a function in this process. It gets the addresses and the key as its argument, and in the environment
 * variables of {@link VARIABLES} while it runs, so two functions must not run at the same time (`oneAfterAnother`). It cannot
 * be ended: when its time is over, it is left running.
 */
export function functionClient(use: (service: Service) => unknown): Client {
  return async (service, signal) => {
    const before = { ...process.env };
    for (const name of ['baseUrl', 'apiUrl', 'apiKey'] as const) process.env[VARIABLES[name]] = service[name];
    try {
      return await Promise.race([ended(use, service), aborted(signal)]);
    } finally {
      for (const name of Object.values(VARIABLES)) restore(name, before[name]);
    }
  };
}

/** Settles when nothing uses the environment of this process any more. */
let lastTurn: Promise<unknown> = Promise.resolve();

/** Runs uses of function clients one after the other, in the order of the calls: there is only one environment. */
export function oneAfterAnother<T>(use: () => Promise<T>): Promise<T> {
  const turn = lastTurn.then(use);
  lastTurn = turn.catch(() => {});
  return turn;
}

async function ended(use: (service: Service) => unknown, service: Service): Promise<ClientEnd> {
  try {
    await use(service);
    return { kind: 'ended', words: 'it returned' };
  } catch (error) {
    const words = (error instanceof Error ? error.message : String(error)).replaceAll(
      service.apiKey,
      '[key]',
    );
    return { kind: 'failed', words: `it threw: ${clip(words, 200)}` };
  }
}

function aborted(signal: AbortSignal): Promise<ClientEnd> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(signal.reason), { once: true });
  });
}

function restore(name: string, value: string | undefined): void {
  if (value === undefined) delete process.env[name];
  else process.env[name] = value;
}
