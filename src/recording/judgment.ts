import { slowSchemaGaps } from '../contract/validation/schema-validator.ts';
import type { Check } from '../judge/evidence/check.ts';
import type { Judged } from '../judge/evidence/judged.ts';
import type { Contract, Gap, RatePlan } from '../model/contract.ts';
import type { Exchange } from '../model/exchange.ts';
import { type Finding, repeated } from '../model/finding.ts';
import { atOnce, type Steps } from '../model/large/steps.ts';
import type { Probe } from '../model/probe.ts';
import { attempt, Bugs } from '../traffic/bugs.ts';
import type { Classified } from '../traffic/classify.ts';
import type { Servers } from '../traffic/match-operation.ts';
import type { Captured } from './capture/capture.ts';
import { checksOfOne, judgingPart, MAX_SEARCHES, type PartSettings } from './judge-part.ts';
import { mergeFindings, withoutTraffic } from './merge.ts';
import { type OmissionKind, sizeOf } from './recorded.ts';
import { type Matched, type RecordedExchange, requestsOf } from './requests.ts';
import { type OtherBase, OtherBases } from './servers.ts';
import { copyOf, type KnownKeys, nothingKnown } from './standing.ts';

export interface JudgeOptions {
  /** The servers that the user names. */
  servers: Servers;
  /** The rate plan of the key, and its limits. */
  plan?: string | undefined;
  limits?: RatePlan | undefined;
  /** The fields whose values are replaced. */
  redact: readonly string[];
  /** Called for each exchange that is judged, in order. */
  onExchange?: (exchange: Exchange, probe: Probe, classified: Classified) => void;
  /** Called for requests without an operation below the base URL. @param name without ids, see `unlistedName` */
  onUnlisted?: (name: string, times: number) => void;
  /** Called for each part that is judged. */
  onPart?: (part: RecordingPart) => void;
  /** Called for each entry that may be judged, once its secrets are replaced. */
  onCaptured?: (captured: Captured) => void;
  /** Only exchanges that findings cite keep their bodies. */
  dropBodies?: boolean;
}

/** Exchanges that were judged together, and what they show. */
export interface RecordingPart {
  requests: readonly RecordedExchange[];
  findings: Readonly<Record<string, Finding>>;
  /** What each exchange shows by itself. */
  judged: readonly Judged[];
  servers: Servers;
}

/** How many entries of a file were judged, and why others were not. */
export interface JudgedFile {
  name: string;
  entries: number;
  judged: number;
  omissions: Partial<Record<OmissionKind, number>>;
}

/** What judging recordings found. */
export interface JudgedRecording {
  findings: Readonly<Record<string, Finding>>;
  servers: Servers;
  files: readonly JudgedFile[];
  /** The base URL of most requests, if none is at the base URL that the user named. */
  otherBase?: OtherBase | undefined;
  /** The number of different keys. */
  keys: number;
  /** The parts of the document that could not be judged. */
  gaps: readonly Gap[];
  /** A bug of petspec that kept exchanges from being judged. */
  bug?: unknown | undefined;
  /** The exchanges that findings cite, and the first ones. */
  exchanges: readonly Exchange[];
  /** ms since the epoch. */
  startedAt: number;
  finishedAt: number;
}

/** Keys that are counted for the report. */
const MAX_KEYS = 10_000;

/** Exchanges that are kept for the report beside the evidence of findings. */
const MAX_KEPT = 500;

/** Characters of the exchanges that are kept beside the evidence of findings. */
const MAX_KEPT_SIZE = 16 * 1024 * 1024;

const NOT_KEPT = 'only bodies that findings cite are kept';

/** Judges recordings part by part. Only findings and their evidence stay in memory. */
export class RecordingJudgment {
  readonly contract: Contract;
  readonly checks: readonly Check[];
  readonly options: JudgeOptions;
  #findings: Readonly<Record<string, Finding>> = {};
  #servers: Servers;
  readonly #exchanges: Exchange[] = [];
  /** Characters of the exchanges that no finding cites. */
  #keptSize = 0;
  readonly #keys = new Set<string>();
  readonly otherBases: OtherBases;
  readonly bugs = new Bugs();
  readonly #checksOfOne: readonly Check[];
  readonly #searches = { left: MAX_SEARCHES };
  #nextId = 1;
  #startedAt = Number.POSITIVE_INFINITY;
  #finishedAt = 0;

  constructor(contract: Contract, checks: readonly Check[], options: JudgeOptions) {
    this.contract = contract;
    this.checks = checks;
    this.options = options;
    this.#servers = options.servers;
    this.#checksOfOne = checksOfOne(contract, checks);
    this.otherBases = new OtherBases(contract, options.servers);
  }

  /**
   * Judges exchanges of one file, in the order in which they were sent. Returns how many there are, and how many of them were
   * judged without the limiter.
   * @param knownKeys what earlier parts of the file showed; the results of this part are added
   */
  addPart(
    part: readonly Matched[],
    servers: Servers,
    knownKeys: KnownKeys,
  ): { judged: number; unsearched: number } {
    const { options } = this;
    let unsearched = 0;
    const onUnsearched = (exchanges: number) => {
      unsearched += exchanges;
    };
    this.#servers = { ...servers, ...this.#servers };
    if (part.length === 0) return { judged: 0, unsearched };
    const judged = atOnce(
      this.#judging(part, servers, knownKeys, { searches: this.#searches, onUnsearched }),
    );
    const { requests, findings } = judged;
    this.#nextId += requests.length;
    for (const { exchange, probe, group, classified } of requests) {
      this.#tell(() => options.onExchange?.(exchange, probe, classified));
      // The requests of a run are one group, even if the interface has no key.
      const isKeyed = classified.operation?.secured || classified.operation?.isKeyOptional;
      if (group !== undefined && isKeyed && this.#keys.size < MAX_KEYS) this.#keys.add(group);
      this.otherBases.addJudged(classified);
      this.#startedAt = Math.min(this.#startedAt, exchange.sentAt);
      this.#finishedAt = Math.max(this.#finishedAt, exchange.receivedAt);
    }
    this.#tell(() => options.onPart?.(judged));
    this.#findings = mergeFindings(this.#findings, findings);
    this.#keep(requests.map(({ exchange }) => exchange));
    return { judged: requests.length, unsearched };
  }

  /** Calls a listener. A bug there changes no finding. */
  #tell(act: () => void): void {
    const done = attempt(act);
    if ('error' in done) this.bugs.note(done.error, 0);
  }

  /** What an unfinished part shows, in steps. Nothing is kept. */
  previewing(part: readonly Matched[], servers: Servers, knownKeys: KnownKeys): Steps<RecordingPart> {
    return this.#judging(part, servers, copyOf(knownKeys), {
      searches: { ...this.#searches },
      onUnsearched: () => {},
    });
  }

  /** What an exchange shows by itself. Nothing is kept. */
  glance(matched: Matched, servers: Servers): RecordingPart {
    const checks = this.#checksOfOne;
    const judging = { checks, searches: { left: 0 }, onUnsearched: () => {} };
    return atOnce(this.#judging([matched], servers, nothingKnown(), judging));
  }

  /** The findings so far. */
  get findings(): Readonly<Record<string, Finding>> {
    return this.#findings;
  }

  *#judging(
    part: readonly Matched[],
    servers: Servers,
    knownKeys: KnownKeys,
    judging: Pick<PartSettings, 'searches' | 'onUnsearched'> & Partial<Pick<PartSettings, 'checks'>>,
  ): Steps<RecordingPart> {
    const { contract, checks, options } = this;
    const requests = requestsOf(part, knownKeys, this.#nextId);
    const { plan, limits } = options;
    const { findings, judged } = yield* judgingPart(requests, {
      contract,
      checks,
      baseUrl: servers.baseUrl ?? '',
      ...judging,
      plan,
      limits,
    });
    return { requests, findings, judged, servers };
  }

  /** Keeps the evidence of findings, which may be in any part, and the first exchanges. */
  #keep(exchanges: readonly Exchange[]): void {
    const cited = this.#cited();
    for (const exchange of exchanges) {
      const isCited = cited.has(exchange.id);
      if (this.#exchanges.length >= MAX_KEPT && !isCited) continue;
      const kept = isCited ? exchange : this.#fitting(exchange);
      if (kept) this.#exchanges.push(kept);
    }
    if (this.#exchanges.length <= 2 * MAX_KEPT) return;
    // A later part may have replaced evidence.
    const kept = this.#exchanges.filter(({ id }, index) => index < MAX_KEPT || cited.has(id));
    this.#exchanges.splice(0, this.#exchanges.length, ...kept);
  }

  /** The exchange to keep if no finding cites it, perhaps without bodies. */
  #fitting(exchange: Exchange): Exchange | undefined {
    const bare = withoutBodies(exchange);
    const kept = (this.options.dropBodies ? [bare] : [exchange, bare]).find(
      (candidate) => this.#keptSize + sizeOf(candidate) <= MAX_KEPT_SIZE,
    );
    if (kept) this.#keptSize += sizeOf(kept);
    return kept;
  }

  #cited(): ReadonlySet<number> {
    return new Set(
      Object.values(this.#findings).flatMap(({ evidence, repetition }) => [
        ...evidence,
        ...(repetition ? repeated(repetition) : []),
      ]),
    );
  }

  /** The result of all parts. */
  result(files: readonly JudgedFile[]): JudgedRecording {
    const requirements = this.checks.map(({ requirement }) => requirement);
    const cited = this.#cited();
    const otherBase = this.otherBases.result();
    return {
      findings: withoutTraffic(requirements, this.#findings),
      servers: this.#servers,
      files,
      otherBase,
      keys: this.#keys.size,
      gaps: slowSchemaGaps(this.contract),
      bug: this.bugs.first,
      exchanges: this.#exchanges.filter(({ id }, index) => index < MAX_KEPT || cited.has(id)),
      startedAt: Number.isFinite(this.#startedAt) ? this.#startedAt : this.#finishedAt,
      finishedAt: this.#finishedAt,
    };
  }
}

function withoutBodies({ requestBody: _, ...exchange }: Exchange): Exchange {
  const { response } = exchange;
  if (!response || response.body === '') return exchange;
  const { undecodable: _undecodable, ...rest } = response;
  return { ...exchange, response: { ...rest, body: '', unread: NOT_KEPT } };
}
