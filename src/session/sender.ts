import { wordsOf } from '../contract/words.ts';
import type { Address, Contract, Operation } from '../model/contract.ts';
import type { Stopped } from '../model/exchange.ts';
import { type Exchange, isSuccess, type Reason, type Unsent } from '../model/exchange.ts';
import type { Probe } from '../model/probe.ts';
import { readRateLimit } from '../model/rate-limit.ts';
import { type InferredRatePlan, inferFromExchange, moreReliable } from '../model/rate-plan.ts';
import type { RequestCounts } from '../model/request-counts.ts';
import { type Budget, countsAs, openBudget } from './budget.ts';
import { requestOf } from './http/request.ts';
import { openTransport, type Transport } from './http/transport.ts';
import { collectFacts, type Facts, sourcesOf } from './learnt-values.ts';
import { keepExchanges } from './ledger/kept-exchanges.ts';
import { keepPace, type Pace } from './limiter/pace.ts';
import { openMemory } from './memory.ts';
import { shownHeaders } from './secrets/authorization.ts';
import { ownSecrets } from './secrets/own-secrets.ts';
import { redactor } from './secrets/redact.ts';
import { responseRedactor } from './secrets/redact-response.ts';
import type { Progress, SessionOptions } from './types.ts';

/** Animals that a run adds at the most: nothing that was created can be deleted. */
export const MAX_CREATED = 16;

/** Windows in a row that were used up by others before anything of ours was let through. */
const MAX_CLOSED = 3;

/** An operation that failed to answer as often as this is not asked again. */
const MAX_SILENCE = 2;

/** What the requests of a budget are, in words. */
const WORDS: Readonly<Record<keyof RequestCounts, string>> = {
  withKey: 'requests with the key',
  wrongKeys: 'requests with wrong keys',
  messages: 'messages',
};

/** Whether an exchange may have added something: anything but a refusal, as an answer may be lost after it is carried out. */
function mayHaveCreated({ response }: Exchange): boolean {
  return response === undefined || response.status < 400 || response.status >= 500;
}

/** Everything that a run sends goes through here, whatever stage asks for it. */
export interface Sender {
  readonly facts: Facts;
  readonly pace: Pace;
  readonly transport: Transport;
  readonly exchanges: Exchange[];
  readonly unsent: Unsent[];
  readonly options: SessionOptions;
  readonly budget: Budget;
  addressOf(probe: Probe): Address;
  /** Whether the animals that are being added have to be counted before the probe can go: more may be refused. */
  isUndecided(probe: Probe): boolean;
  /** Ids of the operations at an address. */
  operationsAt(address: Address): string[];
  limits(): SessionOptions['limits'];
  stopped(): Stopped | undefined;
  stop(stopped: Stopped): void;
  /** Sends now, whatever the pace: undefined where the probe could not be sent, which is then noted. */
  send(probe: Probe): Promise<Exchange | undefined>;
  /** Waits, unless that is longer than the user allows: then the reason. */
  waitFor(ms: number, why: string): Promise<string | undefined>;
  /** ms until the run ends at the latest. */
  timeLeft(): number;
  tell(progress: Progress): void;
  /** Nothing more is sent. */
  end(): void;
  skip(probe: Probe, reason: Reason): void;
}

export function openSender(contract: Contract, options: SessionOptions): Sender {
  const { clock, most } = options;
  const deadline = clock.now() + most.seconds * 1000;
  const budget = openBudget(most);
  const operations = new Map(contract.operations.map((each) => [each.id, each]));
  const memory = openMemory();
  const transport = openTransport({
    clock,
    room: memory.room,
    timeout: options.timeout,
    until: deadline,
    ...(options.network ? { network: options.network } : {}),
    ...(options.signal ? { signal: options.signal } : {}),
  });
  const facts = collectFacts(options.categoryId, options.random);
  const own = ownSecrets(options);
  const redact = redactor(options.apiKey, own, wordsOf(contract));
  const redactResponse = responseRedactor(redact, [options.apiKey, ...own]);
  const kept = keepExchanges(options.isNotable, options.onKept);
  const unsent: Unsent[] = [];
  const silence = new Map<string, Exchange[]>();
  let told: InferredRatePlan | undefined;
  let stopped: Stopped | undefined;
  let created = 0;
  let creating = 0;
  let underWay = 0;
  let sent = 0;
  /** Refusals in a row, each after the window of the last one. */
  let closed = 0;
  let closedUntil = 0;
  const limits = () => options.limits ?? (told && options.ratePlans[told.name]);
  const pace = keepPace(limits);

  function refusal(probe: Probe): Reason | undefined {
    if (stopped) return { reason: stopped.message };
    if (options.signal?.aborted) return { reason: 'the run was interrupted' };
    const silent = silence.get(probe.operation) ?? [];
    if (silent.length >= MAX_SILENCE) {
      return {
        reason: `${probe.operation} failed to answer ${MAX_SILENCE} times and is not asked again`,
        cause: silent[0]?.probe ?? probe.id,
      };
    }
    if (closed >= MAX_CLOSED && probe.key === 'valid')
      return {
        reason: `the limit was used up ${MAX_CLOSED} times in a row before anything was let through: others use this key`,
      };
    // Those under way may be accepted, too.
    if (probe.creates && created + creating >= MAX_CREATED) return tooManyCreated();
    return undefined;
  }

  /** Those that got no answer, or an error of the server, may have been added. */
  function tooManyCreated(): Reason {
    const failed = kept.all.find(
      (each) => each.method === 'POST' && mayHaveCreated(each) && !isSuccess(each),
    );
    const reason = `${MAX_CREATED} animals were added, or may have been; petspec adds no more`;
    return { reason, ...(failed ? { cause: failed.probe } : {}) };
  }

  function unknownValue(probe: Probe, operation: Operation): Reason {
    const [cause] = sourcesOf(probe);
    const reason =
      operation.address === 'apiUrl' && !options.apiUrl
        ? 'no address of the messages is known (--api-url)'
        : 'no earlier answer had the value that it needs';
    return { reason, ...(cause === undefined ? {} : { cause }) };
  }

  async function send(probe: Probe): Promise<Exchange | undefined> {
    const operation = operations.get(probe.operation) as Operation;
    const refused = refusal(probe);
    if (refused) {
      skip(probe, refused);
      return undefined;
    }
    const request = requestOf(probe, operation, facts, options);
    if (!request) {
      skip(probe, unknownValue(probe, operation));
      return undefined;
    }
    // Whatever asks for it, nothing goes out while a window is closed.
    const closedFor = pace.closedFor(clock.now());
    const unwaited =
      closedFor > 0
        ? await waitFor(closedFor, 'the limit was exceeded; Retry-After asks to wait')
        : undefined;
    const item = countsAs(operation.address, probe.key);
    const isOver = unwaited === undefined && (isOutOfTime(0) || !budget.spend(item));
    if (unwaited !== undefined || isOver) {
      const spent = `petspec sends no more than it announced: ${most[item]} ${WORDS[item]}`;
      skip(probe, { reason: unwaited ?? stopped?.message ?? spent });
      return undefined;
    }
    const id = ++sent;
    underWay += 1;
    const inFlight = underWay;
    pace.sending({ operation: operation.id, address: operation.address }, probe.key === 'valid');
    if (probe.creates) creating += 1;
    const answer = memory.keep(await transport.send(request, () => budget.spend(item)));
    if (probe.creates) creating -= 1;
    underWay -= 1;
    if (answer.failure?.kind === 'interrupted') isOutOfTime(0);
    const response = answer.response && redactResponse(answer.response);
    const exchange: Exchange = {
      id,
      probe: probe.id,
      operation: operation.id,
      address: operation.address,
      stage: probe.stage,
      key: probe.key,
      method: request.method,
      // Only what a probe adds can carry a secret; the origin stays what it is.
      url: request.url.origin + redact(request.url.pathname + request.url.search),
      requestHeaders: shownHeaders(request.headers, probe.key, options.headers),
      ...(request.body === undefined ? {} : { requestBody: redact(request.body) }),
      sentAt: answer.sentAt,
      receivedAt: answer.receivedAt,
      inFlight,
      ...(answer.isRepeated ? { isRepeated: true } : {}),
      ...(response ? { response } : {}),
      ...(answer.failure ? { failure: { ...answer.failure, message: redact(answer.failure.message) } } : {}),
      rate: response ? readRateLimit(response.headers, answer.receivedAt) : {},
    };
    note(probe, exchange, answer.response);
    options.onExchange?.(exchange);
    return exchange;
  }

  /** @param came the response with what is redacted of it: what later requests take from it is sent as it came */
  function note(
    probe: Pick<Probe, 'key' | 'operation' | 'creates'>,
    exchange: Exchange,
    came = exchange.response,
  ): void {
    kept.add(exchange);
    if (probe.key === 'valid') told = moreReliable(told, inferFromExchange(exchange, options.ratePlans));
    pace.received(exchange);
    if (probe.key === 'valid' && exchange.response) {
      if (exchange.response.status !== 429) closed = 0;
      else if (exchange.sentAt >= closedUntil) closed += 1;
      closedUntil = exchange.receivedAt + pace.closedFor(exchange.receivedAt);
    }
    facts.see(came ? { ...exchange, response: came } : exchange);
    if (probe.creates && mayHaveCreated(exchange)) created += 1;
    if (exchange.failure?.kind === 'timeout')
      silence.set(probe.operation, [...(silence.get(probe.operation) ?? []), exchange]);
  }

  async function waitFor(ms: number, why: string): Promise<string | undefined> {
    if (ms > options.maxWait * 1000)
      return `${why}: ${Math.ceil(ms / 1000)} s, longer than --max-wait ${options.maxWait} s`;
    if (isOutOfTime(ms)) return stopped?.message;
    const until = clock.now() + ms;
    for (let left = ms; left > 0 && !options.signal?.aborted; left = until - clock.now()) {
      tell({ kind: 'waiting', seconds: Math.ceil(left / 1000), why });
      await clock.sleep(Math.min(left, 1000), options.signal);
    }
    return undefined;
  }

  /** Whether a wait would last beyond the time of the run, which then ends. */
  function isOutOfTime(ms: number): boolean {
    if (clock.now() + ms < deadline) return false;
    const message = `the run would take longer than the ${most.seconds} s that were announced (--max-time)`;
    stopped ??= { kind: 'out-of-time', message };
    return true;
  }

  function tell(progress: Progress): void {
    const secondsLeft = Math.max(0, Math.ceil((deadline - clock.now()) / 1000));
    options.onProgress?.({ ...progress, secondsLeft });
  }

  function skip(probe: Probe, reason: Reason): void {
    unsent.push({ probe: probe.id, ...reason });
  }

  for (const exchange of options.restored ?? []) {
    const { operation, address, key, method } = exchange;
    pace.sending({ operation, address }, key === 'valid');
    note({ key, operation, creates: method === 'POST' && address === 'baseUrl' }, exchange);
    sent = Math.max(sent, exchange.id);
    budget.spend(countsAs(address, key));
  }

  return {
    facts,
    pace,
    transport,
    exchanges: kept.all,
    unsent,
    options,
    budget,
    isUndecided: ({ creates }) => creates && created < MAX_CREATED && created + creating >= MAX_CREATED,
    addressOf: (probe) => operations.get(probe.operation)?.address ?? 'baseUrl',
    operationsAt: (address) =>
      contract.operations.filter((each) => each.address === address).map(({ id }) => id),
    limits,
    stopped: () => stopped,
    stop(reason) {
      stopped ??= reason;
    },
    send,
    waitFor,
    timeLeft: () => deadline - clock.now(),
    tell,
    end: kept.close,
    skip,
  };
}
