import { spawn } from 'node:child_process';
import { Socket } from 'node:net';
import { UsageError } from '../model/usage-error.ts';
import type { ClientEnd } from '../traffic/client-check.ts';
import type { Client, Service } from './run-client.ts';

/** The names of the environment variables that tell a client where the service is. */
export type VariableNames = Readonly<Record<keyof Service, string>>;

/** The names unless the user states others. */
export const VARIABLES: VariableNames = {
  baseUrl: 'PETSPEC_BASE_URL',
  apiUrl: 'PETSPEC_API_URL',
  apiKey: 'PETSPEC_API_KEY',
};

/** How a command is run as a client. */
export interface ClientSettings {
  variables: VariableNames;
  environment: Readonly<Record<string, string | undefined>>;
  /** Gets what the command prints, without the key, as `printedText` passes it on. */
  onOutput: (text: string) => void;
}

/** A command that ignores SIGTERM gets SIGKILL after so many ms. */
const GRACE_MS = 2_000;

/** So long after the end of a command its output may still arrive. */
const LAST_OUTPUT_MS = 500;

/**
 * A client that is a command. It gets the addresses and the key in its environment, and in its arguments where these have
 * `{baseUrl}`, `{apiUrl}` or `{apiKey}`.
 */
export function commandClient(command: readonly string[], settings: ClientSettings): Client {
  return (service, signal) => {
    const [program = '', ...args] = command.map((each) => filled(each, service));
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
        // What it started and left behind must not reach into the next scenario.
        kill('SIGKILL');
        // What left the group as well may print for ever.
        for (const stream of [child.stdout, child.stderr]) if (stream instanceof Socket) stream.unref();
        const end = signal.aborted ? signal.reason : endOf(status, name);
        if (end.kind !== 'failed') return resolve(end);
        // The end of the process may be known before the last that it printed.
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
    // In a process group of its own, so that what the command started ends with it.
    return spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function notStarted(program: string | undefined, { code, message }: NodeJS.ErrnoException): UsageError {
  return new UsageError(`cannot start '${program}' (${code ?? message}); check the command after --`);
}

/** The last line that is no part of a stack trace: node prints its version after it. */
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

/** The environment of the command: no variable of petspec's own, and the service's. */
function environmentOf({ environment, variables }: ClientSettings, service: Service): NodeJS.ProcessEnv {
  const inherited = Object.entries(environment).filter(([name]) => !name.startsWith('PETSPEC_'));
  const own = (['baseUrl', 'apiUrl', 'apiKey'] as const).map((name) => [variables[name], service[name]]);
  return Object.fromEntries([...inherited, ...own]);
}

/** Sends a signal to a process and to what it started. */
function endGroup(pid: number | undefined, name: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, name);
  } catch {
    // Nothing of it is left.
  }
}

/** How much of a line waits for its end, in characters. */
const MOST_HELD = 64 * 1024;

/** Takes what a client prints, as it arrives. */
interface PrintedText {
  add(text: string): void;
  /** Nothing more is printed. */
  end(): void;
}

/**
 * Passes on what a client prints, without the key, even if one half of the key arrives after the other.
 * @param onOutput gets whole lines, and of a line longer than 64 Ki characters its parts
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
