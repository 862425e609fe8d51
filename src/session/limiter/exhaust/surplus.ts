import { type Exchange, isSuccess } from '../../../model/exchange.ts';
import type { Probe } from '../../../model/probe.ts';
import { pathOf } from '../../../probes/surplus/generated.ts';
import { Shrinking } from '../../parts/shrinking.ts';
import type { Generate } from '../../terms/types.ts';

/** The most requests that are drawn to find one that may be sent. */
export const MAX_DRAWS = 20;

/** After this many draws in a row in vain, nothing more is drawn: the user's selection or earlier failures exclude all. */
const MAX_IN_VAIN = 10 * MAX_DRAWS;

/** The state of a kind of request: `tried` until a read after it confirms that it took one off Remaining. */
type SurplusState = 'tried' | 'counted';

/** Why requests may not count as the exhausted read does: they are wrong, or of another operation. */
type RequestClass = 'wrong' | 'other';

/** The kind of a probe: its operation and its validity. Requests of a kind are tried together. */
const kinds = new WeakMap<Probe, string>();

function kindOf(probe: Probe): string {
  const kind = kinds.get(probe) ?? `${probe.operation} ${probe.validity}`;
  kinds.set(probe, kind);
  return kind;
}

/**
 * Chooses the probes that replace repetitions of one read. Valid reads of the exhausted operation use up its limit. The interface
 * does not say whether other requests do, so the first of a kind goes alone, and has to take exactly one off Remaining. If it
 * does not, nothing more of its class is sent: wrong requests, or requests of other operations.
 */
export class Surplus {
  readonly #operation: string;
  #waiting: readonly Probe[];
  readonly #kinds = new Map<string, SurplusState>();
  /** Remaining after the last response, as long as each request took exactly one off. */
  #left: number | undefined;
  readonly #ended = new Set<RequestClass>();
  /** The probes that were sent since a read last confirmed Remaining. */
  #since: Probe[] = [];
  #isReadRejected = false;
  /** The rate limit headers of the last response. */
  #last: Exchange['rate'] = {};
  readonly #generate: Generate;
  readonly #shrinking: Shrinking;
  /** The place of the next draw, and the draws in vain before it. */
  #place = 0;
  #inVain = 0;

  /**
   * @param operation the operation whose limit is used up
   * @param generate draws more probes after these
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
   * @param isReadOnly whether only reads of the exhausted operation may be sent
   * @param mayCreate whether something more may be created, if a service accepts what it should refuse
   */
  next(isReadOnly: boolean, mayCreate: boolean): Probe | undefined {
    const isPossible = (probe: Probe) =>
      (this.#isRead(probe) ? !this.#isReadRejected : !this.#isEnded(probe)) && (mayCreate || !probe.creates);
    this.#waiting = this.#waiting.filter(isPossible);
    const isCounted = (probe: Probe) => this.#kinds.get(kindOf(probe)) === 'counted';
    const isSure = (probe: Probe) =>
      this.#isRead(probe) || (!isReadOnly && this.#left !== undefined && isCounted(probe));
    const mayTry = !isReadOnly && this.#left !== undefined;
    const chosen =
      (mayTry ? this.#waiting.find((probe) => this.#isUntried(probe)) : undefined) ??
      this.#waiting.find(isSure);
    this.#waiting = this.#waiting.filter((probe) => probe !== chosen);
    return (
      chosen ??
      (this.#waiting.length === 0 ? this.#draw((probe) => isPossible(probe) && isSure(probe)) : undefined)
    );
  }

  /** Draws a request that may be sent; first a smaller one of those that failed. */
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
   * Takes the response to a request of the exhaustion: to one of these probes, or to the read. Returns whether the request
   * counted against the limit.
   * @param isPlain whether it was sent as its probe says
   */
  received(probe: Probe, exchange: Exchange | undefined, isPlain: boolean): boolean {
    const path = pathOf(probe.id);
    if (path) this.#shrinking.received(probe, path, exchange);
    if (!exchange) return false;
    const isRead = this.#isRead(probe);
    if (!isRead) {
      if (!this.#kinds.has(kindOf(probe))) this.#kinds.set(kindOf(probe), 'tried');
      this.#since.push(probe);
    }
    const { remaining } = exchange.rate;
    if (this.#isJump(exchange)) {
      this.#ended.add('other');
      if (isRead) this.#ended.add('wrong');
    }
    this.#last = exchange.rate;
    const isExact = this.#left !== undefined && remaining === this.#left - 1;
    const isConfirming = isRead && isPlain && isSuccess(exchange);
    // A failed read does not show what is left, so only the plain read is sent from now on.
    if (isRead && isPlain && !isSuccess(exchange)) this.#isReadRejected = true;
    if (!isExact) this.#endClasses(probe, exchange);
    this.#left = isExact || isConfirming ? remaining : undefined;
    if (isConfirming) {
      for (const sent of this.#since) this.#kinds.set(kindOf(sent), 'counted');
      this.#since = [];
    }
    return isRead || isExact;
  }

  /** Called after other requests were sent: the next read shows what is left. */
  skipped(): void {
    this.#left = undefined;
    this.#since = [];
  }

  /**
   * Whether Remaining rises within a window by more than reordered responses explain: then it is not a single count, and does not
   * show what other requests use up.
   */
  #isJump({ rate: { remaining, reset }, inFlight }: Exchange): boolean {
    const before = this.#last;
    if (remaining === undefined || before.remaining === undefined || reset !== before.reset) return false;
    return remaining > before.remaining + inFlight;
  }

  /** Ends the class of a probe that did not take one off; for a read, the classes of all requests since the last read. */
  #endClasses(probe: Probe, exchange: Exchange): void {
    const isAlone = !this.#isRead(probe);
    for (const sent of isAlone ? [probe] : this.#since) {
      const isOther = sent.operation !== this.#operation;
      const isAccepted = isAlone && isOther && isSuccess(exchange);
      if (isOther && (!isAlone || isAccepted)) this.#ended.add('other');
      if (sent.validity !== 'valid' && !isAccepted) this.#ended.add('wrong');
    }
    // The remaining kinds are tried again.
    for (const sent of this.#since) this.#kinds.delete(kindOf(sent));
    this.#since = [];
  }

  #isRead({ operation, validity, stage }: Probe): boolean {
    return operation === this.#operation && (validity === 'valid' || stage === 'exhaust');
  }

  #isUntried(probe: Probe): boolean {
    return !this.#isRead(probe) && !this.#kinds.has(kindOf(probe));
  }

  #isEnded({ operation, validity }: Probe): boolean {
    const isOther = operation !== this.#operation;
    return (isOther && this.#ended.has('other')) || (validity !== 'valid' && this.#ended.has('wrong'));
  }
}
