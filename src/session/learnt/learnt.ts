import { createsRecord } from '../../contract/resources.ts';
import type { Contract, RatePlan } from '../../model/contract.ts';
import type { Exchange, Reason, Received } from '../../model/exchange.ts';
import { addTo } from '../../model/large/lookups.ts';
import { type InferredRatePlan, inferFromExchange, moreReliable } from '../../model/limits/rate-plan.ts';
import { type Probe, usesUpLimit } from '../../model/probe.ts';
import { LearntValues } from '../../requests/learnt/learnt-values.ts';
import { KeptExchanges } from '../ledger/kept-exchanges.ts';
import { Pace } from '../pace/pace.ts';
import { SAFE_METHODS, type SessionOptions } from '../terms/types.ts';
import { Created, CreationBudget } from './created.ts';

const NOT_SHOWN: Reason = {
  kind: 'service-not-shown',
  reason: 'no response has shown the service; petspec writes nothing to what may be another one',
};

const MISLEADING =
  'the headers still say that nothing remains after a wait for the reset, and nothing is refused: no more waits for them';

/** What a run has learnt: its exchanges, the limits, values of responses, what was created, and what is given up. */
export class Learnt {
  readonly pace: Pace;
  readonly values: LearntValues;
  readonly created: Created;
  readonly creations: CreationBudget;
  readonly #options: Pick<SessionOptions, 'limits' | 'ratePlans' | 'showsService'>;
  /** The operations that may change something. */
  readonly #writing: ReadonlySet<string>;
  readonly #kept: KeptExchanges;
  readonly #timeouts = new Timeouts();
  readonly #closedWindows = new ClosedWindows();
  readonly #byProbe = new Map<string, Exchange[]>();
  #inferred: InferredRatePlan | undefined;
  /** Whether a response stated a limit, so that requests are counted. */
  isCounted = false;
  #isShown: boolean;

  constructor(contract: Contract, options: SessionOptions) {
    this.#options = options;
    const { onProgress } = options;
    this.pace = new Pace(
      () => this.limits,
      () => onProgress?.({ kind: 'note', text: MISLEADING }),
    );
    this.#isShown = options.showsService === undefined;
    const writing = contract.operations.filter(({ method }) => !SAFE_METHODS.includes(method));
    this.#writing = new Set(writing.map(({ id }) => id));
    this.values = new LearntValues(options.categoryId, options.random);
    this.created = new Created(contract);
    this.creations = new CreationBudget(contract.noun);
    this.#kept = new KeptExchanges(options.isNotable, options.onKept);
  }

  get exchanges(): Exchange[] {
    return this.#kept.all;
  }

  /** The exchanges of a probe, except those that use up a limit, which may be millions. */
  readonly of = (probe: string): readonly Exchange[] => this.#byProbe.get(probe) ?? [];

  /** The limits of the key: as the user stated them, else of the rate plan that the headers show. */
  get limits(): RatePlan | undefined {
    const { limits, ratePlans } = this.#options;
    return limits ?? (this.#inferred && ratePlans[this.#inferred.name]);
  }

  /** Why a probe is not sent, because of earlier responses. */
  reasonAgainst({ operation, key, creates }: Probe): Reason | undefined {
    return (
      this.#timeouts.reasonFor(operation) ??
      (key === 'valid' ? this.#closedWindows.reason : undefined) ??
      (this.#isShown || !this.#writing.has(operation) ? undefined : this.#notShown) ??
      (creates ? this.creations.reason : undefined)
    );
  }

  /** Why nothing is written: the first read did not show the service. */
  get #notShown(): Reason {
    const [first] = this.exchanges;
    return first ? { ...NOT_SHOWN, cause: first.probe } : NOT_SHOWN;
  }

  /** Learns from an exchange, and keeps it. Returns it as it is kept. */
  received(captured: Exchange, { creates, spelling }: Pick<Probe, 'creates' | 'spelling'>): Exchange {
    const exchange = this.#kept.add(captured);
    this.isCounted ||= exchange.rate.limit !== undefined || exchange.rate.remaining !== undefined;
    this.#isShown ||= this.#options.showsService?.(exchange) ?? true;
    if (!usesUpLimit(exchange.stage)) addTo(this.#byProbe, exchange.probe, exchange);
    const isWithKey = exchange.key === 'valid';
    if (isWithKey && !exchange.variation)
      this.#inferred = moreReliable(this.#inferred, inferFromExchange(exchange, this.#options.ratePlans));
    this.pace.received(exchange);
    if (isWithKey) this.#closedWindows.received(exchange, this.pace.closedFor(exchange.receivedAt));
    if (creates) this.creations.received(exchange);
    // Another spelling is another address.
    if (!spelling) this.#timeouts.received(exchange);
    return exchange;
  }

  /**
   * Learns the values that later requests send, and what was created.
   * @param response as received: a redacted value would be another one
   * @param areValues whether later requests use the values of this response
   */
  learn(exchange: Exchange, response: Received | undefined, areValues: boolean): void {
    for (const [probe, id] of this.created.received(exchange, response)) this.values.keep(probe, id);
    if (areValues) this.values.learn(exchange, response);
  }

  /** Takes an exchange that an earlier part of this run sent, as if it were sent now. */
  restore(exchange: Exchange): void {
    this.received(exchange, { creates: createsRecord(exchange) });
    this.learn(exchange, exchange.response, true);
  }

  /** Called after the last exchange. */
  close(): void {
    this.#kept.close();
  }
}

/** After this many timeouts petspec sends no more requests to an operation. */
const MAX_TIMEOUTS = 2;

/** After so many timeouts in all, an operation is given up after its first. */
const MAX_IN_ALL = 5;

/** Counts the timeouts of each operation, and gives up those that time out repeatedly. */
export class Timeouts {
  readonly #byOperation = new Map<string, Exchange[]>();
  #inAll = 0;

  received(exchange: Exchange): void {
    if (exchange.failure?.kind !== 'timeout') return;
    const { operation } = exchange;
    this.#inAll += 1;
    this.#byOperation.set(operation, [...(this.#byOperation.get(operation) ?? []), exchange]);
  }

  /** Why nothing more is sent to an operation; undefined while it is not given up. */
  reasonFor(operation: string): Reason | undefined {
    const [first, ...others] = this.#byOperation.get(operation) ?? [];
    const times = others.length + 1;
    if (!first || (times < MAX_TIMEOUTS && this.#inAll < MAX_IN_ALL)) return undefined;
    return {
      kind: 'operation-timed-out',
      reason: `${operation} timed out ${times === 1 ? 'once, as others did' : `${times} times`}; petspec skips its remaining requests`,
      cause: first.probe,
    };
  }
}

/** This many refusals in a row, each in a new window, show that others use up the limit. */
const MAX_CLOSED = 3;

/** Counts the windows in a row that were used up before the target let a request of this run through. */
export class ClosedWindows {
  #inARow = 0;
  /** ms since the epoch: until when the last known window is closed. */
  #closedUntil = 0;

  /** @param closedForMs how long the window of this exchange stays closed after its response */
  received({ response, sentAt, receivedAt }: Exchange, closedForMs: number): void {
    if (!response) return;
    if (response.status !== 429) this.#inARow = 0;
    else if (sentAt >= this.#closedUntil) this.#inARow += 1;
    this.#closedUntil = receivedAt + closedForMs;
  }

  /** Why no more requests are sent with the key; undefined while they are. */
  get reason(): Reason | undefined {
    if (this.#inARow < MAX_CLOSED) return undefined;
    return {
      kind: 'limit-used-by-others',
      reason: `${MAX_CLOSED} windows in a row were used up before a request got through: others use this key`,
    };
  }
}
