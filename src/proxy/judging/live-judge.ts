import type { Check } from '../../judge/check.ts';
import type { Contract } from '../../model/contract.ts';
import type { Finding } from '../../model/finding.ts';
import { repeated } from '../../model/repetition.ts';
import type { Captured } from '../../recording/capture/capture.ts';
import { FileJudge } from '../../recording/file-judge.ts';
import {
  type JudgedPart,
  type JudgedRecording,
  type JudgeOptions,
  Judgment,
} from '../../recording/judgment.ts';
import type { OmissionKind } from '../../recording/recorded.ts';
import { attempt } from '../../traffic/bugs.ts';
import type { Passed } from '../http/passed.ts';
import { type NewFinding, newFindingsIn } from './new-findings.ts';
import { recordedOf } from './recorded-of.ts';
import type { LedgerState, TrafficLedger } from './traffic-ledger.ts';

/** How live traffic is judged. */
export interface LiveOptions extends Pick<JudgeOptions, 'servers' | 'plan' | 'limits' | 'redact'> {
  /** Called once for each exchange that is judged, soon after it passed. */
  onExchange?: JudgeOptions['onExchange'];
  /** Keeps the exchanges on disk. */
  ledger?: TrafficLedger | undefined;
}

/** What is known at some time. */
export interface LiveState {
  /** Requests of clients so far, and how many of them were judged. */
  requests: number;
  judged: number;
  omissions: Partial<Record<OmissionKind, number>>;
  /** How many requirements have each status. */
  statuses: Partial<Record<Finding['status'], number>>;
  ledger?: LedgerState;
}

/** Exchanges with their bodies for each requirement, in the ledger. */
const MAX_EVIDENCE = 20;

/** Judges exchanges while they pass. Memory is bounded, however many there are. */
export class LiveJudge {
  readonly #judgment: Judgment;
  readonly #file: FileJudge;
  readonly #options: LiveOptions;
  readonly #known = new Set<string>();
  readonly #evidence = new Map<string, Set<number>>();
  /** By their numbers: those of the part that is not complete, for the ledger. */
  readonly #open = new Map<number, Captured>();
  /** The numbers of those of them that were counted. */
  readonly #counted = new Set<number>();
  #newFindings: NewFinding[] = [];
  #entries = 0;
  #judged = 0;
  #omissions: LiveState['omissions'] = {};
  #isChanged = false;

  constructor(contract: Contract, checks: readonly Check[], options: LiveOptions) {
    this.#options = options;
    const { ledger, servers, plan, limits, redact } = options;
    this.#judgment = new Judgment(contract, checks, {
      ...{ servers, redact, dropBodies: true },
      ...(plan === undefined ? {} : { plan }),
      ...(limits ? { limits } : {}),
      onCaptured: (captured) => {
        ledger?.add(captured);
        if (captured.entry !== undefined) this.#open.set(captured.entry, captured);
      },
      onPart: (part) => {
        this.#notice(part);
        this.#open.clear();
        this.#counted.clear();
      },
    });
    this.#file = new FileJudge('live traffic', this.#judgment);
  }

  add(passed: Passed): void {
    this.#isChanged = true;
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
    for (let each = 0; each < count; each += 1) this.#file.add({ omitted: kind });
  }

  /** Judges the unfinished part again, with what came since the last look. Undefined if nothing came. */
  look(): { state: LiveState; newFindings: NewFinding[] } | undefined {
    if (!this.#isChanged) return undefined;
    this.#isChanged = false;
    const part = this.#file.preview();
    const noticed = attempt(() => part && this.#notice(part));
    if ('error' in noticed) this.#judgment.bugs.note(noticed.error, 0);
    this.#options.ledger?.flush();
    const newFindings = this.#newFindings;
    this.#newFindings = [];
    return { state: this.#stateWith(part), newFindings };
  }

  /** What is known now. */
  get state(): LiveState {
    return this.#stateWith(undefined);
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

  #stateWith(part: JudgedPart | undefined): LiveState {
    const statuses: LiveState['statuses'] = {};
    for (const { status } of Object.values(this.#judgment.findingsWith(part)))
      statuses[status] = (statuses[status] ?? 0) + 1;
    const ledger = this.#options.ledger?.state;
    const { bugs } = this.#judgment;
    return {
      requests: this.#entries,
      judged: this.#judged,
      omissions: { ...this.#omissions, ...(bugs.count > 0 ? { bug: bugs.count } : {}) },
      statuses,
      ...(ledger ? { ledger: { ...ledger } } : {}),
    };
  }

  #notice(part: JudgedPart): void {
    for (const { entry, exchange, probe, classified } of part.requests) {
      if (entry === undefined || this.#counted.has(entry)) continue;
      this.#counted.add(entry);
      this.#judged += 1;
      this.#options.onExchange?.(exchange, probe, classified);
    }
    this.#newFindings.push(...newFindingsIn(part, this.#known));
    const { ledger } = this.#options;
    if (ledger) this.#keepEvidence(part, ledger);
  }

  /** Keeps the bodies that show what is wrong. */
  #keepEvidence(part: JudgedPart, ledger: TrafficLedger): void {
    const entries = new Map(part.requests.map(({ exchange, entry }) => [exchange.id, entry]));
    for (const [id, finding] of Object.entries(part.findings)) {
      if (finding.status !== 'violated' && finding.status !== 'advisory') continue;
      const kept = this.#evidence.get(id) ?? new Set();
      this.#evidence.set(id, kept);
      for (const each of [...finding.evidence, ...(finding.repetition ? repeated(finding.repetition) : [])]) {
        const entry = entries.get(each);
        const captured = entry === undefined ? undefined : this.#open.get(entry);
        if (!captured || entry === undefined || kept.has(entry) || kept.size >= MAX_EVIDENCE) continue;
        kept.add(entry);
        ledger.addEvidence(captured);
      }
    }
  }
}
