import type { Check } from '../../judge/evidence/check.ts';
import type { Contract } from '../../model/contract.ts';
import type { Exchange } from '../../model/exchange.ts';
import type { Finding, Findings } from '../../model/finding.ts';
import { atOnce, type Steps } from '../../model/large/steps.ts';
import type { Captured } from '../../recording/capture/capture.ts';
import { FileJudge } from '../../recording/file-judge.ts';
import {
  type JudgedRecording,
  type JudgeOptions,
  RecordingJudgment,
  type RecordingPart,
} from '../../recording/judgment.ts';
import { mergeFindings } from '../../recording/merge.ts';
import type { OmissionKind } from '../../recording/recorded.ts';
import { attempt } from '../../traffic/bugs.ts';
import type { Classified } from '../../traffic/classify.ts';
import type { Passed } from '../http/passed.ts';
import { type NewFinding, newFindingsIn } from './new-findings.ts';
import { recordedOf } from './recorded-of.ts';
import { KeptEvidence, type LedgerState, type TrafficLedger } from './traffic-ledger.ts';

/** How live traffic is judged. */
export interface LiveOptions extends Pick<JudgeOptions, 'servers' | 'plan' | 'limits' | 'redact'> {
  /** Called once for each exchange that is judged, soon after it passed. */
  onSeen?: (exchange: Exchange, classified: Classified) => void;
  /** Called once for each exchange, when it is judged together with others. */
  onExchange?: JudgeOptions['onExchange'];
  /** Keeps the exchanges on disk. */
  ledger?: TrafficLedger | undefined;
}

/** The state of the traffic and its findings at some time. */
export interface LiveState {
  /** Requests of clients so far, and how many of them were judged. */
  requests: number;
  judged: number;
  omissions: Partial<Record<OmissionKind, number>>;
  /** How many requirements have each status. */
  statuses: Partial<Record<Finding['status'], number>>;
  /** ms since the epoch: when findings over many exchanges were last looked for. Absent before the first time. */
  lookedAt?: number | undefined;
  ledger?: LedgerState | undefined;
}

/** A new state, with its new findings. */
export interface LiveChange {
  state: LiveState;
  newFindings: NewFinding[];
}

/** Judges exchanges while they pass. Memory is bounded, however many there are. */
export class LiveJudge {
  readonly #judgment: RecordingJudgment;
  readonly #file: FileJudge;
  readonly #options: LiveOptions;
  readonly #known = new Set<string>();
  readonly #evidence = new KeptEvidence();
  /** The exchanges of the unfinished part by number, for the ledger. */
  readonly #open = new Map<number, Captured>();
  /** The numbers of those that were judged by themselves, and of those that were judged with others. */
  readonly #seen = new Set<number>();
  readonly #counted = new Set<number>();
  /** What the part showed at the last look, and what later exchanges show by themselves. */
  #looked: Findings = {};
  #glanced: Findings = {};
  /** What the exchanges of a look show by themselves, until it ends. */
  #glancedBefore: Findings = {};
  #lookedAt: number | undefined;
  /** Parts that are complete. */
  #parts = 0;
  #isUnlooked = false;
  #newFindings: NewFinding[] = [];
  #entries = 0;
  #judged = 0;
  #omissions: LiveState['omissions'] = {};
  /** Whether something changed since the last report. */
  #isChanged = false;

  constructor(contract: Contract, checks: readonly Check[], options: LiveOptions) {
    this.#options = options;
    const { ledger, servers, plan, limits, redact } = options;
    this.#judgment = new RecordingJudgment(contract, checks, {
      ...{ servers, redact, dropBodies: true },
      plan,
      limits,
      onCaptured: (captured) => {
        ledger?.add(captured);
        if (captured.entry !== undefined) this.#open.set(captured.entry, captured);
      },
      onPart: (part) => {
        this.#notice(part, true);
        this.#open.clear();
        this.#seen.clear();
        this.#counted.clear();
        this.#parts += 1;
        this.#looked = {};
        this.#glanced = {};
        this.#glancedBefore = {};
        this.#lookedAt = Date.now();
        this.#isUnlooked = false;
      },
    });
    this.#file = new FileJudge('live traffic', this.#judgment);
  }

  add(passed: Passed): void {
    this.#isChanged = true;
    this.#isUnlooked = true;
    this.#entries += 1;
    const read = attempt(() => recordedOf(passed, this.#entries));
    if ('error' in read) {
      this.#judgment.bugs.note(read.error, 1);
      return;
    }
    const entry = read.value;
    if ('omitted' in entry) this.#count(entry.omitted, 1);
    this.#file.add(entry);
  }

  /** Counts requests that are not judged. */
  omit(kind: OmissionKind, count = 1): void {
    if (count === 0) return;
    this.#isChanged = true;
    this.#entries += count;
    if (kind === 'bug') this.#judgment.bugs.note(new Error('a request could not be passed on'), count);
    else this.#count(kind, count);
    for (let added = 0; added < count; added += 1) this.#file.add({ omitted: kind });
  }

  /**
   * Judges the exchanges since the last glance, each by itself. Undefined if nothing changed.
   * @param most how many it judges; the rest is for the next glance
   */
  glance(most: number): LiveChange | undefined {
    for (const part of this.#file.glance(most)) {
      this.#noticing(part, false);
      this.#glanced = mergeFindings(this.#glanced, part.findings);
    }
    return this.#seenSince();
  }

  /** Whether exchanges came since the unfinished part was last judged as a whole. */
  get isUnlooked(): boolean {
    return this.#isUnlooked;
  }

  /** Judges all exchanges of the unfinished part together, again. Undefined if nothing came since the last look. */
  look(): LiveChange | undefined {
    return atOnce(this.looking());
  }

  /** The same in steps. Exchanges may come meanwhile, and be glanced at. */
  *looking(): Steps<LiveChange | undefined> {
    if (!this.#isUnlooked) return this.#seenSince();
    this.#isUnlooked = false;
    this.#glancedBefore = mergeFindings(this.#glancedBefore, this.#glanced);
    this.#glanced = {};
    const [parts, startedAt] = [this.#parts, Date.now()];
    const part = yield* this.#file.previewing();
    // Meanwhile the part may have become complete, and then it was judged as a whole.
    if (parts !== this.#parts) return this.#seenSince();
    if (part) this.#noticing(part, true);
    this.#looked = part?.findings ?? {};
    this.#glancedBefore = {};
    this.#lookedAt = startedAt;
    this.#isChanged = true;
    return this.#seenSince();
  }

  #seenSince(): LiveChange | undefined {
    if (!this.#isChanged) return undefined;
    this.#isChanged = false;
    this.#options.ledger?.flush();
    const newFindings = this.#newFindings;
    this.#newFindings = [];
    return { state: this.state, newFindings };
  }

  /** A bug in noticing changes no finding. */
  #noticing(part: RecordingPart, isTogether: boolean): void {
    this.#isChanged = true;
    const noticed = attempt(() => this.#notice(part, isTogether));
    if ('error' in noticed) this.#judgment.bugs.note(noticed.error, 0);
  }

  /** Judges the rest. */
  close(): { judged: JudgedRecording; newFindings: NewFinding[] } {
    const file = this.#file.close();
    this.#options.ledger?.flush();
    return { judged: this.#judgment.result([file]), newFindings: this.#newFindings };
  }

  #count(kind: OmissionKind, count: number): void {
    this.#omissions[kind] = (this.#omissions[kind] ?? 0) + count;
  }

  /** The state now. */
  get state(): LiveState {
    const statuses: LiveState['statuses'] = {};
    const findings = [this.#looked, this.#glancedBefore, this.#glanced].reduce(
      mergeFindings,
      this.#judgment.findings,
    );
    for (const { status } of Object.values(findings)) statuses[status] = (statuses[status] ?? 0) + 1;
    const ledger = this.#options.ledger?.state;
    const { bugs } = this.#judgment;
    return {
      requests: this.#entries,
      judged: this.#judged,
      omissions: { ...this.#omissions, ...(bugs.count > 0 ? { bug: bugs.count } : {}) },
      statuses,
      lookedAt: this.#lookedAt,
      ledger: ledger && { ...ledger },
    };
  }

  /** @param isTogether whether the exchanges of the part were judged together, and all of it */
  #notice(part: RecordingPart, isTogether: boolean): void {
    const { onSeen, onExchange, ledger } = this.#options;
    for (const { entry, exchange, probe, classified } of part.requests) {
      if (entry === undefined) continue;
      if (!this.#seen.has(entry)) {
        this.#judged += 1;
        onSeen?.(exchange, classified);
      }
      if (isTogether && !this.#counted.has(entry)) onExchange?.(exchange, probe, classified);
      this.#seen.add(entry);
      if (isTogether) this.#counted.add(entry);
    }
    this.#newFindings.push(...newFindingsIn(part, this.#known));
    if (ledger) this.#evidence.keep(part, this.#open, ledger);
  }
}
