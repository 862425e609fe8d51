import { closeSync, openSync } from 'node:fs';
import { readCertificate } from '../certificate/read.ts';
import { isOfInterface } from '../certificate/verify.ts';
import type { RequirementChange } from '../contract/requirement-changes.ts';
import { isDigestOfInterface } from '../contract/sets.ts';
import type { HistoryEntry } from '../history/entry.ts';
import { type BadLine, entriesOf } from '../history/read.ts';
import type { Contract, Requirement } from '../model/contract.ts';

/** A run in a history or certificate: results by requirement, without exchanges. */
export interface KeptRun {
  /** The service or the implementation, with its release. */
  name: string;
  /** ISO 8601. */
  startedAt: string;
  met: ReadonlySet<string>;
  /** Requirements of level should that it violated. */
  advised: ReadonlySet<string>;
}

/** What a run shows for the requirements of level must of the newer version, by id. */
export interface Covered extends Pick<KeptRun, 'name' | 'startedAt'> {
  /** The number of these requirements. */
  of: number;
  met: number;
  /** Good practice that the run violated, and that is a must now. */
  broken: readonly string[];
  /** New requirements, which no run has tested. */
  fresh: readonly string[];
  /** Requirements that ask for more, or for something else, than before. */
  tighter: readonly string[];
  /** Unchanged requirements that the run did not test. */
  untested: readonly string[];
}

/** What a run by the older version shows for the newer one. */
export function coveredBy(
  { name, startedAt, met, advised }: KeptRun,
  changes: readonly RequirementChange[],
  requirements: readonly Pick<Requirement, 'id' | 'level'>[],
): Covered {
  const changeOf = new Map(changes.map((change) => [change.id, change]));
  const musts = requirements.filter(({ level }) => level === 'must').map(({ id }) => id);
  const idsWith = (kind: ReturnType<typeof standingOf>) =>
    musts.filter((id) => standingOf(id, changeOf.get(id), { met, advised }) === kind);
  return {
    name,
    startedAt,
    of: musts.length,
    met: idsWith('met').length,
    broken: idsWith('broken'),
    fresh: idsWith('fresh'),
    tighter: idsWith('tighter'),
    untested: idsWith('untested'),
  };
}

function standingOf(
  id: string,
  change: RequirementChange | undefined,
  { met, advised }: Pick<KeptRun, 'met' | 'advised'>,
): 'met' | 'broken' | 'fresh' | 'tighter' | 'untested' {
  // Only the level rose, so the advisory is a violation now.
  if (change?.change === 'tightens' && advised.has(id)) return 'broken';
  if (change?.change === 'appears') return 'fresh';
  const isSame = change === undefined || change.change === 'loosens';
  if (!isSame) return 'tighter';
  return met.has(id) ? 'met' : 'untested';
}

/** The runs of a file that the older version judged, and the number of the others. */
export interface KeptRuns {
  runs: readonly KeptRun[];
  /** Runs that were not conformant, so nothing can break. */
  failed: number;
  /** Runs that the newer version has judged. */
  newer: number;
  /** Runs of another interface, or of another set of requirements. */
  foreign: number;
}

/** @returns the run of a certificate, or why the file is not one. Nothing is verified. */
export function runOfCertificate(bytes: Uint8Array, before: Contract, after: Contract): KeptRuns | string {
  const certificate = readCertificate(bytes);
  if (typeof certificate === 'string') return certificate;
  const { certified, statement } = certificate;
  const { target, suite, passed } = certified;
  const names = statement.subject.map(({ name }) => name);
  const run: KeptRun = {
    name: names.length > 0 ? names.join(', ') : target.baseUrl,
    startedAt: target.startedAt,
    met: new Set(passed),
    // A certificate does not distinguish advisories from untested requirements.
    advised: new Set(),
  };
  const isOf = (contract: Contract) =>
    suite.set.version === contract.set && isOfInterface(certificate, contract, contract);
  return { ...byVersion(run, isOf, before, after), failed: 0 };
}

/**
 * The last conformant run of each release in a history.
 * @param onBad called for lines that are not entries
 */
export function runsOfHistory(
  file: string,
  before: Contract,
  after: Contract,
  onBad: (bad: BadLine) => void,
): KeptRuns {
  const last = new Map<string, HistoryEntry>();
  const descriptor = openSync(file, 'r');
  try {
    for (const entry of entriesOf(descriptor, onBad)) last.set(nameOf(entry), entry);
  } finally {
    closeSync(descriptor);
  }
  const latest = [...last.values()];
  const conformant = latest.filter(({ verdict }) => verdict === 'conformant');
  const sortedRuns = conformant.map((entry) => {
    const { set, interface: digest } = entry.petspec;
    const isOf = (contract: Contract) => set === contract.set && isDigestOfInterface(digest, contract);
    return byVersion(runOf(entry), isOf, before, after);
  });
  const count = (kind: 'newer' | 'foreign') =>
    sortedRuns.reduce((sum, sortedRun) => sum + sortedRun[kind], 0);
  return {
    runs: sortedRuns.flatMap(({ runs }) => runs),
    failed: latest.length - conformant.length,
    newer: count('newer'),
    foreign: count('foreign'),
  };
}

function nameOf({ name, release }: HistoryEntry): string {
  return release === undefined ? name : `${name} ${release}`;
}

function runOf(entry: HistoryEntry): KeptRun {
  const { startedAt, sections } = entry;
  const idsWith = (...statuses: readonly (keyof (typeof sections)[number]['statuses'])[]) =>
    new Set(sections.flatMap((section) => statuses.flatMap((status) => section.statuses[status] ?? [])));
  return { name: nameOf(entry), startedAt, met: idsWith('met', 'unexercised'), advised: idsWith('advisory') };
}

/** Sorts a run by the version that judged it. */
function byVersion(
  run: KeptRun,
  isOf: (contract: Contract) => boolean,
  before: Contract,
  after: Contract,
): Pick<KeptRuns, 'runs' | 'newer' | 'foreign'> {
  if (isOf(before)) return { runs: [run], newer: 0, foreign: 0 };
  return isOf(after) ? { runs: [], newer: 1, foreign: 0 } : { runs: [], newer: 0, foreign: 1 };
}
