import type { RatePlan } from '../../model/contract.ts';
import type { Coverage } from '../../model/report/coverage.ts';
import type { JudgedRecording } from '../../recording/judgment.ts';
import type { OmissionKind } from '../../recording/recorded.ts';
import type { RecordingCounts } from '../../report/assemble/assemble-recording.ts';
import type { NamedInterface } from '../../run/contract-of.ts';
import type { Servers } from '../../traffic/match-operation.ts';
import type { Passed } from '../http/passed.ts';
import type { LiveState } from './live-judge.ts';
import type { NewFinding } from './new-findings.ts';

/** What the thread that judges is started with. */
export interface ThreadOptions {
  servers: Servers;
  /** The interface to judge by, as the user named it. */
  named: Pick<NamedInterface, 'interface' | 'set' | 'asOf'>;
  /** The requirements to judge; if it is empty, all of them. */
  only: readonly string[];
  plan?: string | undefined;
  limits?: RatePlan | undefined;
  redact: readonly string[];
  ledger?: { path: string; most: number; keepsBodies: boolean };
}

/** What the thread is told. */
export type ToThread =
  | {
      kind: 'batch';
      passed: readonly Passed[];
      omitted: Partial<Record<OmissionKind, number>>;
      /** How many requests no operation is for, by what they are called. */
      unlisted: Readonly<Record<string, number>>;
    }
  | { kind: 'close' };

/** What the thread tells. */
export type FromThread =
  | { kind: 'ready' }
  | { kind: 'taken'; exchanges: number; bytes: number }
  | { kind: 'looked'; state: LiveState; coverage: Coverage; newFindings: readonly NewFinding[] }
  | { kind: 'closed'; closed: Closed };

/** What judging all traffic found. */
export interface Closed {
  judged: JudgedRecording;
  counts: ReturnType<RecordingCounts['result']>;
  state: LiveState;
}
