import type { Address, Contract, Operation, RatePlan } from '../model/contract.ts';
import type { Exchange, Reason, Unsent, Variation } from '../model/exchange.ts';
import { type Probe, type RequestVariation, sourcesOf } from '../model/probe.ts';
import { type InferredRatePlan, inferFromExchange, moreReliable } from '../model/rate-plan.ts';
import type { RequestCounts } from '../model/request-counts.ts';
import type { Chain } from '../probes/chains.ts';
import { createsRecord } from '../probes/probe.ts';
import { againProbe, variedProbe } from '../probes/variations/apply.ts';
import { type Budget, countsAs, openBudget } from './budget.ts';
import { exchangeCapture, type Sent } from './capture.ts';
import { EndOfRun } from './end-of-run.ts';
import { addressIn, requestOf } from './http/request.ts';
import { Transport } from './http/transport.ts';
import { LearntValues, missingValue } from './learnt/learnt-values.ts';
import { KeptExchanges } from './ledger/kept-exchanges.ts';
import { ClosedWindows } from './limiter/closed-windows.ts';
import { Pace } from './limiter/pace.ts';
import { Shrinking } from './limiter/shrinking.ts';
import { varied } from './limiter/varied.ts';
import { limitMemory } from './memory-limit.ts';
import { Timeouts } from './timeouts.ts';
import { SAFE_METHODS, type SessionOptions } from './types.ts';
import { Created } from './writing/created.ts';
import { CreationBudget } from './writing/creation-budget.ts';

const REQUESTS: Readonly<Record<keyof RequestCounts, string>> = {
  withKey: 'requests with the key',
  wrongKeys: 'requests with wrong keys',
  messages: 'messages',
};

/** How a probe is sent: what rides along on it, how often it was sent before, and what it follows. */
export interface Form {
  variations: readonly RequestVariation[];
  attempt: number;
  /** Nothing is noted if it cannot be sent: no finding waits for it. */
  isSpare?: true;
  /** The probes that are sent over one connection. */
  chain?: Chain;
}

function unknownAddress(name: Address): string {
  if (name === 'apiUrl') return 'the address of the messages is unknown (--api-url)';
  return `the address of the server ${name} is unknown (--server ${name}=<url>)`;
}

const PLAIN: Form = { variations: [], attempt: 0 };

/** Later requests use the values of the plain response, if a varied one failed. */
function isLearntFrom({ variations, attempt }: Form): boolean {
  return attempt === 0 || variations.length === 0;
}

/** Sends every request of a run, whichever stage asks for it, and keeps what came back. */
export class Sender {
  readonly options: SessionOptions;
  readonly unsent: Unsent[] = [];
  readonly end: EndOfRun;
  readonly budget: Budget;
  readonly pace: Pace;
  readonly values: LearntValues;
  readonly transport: Transport;
  readonly shrinking: Shrinking;
  readonly created: Created;
  readonly #operations: ReadonlyMap<string, Operation>;
  readonly #memory = limitMemory();
  readonly #kept: KeptExchanges;
  readonly #capture: (sent: Sent) => Exchange;
  readonly #isComplete: boolean;
  readonly #creationBudget: CreationBudget;
  readonly #steady: Transport[] = [];
  readonly #timeouts = new Timeouts();
  readonly #closedWindows = new ClosedWindows();
  #inferred: InferredRatePlan | undefined;
  #inFlight = 0;
  #lastId = 0;

  constructor(contract: Contract, options: SessionOptions) {
    const { clock, timeout, network, dial, signal } = options;
    this.options = options;
    this.end = new EndOfRun(options);
    this.created = new Created(contract);
    this.#creationBudget = new CreationBudget(contract.noun);
    this.#isComplete = contract.isComplete === true;
    this.budget = openBudget(options.most);
    this.pace = new Pace(() => this.limits);
    this.values = new LearntValues(options.categoryId, options.random);
    this.transport = new Transport({
      clock,
      timeout,
      until: this.end.deadline,
      room: this.#memory.room,
      ...(network ? { network } : {}),
      ...(dial ? { dial } : {}),
      ...(signal ? { signal } : {}),
    });
    const { generate = () => undefined, violatedBy = () => [] } = options;
    this.shrinking = new Shrinking(generate, (exchange) =>
      exchange.response?.status === 429
        ? []
        : violatedBy(exchange, this.exchanges, this.values.areReferencesKnown()),
    );
    this.#operations = new Map(contract.operations.map((each) => [each.id, each]));
    this.#kept = new KeptExchanges(options.isNotable, options.onKept);
    this.#capture = exchangeCapture(contract, options);
    for (const exchange of options.restored ?? []) this.#restore(exchange);
  }

  get exchanges(): Exchange[] {
    return this.#kept.all;
  }

  /** The limits of the key: as the user stated them, else of the rate plan that the headers show. */
  get limits(): RatePlan | undefined {
    return this.options.limits ?? (this.#inferred && this.options.ratePlans[this.#inferred.name]);
  }

  addressOf(probe: Probe): Address {
    return this.#operations.get(probe.operation)?.address ?? 'baseUrl';
  }

  /** Ids of the operations at an address. */
  operationsAt(address: Address): string[] {
    return [...this.#operations.values()].filter((each) => each.address === address).map(({ id }) => id);
  }

  /** Whether the probe has to wait: the requests in flight decide whether it may create a record. */
  isUndecided({ creates }: Probe): boolean {
    return creates && this.#creationBudget.isUndecided;
  }

  /** Whether so many more records may be created, beyond those in flight. */
  mayCreate(more: number): boolean {
    return this.#creationBudget.left > more;
  }

  /**
   * Sends a probe as soon as no 429 forbids it; undefined if it cannot be sent, with the reason in `unsent` unless it was
   * sent before.
   */
  async send(probe: Probe, variation?: Variation, form: Form = PLAIN): Promise<Exchange | undefined> {
    const { variations, attempt } = form;
    const skip = (reason: Reason) => (attempt > 0 || form.isSpare ? undefined : this.skip(probe, reason));
    const operation = this.#operations.get(probe.operation) as Operation;
    if (this.options.safeOnly && !SAFE_METHODS.includes(operation.method))
      throw new Error(`a run that only reads was about to send ${operation.method} ${operation.path}`);
    if (this.options.writes && !this.created.isSafe(probe, operation))
      throw new Error(
        `a run was about to send ${operation.method} ${operation.path} to what it did not create`,
      );
    const refusal = this.#refusalOf(probe);
    if (refusal) return skip(refusal);
    const shaped = againProbe(variedProbe(probe, operation, variations), attempt);
    const request = requestOf(shaped, operation, this.values, this.options, variations);
    if (!request) return skip(this.#unknownValue(probe, operation));
    const closedFor = this.pace.closedFor(this.options.clock.now());
    const unwaited =
      closedFor > 0
        ? await this.end.waitFor(closedFor, 'the limit was exceeded; Retry-After asks to wait')
        : undefined;
    const item = countsAs(operation.address, probe.key);
    const unsent = unwaited ?? this.#spend(item);
    if (unsent) return skip(unsent);
    const forms = variations.flatMap((each) => (each.kind === 'lenient' ? [each.form] : []));
    const sent = [...(variation ? [variation] : []), ...forms].reduce(varied, request);
    const transport = this.options.writes && probe.creates ? this.#steadyTransport() : this.transport;
    return this.#transmit({ probe, operation, variation, variations, request: sent }, item, form, transport);
  }

  /** Sends a probe once although the run has ended: it removes what the run created. */
  async sendAfterEnd(probe: Probe, timeout: number): Promise<void> {
    const operation = this.#operations.get(probe.operation) as Operation;
    if (!this.options.writes || !this.created.isSafe(probe, operation)) return;
    const request = requestOf(probe, operation, this.values, this.options);
    if (!request || !this.budget.spend(countsAs(operation.address, probe.key))) return;
    await this.#transmit({ probe, operation, request }, 'withKey', PLAIN, this.#steadyTransport(timeout));
  }

  /** A transport that an interruption does not stop: whoever creates something has to learn its id. */
  #steadyTransport(timeout = this.options.timeout): Transport {
    const { clock, network, dial } = this.options;
    const made = new Transport({
      clock,
      timeout: Math.min(timeout, this.options.timeout),
      room: this.#memory.room,
      ...(network ? { network } : {}),
      ...(dial ? { dial } : {}),
    });
    this.#steady.push(made);
    return made;
  }

  /** Notes why a probe is not sent. */
  skip(probe: Probe, reason: Reason): undefined {
    this.unsent.push({ probe: probe.id, ...reason });
  }

  skipAll(probes: readonly Probe[], reason: Reason): undefined {
    for (const each of probes) this.skip(each, reason);
  }

  /** Nothing more is sent. */
  async close(): Promise<void> {
    this.#kept.close();
    await Promise.all([this.transport, ...this.#steady].map((each) => each.close()));
  }

  #refusalOf(probe: Probe): Reason | undefined {
    return (
      this.end.reason ??
      this.#timeouts.reasonFor(probe.operation) ??
      (probe.key === 'valid' ? this.#closedWindows.reason : undefined) ??
      (probe.creates ? this.#creationBudget.reason : undefined)
    );
  }

  #unknownValue(probe: Probe, operation: Operation): Reason {
    const [cause] = sourcesOf(probe);
    const { address } = operation;
    const isAddressUnknown = addressIn(this.options, address) === undefined;
    return {
      ...(isAddressUnknown
        ? { kind: 'address-unknown', reason: unknownAddress(address) }
        : {
            kind: 'value-unknown',
            reason: this.#isComplete
              ? 'no earlier response had the value that it needs'
              : missingValue(probe),
          }),
      ...(cause === undefined ? {} : { cause }),
    };
  }

  /** Counts a request. Returns why it must not be sent, if the run has no time or no request left. */
  #spend(item: keyof RequestCounts): Reason | undefined {
    if (!this.end.stopIfOutOfTime() && this.budget.spend(item)) return undefined;
    const reason = `petspec sends no more than it announced: ${this.options.most[item]} ${REQUESTS[item]}`;
    return this.end.stopped ? this.end.reason : { kind: 'budget-used-up', reason };
  }

  async #transmit(
    sending: Pick<Sent, 'probe' | 'operation' | 'variation' | 'variations' | 'request'>,
    item: keyof RequestCounts,
    form: Form,
    transport: Pick<Transport, 'send'>,
  ): Promise<Exchange> {
    const { probe, operation, request } = sending;
    this.#lastId += 1;
    this.#inFlight += 1;
    const [id, inFlight] = [this.#lastId, this.#inFlight];
    this.pace.sending(operation.address, probe.key === 'valid');
    if (probe.creates) this.#creationBudget.sending();
    const mayRepeat = () => this.budget.spend(item);
    const answer = this.#memory.keep(await transport.send(request, mayRepeat, form.chain));
    if (probe.creates) this.#creationBudget.sent();
    this.#inFlight -= 1;
    if (answer.failure?.kind === 'interrupted') this.end.stopIfOutOfTime();
    const exchange = this.#received(this.#capture({ ...sending, id, inFlight, answer }), probe);
    const made = this.created.received(exchange, answer.response);
    if (made !== undefined) this.values.keep(probe.id, made);
    // Later requests send a value as it came: what is redacted of it would be another value.
    if (isLearntFrom(form)) this.values.learn(exchange, answer.response);
    this.options.onExchange?.(exchange);
    return exchange;
  }

  /** Returns the exchange as it is kept. */
  #received(captured: Exchange, { creates, spelling }: Pick<Probe, 'creates' | 'spelling'>): Exchange {
    const exchange = this.#kept.add(captured);
    const isWithKey = exchange.key === 'valid';
    if (isWithKey && !exchange.variation)
      this.#inferred = moreReliable(this.#inferred, inferFromExchange(exchange, this.options.ratePlans));
    this.pace.received(exchange);
    if (isWithKey) this.#closedWindows.received(exchange, this.pace.closedFor(exchange.receivedAt));
    if (creates) this.#creationBudget.received(exchange);
    // Another spelling is another address.
    if (!spelling) this.#timeouts.received(exchange);
    return exchange;
  }

  /** Takes an exchange that an earlier part of this run sent: it counts as if it were sent now. */
  #restore(exchange: Exchange): void {
    const { id, address, key, isRepeated } = exchange;
    this.pace.sending(address, key === 'valid');
    this.#received(exchange, { creates: createsRecord(exchange) });
    this.values.learn(exchange);
    const made = this.created.received(exchange, exchange.response);
    if (made !== undefined) this.values.keep(exchange.probe, made);
    this.#lastId = Math.max(this.#lastId, id);
    this.budget.spend(countsAs(address, key));
    if (isRepeated) this.budget.spend(countsAs(address, key));
  }
}
