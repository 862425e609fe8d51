import { exec } from 'node:child_process';
import { isKeyText } from '../../model/http/key-text.ts';
import { UsageError } from '../../model/usage-error.ts';
import type { EndOfRun } from '../terms/end-of-run.ts';
import type { SessionOptions } from '../terms/types.ts';

/** The most new keys that a command makes in a run. */
const MOST_RENEWALS = 10;

/** Time between two calls of the command, in ms. */
const RENEWAL_PAUSE_MS = 10_000;

type Options = Pick<SessionOptions, 'apiKey' | 'apiKeyCommand' | 'onNewKey' | 'clock'>;

/**
 * The key of a run. If a command makes the key, it is called again when the service refuses a key that it accepted before: at
 * most ten times in a run, at most once in ten seconds, and never for an operation that refused a new key.
 */
export class RenewedKey {
  readonly #options: Options;
  readonly #end: Pick<EndOfRun, 'stop' | 'waitFor'>;
  #key: string;
  #wasAccepted = false;
  #renewals = 0;
  #madeAt: number;
  #renewing: Promise<void> | undefined;
  /** When the command last made the refused key again (ms since the epoch). */
  #sameAt = Number.NEGATIVE_INFINITY;
  /** The operations that refuse new keys as well, and those that accepted a key. */
  readonly #refusing = new Set<string>();
  readonly #accepting = new Set<string>();

  constructor(options: Options, end: Pick<EndOfRun, 'stop' | 'waitFor'>) {
    this.#options = options;
    this.#end = end;
    this.#key = options.apiKey;
    this.#madeAt = options.clock.now();
  }

  get current(): string {
    return this.#key;
  }

  /** Notes that an operation which needs the key accepted it. */
  accepted(operation: string): void {
    this.#wasAccepted = true;
    this.#accepting.add(operation);
  }

  /**
   * Makes another key after an operation refused the key.
   * @param sent the key that was sent
   * @returns whether there is another key to send
   */
  async renewed(operation: string, sent: string): Promise<boolean> {
    const { apiKeyCommand } = this.#options;
    if (apiKeyCommand === undefined) return false;
    // Of requests that were sent together, the first refused one renews the key for all of them.
    for (let renewing = this.#renewing; renewing; renewing = this.#renewing) {
      await renewing;
      if (renewing === this.#renewing) this.#renewing = undefined;
    }
    if (sent !== this.#key) return true;
    // The command just made the refused key again, so the operation is wrong to refuse it.
    if (this.#options.clock.now() - this.#sameAt < RENEWAL_PAUSE_MS) this.#refusing.add(operation);
    if (!this.#wasAccepted || this.#refusing.has(operation)) return false;
    if (this.#renewals >= MOST_RENEWALS) {
      // Without a new key, nobody can tell an old key from a wrong refusal.
      if (this.#accepting.has(operation))
        this.#stop(`--api-key-command: ${MOST_RENEWALS} new keys were made, and the last one is refused`);
      return false;
    }
    this.#renewing = this.#renew(apiKeyCommand);
    await this.#renewing;
    if (sent === this.#key) this.#refusing.add(operation);
    return sent !== this.#key;
  }

  /** Notes whether an operation refused a key that was just made. */
  tried(operation: string, isRefused: boolean): void {
    if (isRefused) this.#refusing.add(operation);
    else this.accepted(operation);
  }

  async #renew(command: string): Promise<void> {
    const { clock, onNewKey } = this.#options;
    const pause = this.#renewals === 0 ? 0 : this.#madeAt + RENEWAL_PAUSE_MS - clock.now();
    const why = 'the key is refused; a new one is made at most every 10 s';
    const unwaited = pause > 0 ? await this.#end.waitFor(pause, why) : undefined;
    if (unwaited) return;
    this.#renewals += 1;
    this.#madeAt = clock.now();
    try {
      const key = await keyFromCommand(command);
      if (key === this.#key) {
        this.#sameAt = clock.now();
        return;
      }
      onNewKey?.(key);
      this.#key = key;
      this.#wasAccepted = false;
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      this.#stop(`the key is refused, and no other one could be made: ${error.message}`);
    }
  }

  #stop(message: string): void {
    this.#end.stop({ kind: 'key-refused', message });
  }
}

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
  // The key may begin with its scheme, as in `Token 1a2b`.
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

/** The fields of Node's error for a command that failed. */
interface ExecError {
  code?: number | string | undefined;
  killed?: boolean | undefined;
  signal?: string | null | undefined;
}
