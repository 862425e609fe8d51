import { mayHaveCreated } from '../../contract/things/things.ts';
import { type Exchange, isSuccess, type Reason } from '../../model/exchange.ts';
import { counted } from '../../model/report/report.ts';

/** A run creates at most this many records, because nothing can be deleted. */
export const MAX_CREATED = 16;

/** How many more records a run may create: it counts those that it created, and those that it may have created. */
export class CreationBudget {
  readonly #noun: string;
  #created = 0;
  #inFlight = 0;
  /** The first probe that may have created a record although it did not succeed. */
  #firstUncertain: string | undefined;

  /** @param noun what is created, in the singular */
  constructor(noun: string) {
    this.#noun = noun;
  }

  /** How many more records may be created. */
  get left(): number {
    return MAX_CREATED - this.#created - this.#inFlight;
  }

  get #isReached(): boolean {
    return this.#created + this.#inFlight >= MAX_CREATED;
  }

  /** Why no more is created; undefined while more may be. */
  get reason(): Reason | undefined {
    if (!this.#isReached) return undefined;
    return {
      kind: 'too-many-created',
      reason: `${counted(MAX_CREATED, this.#noun)} were added, or may have been; petspec adds no more`,
      ...(this.#firstUncertain === undefined ? {} : { cause: this.#firstUncertain }),
    };
  }

  sending(): void {
    this.#inFlight += 1;
  }

  sent(): void {
    this.#inFlight -= 1;
  }

  received(exchange: Exchange): void {
    if (!mayHaveCreated(exchange)) return;
    this.#created += 1;
    if (!isSuccess(exchange)) this.#firstUncertain ??= exchange.probe;
  }
}
