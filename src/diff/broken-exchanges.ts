import type { Contract } from '../model/contract.ts';
import type { Exchange } from '../model/exchange.ts';
import type { Deviation, DeviationKind, Finding } from '../model/finding.ts';
import { addTo } from '../model/large/lookups.ts';
import { judgeRecordings, type RecordingFile } from '../recording/judge-recording.ts';
import type { RecordingPart } from '../recording/judgment.ts';
import type { RecordedExchange } from '../recording/requests.ts';
import { unmatchedKind } from '../recording/servers.ts';
import type { Interface } from '../run/contract-of.ts';
import { matchOperation, type Servers } from '../traffic/match-operation.ts';
import { type Break, Breaks, type Broken } from './breaks.ts';
import { isRemovedBy } from './changes.ts';

/** What a recording shows about a new version. */
export interface BrokenExchanges {
  /** Exchanges that were judged by the older version. */
  judged: number;
  /** Judged exchanges that conform to the older version: only these can break. */
  sound: number;
  /** Sound exchanges that petspec cannot judge by the newer version. */
  unjudged: number;
  breaks: readonly Break[];
}

/** Two versions of an interface, and the recording to compare them on. */
interface VersionComparison {
  before: Interface;
  after: Interface;
  /** Ids of the requirements that differ. */
  changed: ReadonlySet<string>;
  /** Reads the recording from its beginning. */
  open: () => RecordingFile;
  /** The servers to judge, if the user names any. */
  servers: Servers;
}

/**
 * Finds the exchanges that conform to the older version of an interface and not to the newer one. Reads the recording twice.
 * @throws UsageError if the recording cannot be read, or has several servers and none is named
 */
export async function brokenExchanges(comparison: VersionComparison): Promise<BrokenExchanges> {
  const { before, after, open, servers } = comparison;
  const breaks = new Breaks();
  const sound = new Set<number>();
  /** Sound exchanges whose requests were invalid in the older version already. */
  const invalid = new Set<number>();
  const judge = ({ contract, checks }: Interface, at: Servers, onPart: (part: RecordingPart) => void) =>
    judgeRecordings(contract, checks, [open()], { servers: at, redact: [], onPart });
  const old = await judge(before, servers, (part) => {
    const wrong = violationsIn(part);
    for (const request of part.requests.filter(({ exchange }) => !wrong.has(exchange.id))) {
      const entry = request.position ?? 0;
      const gone = goneIn(after.contract, part.servers, request);
      if (gone) breaks.add(gone, entry, request.exchange);
      sound.add(entry);
      if (request.classified.problems.length > 0) invalid.add(entry);
    }
  });
  const judged = old.files.reduce((sum, file) => sum + file.judged, 0);
  const remaining = new Set(sound);
  const bugs = [old.bug];
  if (judged > 0) {
    const now = await judge(after, old.servers, (part) => {
      const wrong = violationsIn(part);
      for (const request of part.requests) {
        const entry = request.position ?? 0;
        remaining.delete(entry);
        if (!sound.has(entry)) continue;
        const breakages = brokenIn(
          request,
          wrong.get(request.exchange.id) ?? [],
          comparison,
          invalid.has(entry),
        );
        for (const breakage of breakages) breaks.add(breakage, entry, request.exchange);
      }
    });
    bugs.push(now.bug);
  }
  for (const bug of bugs) if (bug !== undefined) throw bug;
  const result = breaks.result();
  const gone = result.filter(({ kind }) => kind === 'gone').reduce((sum, { count }) => sum + count, 0);
  return { judged, sound: sound.size, unjudged: remaining.size - gone, breaks: result };
}

/** A violation that one exchange shows. */
interface Violation extends Pick<Deviation, 'requirement' | 'reason' | 'expected' | 'received'> {
  kind: DeviationKind | undefined;
}

/** Kinds of violations that depend on whether the request is valid. */
const OF_THE_REQUEST: ReadonlySet<DeviationKind | undefined> = new Set(['status', 'meaning', undefined]);

/** The violations in a part of a recording, by exchange id. */
function violationsIn({ findings, judged }: RecordingPart): ReadonlyMap<number, readonly Violation[]> {
  const byId = new Map(judged.map((judgedExchange) => [judgedExchange.exchange.id, judgedExchange]));
  const violations = new Map<number, Violation[]>();
  for (const [requirement, finding] of Object.entries(findings)) {
    if (finding.status !== 'violated') continue;
    const { evidence, deviating = evidence } = finding;
    for (const id of deviating) {
      const deviation = byId.get(id)?.deviations.find((candidate) => candidate.requirement === requirement);
      addTo(violations, id, violationOf(requirement, finding, deviation));
    }
  }
  return violations;
}

/** @param deviation what the exchange shows by itself, if known */
function violationOf(requirement: string, finding: Finding, deviation: Deviation | undefined): Violation {
  const { reason, expected = '', received = '', kind } = finding;
  return {
    requirement,
    reason: deviation?.reason ?? reason,
    expected: deviation?.expected ?? expected,
    received: deviation?.received ?? received,
    kind: deviation?.kind ?? kind,
  };
}

/** The break if the newer version does not have the operation of a request. */
function goneIn(
  contract: Contract,
  servers: Servers,
  { exchange, classified: { operation } }: RecordedExchange,
): Broken | undefined {
  const { method, url } = exchange;
  if (!operation || isOfPetspec(exchange) || matchOperation(contract, servers, method, new URL(url)))
    return undefined;
  if (unmatchedKind(contract, servers, { method, url }) !== 'other-path') return undefined;
  return {
    kind: 'gone',
    what: `${operation.method} ${operation.path}`,
    reason: 'the newer version has no such operation',
  };
}

/** petspec is no client: it sends the requests of the interface that it judges by. */
function isOfPetspec({ recorded }: Pick<Exchange, 'recorded'>): boolean {
  return recorded === 'run';
}

/**
 * The breaks of an exchange that was judged by the newer version.
 * @param wasInvalid the older version did not allow its request either
 */
function brokenIn(
  { exchange, classified: { problems, operation } }: RecordedExchange,
  violations: readonly Violation[],
  { after, changed }: VersionComparison,
  wasInvalid: boolean,
): Broken[] {
  const isInvalid = problems.length > 0 && !wasInvalid;
  const asked = isInvalid && !isOfPetspec(exchange) ? problems : [];
  const shown = violations.filter(({ kind, requirement }) => {
    // A sequence depends on the exchanges around it, and those of removed operations are missing.
    if (kind === 'sequence') return changed.has(requirement);
    // If the request is no longer valid, the status of its response is no break of its own.
    return !isInvalid || !OF_THE_REQUEST.has(kind);
  });
  const breakages: Broken[] = [
    ...asked.map(({ rule, reason, expected, received }): Broken => {
      return { kind: 'request', what: `client.${rule}`, reason, expected, received };
    }),
    ...shown.map(({ requirement, reason, expected, received }): Broken => {
      return { kind: 'response', what: requirement, reason, expected, received };
    }),
  ];
  const removal = operation?.removal;
  if (!operation || isOfPetspec(exchange) || !isRemovedBy(removal, after.contract.asOf)) return breakages;
  // A request that was sent after the removal date breaks nothing new.
  const day = new Date(exchange.sentAt).toISOString().slice(0, 10);
  if (isRemovedBy(removal, day)) return breakages;
  const removed: Broken = {
    kind: 'removed',
    what: `${operation.method} ${operation.path}`,
    reason: `the operation may be gone from ${removal} on`,
  };
  return [...breakages, removed];
}
