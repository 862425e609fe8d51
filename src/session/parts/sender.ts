import type { Address, Contract, Operation } from '../../model/contract.ts';
import type { Burst, Exchange, Reason, Unsent, Variation } from '../../model/exchange.ts';
import { needsKeyOfRun } from '../../model/http/credential.ts';
import { operationsById } from '../../model/large/lookups.ts';
import type { RequestCounts } from '../../model/limits/request-counts.ts';
import { type Probe, type RequestVariation, sourcesOf } from '../../model/probe.ts';
import type { Confirms } from '../../model/report/confirmation.ts';
import type { Chain } from '../../probes/chains.ts';
import { isConcretePath } from '../../probes/reads/concrete-path.ts';
import { varied } from '../../requests/forms.ts';
import { missingValue } from '../../requests/learnt/learnt-values.ts';
import { addressIn, type Outgoing, requestOf } from '../../requests/request.ts';
import { againProbe, variedProbe } from '../../requests/varied-probe.ts';
import { isKeyInDoubt } from '../../secrets/keys/keys-of-request.ts';
import type { Transport } from '../http/transport.ts';
import type { Learnt } from '../learnt/learnt.ts';
import { type Budget, countsAs } from '../terms/budget.ts';
import type { EndOfRun } from '../terms/end-of-run.ts';
import type { Transports } from '../terms/transports.ts';
import { SAFE_METHODS, type SessionOptions } from '../terms/types.ts';
import { exchangeCapture, type SentProbe } from './capture.ts';
import { RenewedKey } from './renewed-key.ts';

const REQUESTS: Readonly<Record<keyof RequestCounts, string>> = {
  withKey: 'requests with the key',
  wrongKeys: 'requests with wrong keys',
  messages: 'messages',
};

/** How a probe is sent: its variations, the number of earlier attempts, and the connection. */
export interface SendingForm {
  variations: readonly RequestVariation[];
  attempt: number;
  /** No reason is noted if it cannot be sent, because no requirement depends on it. */
  isSpare?: boolean;
  /** Why it goes out together with others. */
  burst?: Burst | undefined;
  /** The probes that are sent over one connection. */
  chain?: Chain | undefined;
  /** The findings that it is to confirm. */
  confirms?: Confirms;
}

const PLAIN: SendingForm = { variations: [], attempt: 0 };

const KEY_IN_DOUBT: Reason = {
  kind: 'value-unknown',
  reason: 'not every service sees another key where the last character of this one changes',
};

/** The parts of a session that sending a request reads and changes. */
export interface SenderParts {
  end: EndOfRun;
  budget: Budget;
  learnt: Learnt;
  unsent: UnsentProbes;
  transports: Transports;
}

/** A request that is about to be sent. */
interface Sending extends Pick<SentProbe, 'probe' | 'operation' | 'variation' | 'variations' | 'request'> {
  /** Writes the request again, with the key that the run has then. */
  write: () => Outgoing | undefined;
}

/** Sends one request, whichever stage asks for it, if nothing forbids that. */
export class Sender {
  readonly #options: SessionOptions;
  readonly #parts: SenderParts;
  readonly #contract: Contract;
  readonly #capture: (sent: SentProbe) => Exchange;
  readonly #key: RenewedKey;
  #inFlight = 0;
  #lastId: number;

  constructor(contract: Contract, options: SessionOptions, parts: SenderParts) {
    this.#options = options;
    this.#parts = parts;
    this.#contract = contract;
    this.#capture = exchangeCapture(contract, options);
    this.#key = new RenewedKey(options, parts.end);
    this.#lastId = (options.restored ?? []).reduce((last, { id }) => Math.max(last, id), 0);
  }

  /**
   * Sends a probe as soon as no 429 forbids it. Returns undefined if it cannot be sent; the reason is noted with the unsent
   * probes, unless the probe was sent before.
   */
  async send(probe: Probe, variation?: Variation, form: SendingForm = PLAIN): Promise<Exchange | undefined> {
    const { learnt, end, unsent, transports } = this.#parts;
    const { variations, attempt } = form;
    const skip = (reason: Reason) => (attempt > 0 || form.isSpare ? undefined : unsent.skip(probe, reason));
    const operation = operationsById(this.#contract.operations).get(probe.operation) as Operation;
    this.#refuseUnsafe(probe, operation);
    const refusal = end.reason ?? learnt.reasonAgainst(probe);
    if (refusal) return skip(refusal);
    if (isKeyInDoubt(probe, operation, this.#target)) return skip(KEY_IN_DOUBT);
    const shaped = againProbe(
      variedProbe(probe, operation, variations),
      attempt,
      form.confirms !== undefined,
    );
    const forms = variations.flatMap((applied) => (applied.kind === 'lenient' ? [applied.form] : []));
    const write = () => {
      const written = this.#written(shaped, operation, variations);
      return written && [...(variation ? [variation] : []), ...forms].reduce(varied, written);
    };
    const request = write();
    if (!request) return skip(this.#unknownValue(probe, operation));
    if (operation.mayRefuse && isConcretePath(request.url.pathname, operation, this.#contract.operations))
      return skip({
        kind: 'value-unknown',
        reason: 'the value that a response showed is the path of another operation',
      });
    const item = countsAs(operation.address, probe.key);
    // Not awaited if there is no wait, so that the request counts as in flight before the next one is sent.
    const unwaited = this.#closedFor > 0 ? await this.#waitWhileClosed() : undefined;
    const unspent = unwaited ?? this.#spend(item);
    if (unspent) return skip(unspent);
    const transport =
      this.#options.writes && (probe.creates || probe.isUnguarded) ? transports.steady() : transports.usual;
    return this.#transmit({ probe, operation, variation, variations, request, write }, item, form, transport);
  }

  /**
   * Sends a probe that removes what the run created, although the run has ended. Nothing is sent while a 429 forbids it, because
   * the limit would refuse it as well, or to an operation that timed out repeatedly.
   * @param timeout ms
   */
  async sendAfterEnd(probe: Probe, timeout: number): Promise<void> {
    const { learnt, budget, transports } = this.#parts;
    const operation = operationsById(this.#contract.operations).get(probe.operation) as Operation;
    const isForbidden = this.#closedFor > 0 || learnt.reasonAgainst(probe) !== undefined;
    if (!this.#options.writes || !learnt.created.isSafe(probe, operation) || isForbidden) return;
    const write = () => this.#written(probe, operation);
    const request = write();
    const item = countsAs(operation.address, probe.key);
    if (!request || !budget.spend(item)) return;
    await this.#transmit({ probe, operation, request, write }, item, PLAIN, transports.steady(timeout));
  }

  #written(probe: Probe, operation: Operation, variations?: readonly RequestVariation[]) {
    return requestOf(probe, operation, this.#parts.learnt.values, this.#target, variations);
  }

  get #target(): SessionOptions {
    return { ...this.#options, apiKey: this.#key.current };
  }

  /** @throws Error, a bug of petspec, instead of changing what the run must not change */
  #refuseUnsafe(probe: Probe, operation: Operation): void {
    const { method, path } = operation;
    if (this.#options.safeOnly && !SAFE_METHODS.includes(method))
      throw new Error(`a run that only reads was about to send ${method} ${path}`);
    if (this.#options.writes && !this.#parts.learnt.created.isSafe(probe, operation))
      throw new Error(`a run was about to send ${method} ${path} to what it did not create`);
  }

  /** Waits until no 429 forbids a request; another may come meanwhile. Returns why the request must not be sent even then. */
  async #waitWhileClosed(): Promise<Reason | undefined> {
    const { end, learnt } = this.#parts;
    while (this.#closedFor > 0 && !end.reason) {
      const unwaited = await end.waitFor(this.#closedFor, learnt.pace.whyClosed);
      if (unwaited) return unwaited;
    }
    return end.reason;
  }

  /** ms until no 429 forbids a request. */
  get #closedFor(): number {
    return this.#parts.learnt.pace.closedFor(this.#options.clock.now());
  }

  #unknownValue(probe: Probe, { address }: Operation): Reason {
    const [cause] = sourcesOf(probe);
    const isAddressUnknown = addressIn(this.#options, address) === undefined;
    return {
      ...(isAddressUnknown
        ? { kind: 'address-unknown', reason: unknownAddress(address) }
        : {
            kind: 'value-unknown',
            reason: this.#contract.isComplete
              ? 'no earlier response had the value that it needs'
              : missingValue(probe, this.#parts.learnt.values),
          }),
      ...(cause === undefined ? {} : { cause }),
    };
  }

  /** Counts a request. Returns why it must not be sent, if the run has no time or no request left. */
  #spend(item: keyof RequestCounts): Reason | undefined {
    const { end, budget } = this.#parts;
    if (!end.stopIfOutOfTime() && budget.spend(item)) return undefined;
    const reserved = budget.reserved(item);
    const later = reserved > 0 ? `, ${reserved} of them after the recovery` : '';
    const most = `${this.#options.most[item]} ${REQUESTS[item]}`;
    const reason = `petspec sends no more than it announced: ${most}${later}`;
    return end.stopped ? end.reason : { kind: 'budget-used-up', reason };
  }

  async #transmit(
    sending: Sending,
    item: keyof RequestCounts,
    form: SendingForm,
    transport: Transport,
  ): Promise<Exchange> {
    const { learnt, end, budget, transports } = this.#parts;
    const { probe, write, ...sent } = sending;
    this.#lastId += 1;
    this.#inFlight += 1;
    const [id, inFlight] = [this.#lastId, this.#inFlight];
    if (probe.creates) learnt.creations.sending();
    const transmit = (request: Outgoing) =>
      transports.send(transport, request, () => budget.spend(item), form.chain);
    const key = this.#key.current;
    const first = await transmit(sent.request);
    const isAgain = (await this.#isKeyRenewed(sending, key, first.response?.status)) && budget.spend(item);
    const again = isAgain ? write() : undefined;
    const answer = again ? { ...(await transmit(again)), isRepeated: true as const } : first;
    if (again) this.#key.tried(probe.operation, answer.response?.status === 401);
    if (probe.creates) learnt.creations.sent();
    this.#inFlight -= 1;
    if (answer.failure?.kind === 'interrupted') end.stopIfOutOfTime();
    const exchange = learnt.received(
      this.#capture({ ...sent, probe, burst: form.burst, confirms: form.confirms, id, inFlight, answer }),
      probe,
    );
    // If a varied request failed, later requests use the values of its plain response.
    const areValues = form.attempt === 0 || form.variations.length === 0 || form.confirms !== undefined;
    learnt.learn(exchange, answer.response, areValues);
    this.#options.onExchange?.(exchange);
    return exchange;
  }

  /** Whether a request is sent again, because the service refused its key and there is another one. */
  async #isKeyRenewed({ probe, operation }: Sending, key: string, status = 0): Promise<boolean> {
    if (this.#options.apiKeyCommand === undefined || probe.key !== 'valid' || !needsKeyOfRun(operation))
      return false;
    if (status === 401) return this.#key.renewed(operation.id, key);
    if (status > 0 && status < 300) this.#key.accepted(operation.id);
    return false;
  }
}

function unknownAddress(name: Address): string {
  if (name === 'apiUrl') return 'the address of the messages is unknown (--api-url)';
  return `the address of the server ${name} is unknown (--server ${name}=<url>)`;
}

/** The probes that a run does not send, and why. */
export class UnsentProbes {
  readonly all: Unsent[] = [];

  skip(probe: Probe, reason: Reason): undefined {
    this.all.push({ probe: probe.id, ...reason });
  }

  skipAll(probes: readonly Probe[], reason: Reason): undefined {
    for (const probe of probes) this.skip(probe, reason);
  }
}
