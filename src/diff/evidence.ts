import type { Baseline, BaselineEntry } from '../baseline/baseline.ts';
import { HEAD } from '../history/read.ts';
import type { BrokenExchanges } from './broken-exchanges.ts';
import type { InterfaceChanges } from './changes.ts';
import type { Covered, KeptRuns } from './kept-runs.ts';

/** What a file shows about a new version. */
export type ChangeEvidence = { name: string } & (
  | ({ kind: 'recording' } & BrokenExchanges)
  | ({ kind: 'history' | 'certificate'; runs: readonly Covered[] } & Omit<KeptRuns, 'runs'>)
  | ({ kind: 'baseline' } & BaselineEffect)
);

/** Whether a change breaks the service or the clients of a file. `untold`: the file does not show it. */
export function outcomeOf(evidence: ChangeEvidence): 'breaks' | 'holds' | 'untold' {
  switch (evidence.kind) {
    case 'recording':
      if (evidence.breaks.length > 0) return 'breaks';
      return evidence.sound === 0 ? 'untold' : 'holds';
    case 'baseline':
      if (evidence.void.length > 0) return 'breaks';
      return evidence.tighter.length + evidence.unknown.length > 0 ? 'untold' : 'holds';
    default:
      if (evidence.runs.some(({ broken }) => broken.length > 0)) return 'breaks';
      if (evidence.runs.length === 0) return evidence.newer > 0 ? 'holds' : 'untold';
      return evidence.runs.some(({ fresh, tighter }) => fresh.length + tighter.length > 0)
        ? 'untold'
        : 'holds';
  }
}

/** The kinds of files that `petspec diff` compares a change with. */
export type EvidenceKind = 'recording' | 'history' | 'certificate' | 'baseline';

/** The beginning of a certificate of petspec: a statement, or an envelope with one. */
const CERTIFICATE = /^\s*\{\s*"(?:_type|payloadType|payload|signatures)"/;

/** The keys of a baseline. No recording has a line that begins with one. */
const BASELINE = /^(?:requests|violations)[ \t]*:/m;

/** The kind of a file by its beginning. Anything else counts as a recording; its reader reports other files. */
export function kindOfEvidence(beginning: string): EvidenceKind {
  const text = beginning.replace(/^\ufeff/, '');
  if (text.startsWith(HEAD)) return 'history';
  if (CERTIFICATE.test(text)) return 'certificate';
  return !text.trimStart().startsWith('{') && BASELINE.test(text) ? 'baseline' : 'recording';
}

/** What a change does to a baseline of known violations. */
export interface BaselineEffect {
  entries: number;
  /** Entries whose requirements are gone: petspec refuses a baseline that names them. */
  void: readonly BaselineEntry[];
  /** Entries whose requirements allow more: the violation may be over. */
  looser: readonly BaselineEntry[];
  /** Entries whose requirements ask for more, or for something else. */
  tighter: readonly BaselineEntry[];
  /** Requirements of level must that appear or tighten, and that the baseline does not name. */
  unknown: readonly string[];
}

/** The effect of changes on a baseline. It only holds known violations, so it shows nothing else about a service. */
export function effectOn(
  { entries }: Baseline,
  { service }: Pick<InterfaceChanges, 'service'>,
): BaselineEffect {
  const changeOf = new Map(service.map((change) => [change.id, change.change]));
  const named = new Set(entries.map(({ requirement }) => requirement));
  const entriesWith = (...kinds: readonly string[]) =>
    entries.filter(({ requirement }) => kinds.includes(changeOf.get(requirement) ?? ''));
  return {
    entries: entries.length,
    void: entriesWith('goes'),
    looser: entriesWith('loosens'),
    tighter: entriesWith('tightens', 'changes'),
    unknown: service.filter(({ id, breaks }) => breaks && !named.has(id)).map(({ id }) => id),
  };
}
