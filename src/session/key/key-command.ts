import { exec } from 'node:child_process';
import { isKeyText } from '../../model/http/key-text.ts';
import { UsageError } from '../../model/usage-error.ts';

/** How long a command may take to make a key, in ms. */
const TIMEOUT_MS = 30_000;

/** The most that a command may print, in bytes. */
const MAX_OUTPUT = 64 * 1024;

/**
 * The key that a shell command makes: the first line that it prints, trimmed.
 * @throws UsageError in one line, which quotes neither the command nor what it printed: both may hold a secret
 */
export async function keyFromCommand(command: string, timeout = TIMEOUT_MS): Promise<string> {
  const printed = await new Promise<string>((resolve, reject) => {
    const child = exec(command, { timeout, killSignal: 'SIGKILL', maxBuffer: MAX_OUTPUT }, (error, out) =>
      error ? reject(new UsageError(`--api-key-command: ${problemOf(error, timeout)}`)) : resolve(out),
    );
    // A command that asks for a password ends at once.
    child.stdin?.end();
  });
  const key = printed.split('\n', 1)[0]?.trim() ?? '';
  if (key === '') throw new UsageError('--api-key-command: the first line that the command prints is empty');
  // It may name its scheme, as in `Token 1a2b`.
  if (!key.split(' ').every(isKeyText))
    throw new UsageError('--api-key-command: the key has characters that a header cannot contain');
  return key;
}

function problemOf({ code, killed, signal }: ExecError, timeout: number): string {
  if (code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER')
    return `the command printed more than ${MAX_OUTPUT} bytes`;
  if (killed) return `the command took longer than ${timeout / 1000} s`;
  const end = typeof code === 'number' ? `exit status ${code}` : `ended by ${signal ?? code}`;
  return `the command failed (${end}); run it by itself to see why`;
}

/** What Node says about a command that failed. */
interface ExecError {
  code?: number | string | undefined;
  killed?: boolean | undefined;
  signal?: string | null | undefined;
}
