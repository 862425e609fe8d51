import type { Exchange, TakenApart } from '../../model/exchange.ts';
import type { Probe } from '../../model/probe.ts';
import type { Generate } from '../terms/types.ts';

/** At most this many requests look for a smaller one. */
const MAX_STEPS = 24;

/** A drawn request that failed, and what is known of smaller ones. */
interface FailedDraw {
  requirement: string;
  path: readonly number[];
  step: number;
  tried: number;
  shown: Exchange;
  others: number[];
}

/**
 * Looks for the smallest drawn request that still fails, one request after the other. Only the first failure of each requirement
 * is made smaller.
 */
export class Shrinking {
  readonly #generate: Generate;
  readonly #violated: (exchange: Exchange) => readonly string[];
  readonly #failed: FailedDraw[] = [];
  readonly #done: FailedDraw[] = [];
  /** The smaller request that is in flight. */
  #candidate: Probe | undefined;

  /** @param violated the requirements that an exchange violates by itself */
  constructor(generate: Generate, violated: (exchange: Exchange) => readonly string[]) {
    this.#generate = generate;
    this.#violated = violated;
  }

  /** The next smaller request; undefined at the end, and while one is in flight. */
  next(): Probe | undefined {
    const [failed] = this.#failed;
    if (!failed || this.#candidate) return undefined;
    const probe = failed.tried < MAX_STEPS ? this.#generate([...failed.path, failed.step]) : undefined;
    if (!probe) {
      // Nothing smaller fails.
      this.#done.push(...this.#failed.splice(0, 1));
      return this.next();
    }
    failed.tried += 1;
    this.#candidate = probe;
    return probe;
  }

  /** Takes the response to a drawn request, or that it was not sent. */
  received(probe: Probe, path: readonly number[], exchange: Exchange | undefined): void {
    const [failed] = this.#failed;
    const violated = exchange ? this.#violated(exchange) : [];
    if (probe === this.#candidate && failed) {
      this.#candidate = undefined;
      if (!exchange || !violated.includes(failed.requirement)) {
        failed.step += 1;
        return;
      }
      failed.others.push(failed.shown.id);
      Object.assign(failed, { path, step: 0, shown: exchange });
      return;
    }
    const [requirement] = violated;
    const failure = [...this.#failed, ...this.#done].find((draw) => draw.requirement === requirement);
    if (!exchange || requirement === undefined) return;
    if (failure) failure.others.push(exchange.id);
    else this.#failed.push({ requirement, path, step: 0, tried: 0, shown: exchange, others: [] });
  }

  /** The failures, each with the smallest request that shows it. For an unfinished failure there may be a smaller one. */
  get taken(): TakenApart[] {
    const takenOf = ({ shown, others, requirement }: FailedDraw): TakenApart => ({
      shownBy: shown.id,
      variations: [],
      others,
      requirement,
    });
    return [
      ...this.#done.map(takenOf),
      ...this.#failed.map((draw): TakenApart => ({ ...takenOf(draw), isUnfinished: true })),
    ];
  }
}
