import { UsageError } from '../../model/usage-error.ts';
import type { EndOfRun } from '../terms/end-of-run.ts';
import type { SessionOptions } from '../terms/types.ts';
import { keyFromCommand } from './key-command.ts';

/** A command is asked for at most so many new keys in a run. */
const MOST_RENEWALS = 10;

/** Time between two calls of the command, in ms. */
const RENEWAL_PAUSE_MS = 10_000;

type Options = Pick<SessionOptions, 'apiKey' | 'apiKeyCommand' | 'onNewKey' | 'clock'>;

/**
 * The key of a run. Where a command makes it, it is asked for another one when the service refuses a key that it accepted before: at
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
  /** When the command made the key once more that was refused (ms since the epoch). */
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
   * Makes another key after an operation refused one.
   * @param sent the key that was sent
   * @returns whether there is another one to send
   */
  async renewed(operation: string, sent: string): Promise<boolean> {
    const { apiKeyCommand } = this.#options;
    if (apiKeyCommand === undefined) return false;
    // Of requests that were sent together, the first one that is refused asks for the key of all.
    for (let other = this.#renewing; other; other = this.#renewing) {
      await other;
      if (other === this.#renewing) this.#renewing = undefined;
    }
    if (sent !== this.#key) return true;
    // The command holds a key to be good that is refused: then the operation is wrong.
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

  /** Notes what an operation made of a key that was just made. */
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
