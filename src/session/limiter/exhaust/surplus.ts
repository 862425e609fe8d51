import { type Exchange, isSuccess } from '../../../model/exchange.ts';
import type { Probe } from '../../../model/probe.ts';
import { pathOf } from '../../../probes/surplus/generated.ts';
import { Shrinking } from '../../parts/shrinking.ts';
import type { Generate } from '../../terms/types.ts';

/** So many are drawn in search of one that may be sent. */
export const MAX_DRAWS = 20;

/** If so many in a row may not be sent, none is drawn any more: what the user selected, or what failed, leaves no others. */
const MAX_IN_VAIN = 10 * MAX_DRAWS;

/** What is known of a kind of request: `tried` until a read after it confirms that it took one off Remaining. */
type SurplusState = 'tried' | 'counted';

/** Why requests may not count as others do: they are refused, or of another operation. */
type Class = 'wrong' | 'other';

/** Kinds of requests that are tried together: of an operation, and as right or wrong as each other. */
const kinds = new WeakMap<Probe, string>();

function kindOf(probe: Probe): string {
  const kind = kinds.get(probe) ?? `${probe.operation} ${probe.validity}`;
  kinds.set(probe, kind);
  return kind;
}

/**
 * Chooses what is sent in place of repeating one read. Valid reads of the exhausted operation use up its limit. Others do
 * only where each takes exactly one off its Remaining: the interface does not say which requests count, so the first of a
 * kind goes alone. The first that does not take one off ends its class: what is refused, or what is of other operations.
 */
export class Surplus {
  readonly #operation: string;
  #waiting: readonly Probe[];
  readonly #kinds = new Map<string, SurplusState>();
  /** Remaining after the last response, as long as each took exactly one off. */
  #left: number | undefined;
  readonly #ended = new Set<Class>();
  /** What was sent since Remaining was last confirmed. */
  #since: Probe[] = [];
  #isOwnRejected = false;
  /** What the last response said of its window. */
  #last: Exchange['rate'] = {};
  readonly #generate: Generate;
  readonly #shrinking: Shrinking;
  /** The place of the next drawn request, and how many before it were drawn in vain. */
  #place = 0;
  #inVain = 0;

  /**
   * @param operation the one whose limit is used up
   * @param generate draws more probes, where these end
   */
  constructor(
    operation: string,
    probes: readonly Probe[],
    generate: Generate = () => undefined,
    shrinking: Shrinking = new Shrinking(generate, () => []),
  ) {
    this.#operation = operation;
    this.#waiting = probes;
    this.#generate = generate;
    this.#shrinking = shrinking;
  }

  /**
   * Takes the next probe; undefined if none may be sent now.
   * @param isOwnOnly only reads of the exhausted operation
   * @param mayCreate whether something more may be created, if a service accepts what it should refuse
   */
  next(isOwnOnly: boolean, mayCreate: boolean): Probe | undefined {
    const isPossible = (each: Probe) =>
      (this.#isOwn(each) ? !this.#isOwnRejected : !this.#isEnded(each)) && (mayCreate || !each.creates);
    this.#waiting = this.#waiting.filter(isPossible);
    const isCounted = (each: Probe) => this.#kinds.get(kindOf(each)) === 'counted';
    const isSure = (each: Probe) =>
      this.#isOwn(each) || (!isOwnOnly && this.#left !== undefined && isCounted(each));
    const mayTry = !isOwnOnly && this.#left !== undefined;
    const found =
      (mayTry ? this.#waiting.find((each) => this.#isUntried(each)) : undefined) ??
      this.#waiting.find(isSure);
    this.#waiting = this.#waiting.filter((each) => each !== found);
    return (
      found ??
      (this.#waiting.length === 0 ? this.#draw((each) => isPossible(each) && isSure(each)) : undefined)
    );
  }

  /** Draws a request that may be sent: rather a smaller one of what failed. */
  #draw(isUsable: (probe: Probe) => boolean): Probe | undefined {
    const smaller = this.#shrinking.next();
    if (smaller && isUsable(smaller)) return smaller;
    for (let more = 0; more < MAX_DRAWS && this.#inVain < MAX_IN_VAIN; more += 1) {
      const drawn = this.#generate([this.#place]);
      this.#place += 1;
      this.#inVain += 1;
      if (!drawn || !isUsable(drawn)) continue;
      this.#inVain = 0;
      return drawn;
    }
    return undefined;
  }

  /**
   * Takes the response to a request of the exhaustion: one of these, or another read of its operation. Returns whether it used
   * up the limit.
   * @param isPlain whether it was sent as its probe says
   */
  received(probe: Probe, exchange: Exchange | undefined, isPlain: boolean): boolean {
    const path = pathOf(probe.id);
    if (path) this.#shrinking.received(probe, path, exchange);
    if (!exchange) return false;
    const isOwn = this.#isOwn(probe);
    if (!isOwn) {
      if (!this.#kinds.has(kindOf(probe))) this.#kinds.set(kindOf(probe), 'tried');
      this.#since.push(probe);
    }
    const { remaining } = exchange.rate;
    if (this.#isJump(exchange)) {
      this.#ended.add('other');
      if (isOwn) this.#ended.add('wrong');
    }
    this.#last = exchange.rate;
    const isExact = this.#left !== undefined && remaining === this.#left - 1;
    const isRead = isOwn && isPlain && isSuccess(exchange);
    // A failure says nothing of what is left, so the plain read has to.
    if (isOwn && isPlain && !isSuccess(exchange)) this.#isOwnRejected = true;
    if (!isExact) this.#endClasses(probe, exchange);
    this.#left = isExact || isRead ? remaining : undefined;
    if (isRead) {
      for (const each of this.#since) this.#kinds.set(kindOf(each), 'counted');
      this.#since = [];
    }
    return isOwn || isExact;
  }

  /** Others were sent meanwhile: the next read shows what is left. */
  skipped(): void {
    this.#left = undefined;
    this.#since = [];
  }

  /**
   * Whether Remaining rises within a window by more than requests that overtake each other: then it is not one count, and
   * does not say what others use up.
   */
  #isJump({ rate: { remaining, reset }, inFlight }: Exchange): boolean {
    const before = this.#last;
    if (remaining === undefined || before.remaining === undefined || reset !== before.reset) return false;
    return remaining > before.remaining + inFlight;
  }

  /** Ends the classes of what did not take one off: its own, or of a read that confirms the others, any that was sent since. */
  #endClasses(probe: Probe, exchange: Exchange): void {
    const isAlone = !this.#isOwn(probe);
    for (const each of isAlone ? [probe] : this.#since) {
      const isOther = each.operation !== this.#operation;
      const isAccepted = isAlone && isOther && isSuccess(exchange);
      if (isOther && (!isAlone || isAccepted)) this.#ended.add('other');
      if (each.validity !== 'valid' && !isAccepted) this.#ended.add('wrong');
    }
    // The others are tried again.
    for (const each of this.#since) this.#kinds.delete(kindOf(each));
    this.#since = [];
  }

  #isOwn({ operation, validity, stage }: Probe): boolean {
    return operation === this.#operation && (validity === 'valid' || stage === 'exhaust');
  }

  #isUntried(probe: Probe): boolean {
    return !this.#isOwn(probe) && !this.#kinds.has(kindOf(probe));
  }

  #isEnded({ operation, validity }: Probe): boolean {
    const isOther = operation !== this.#operation;
    return (isOther && this.#ended.has('other')) || (validity !== 'valid' && this.#ended.has('wrong'));
  }
}
