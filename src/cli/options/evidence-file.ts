import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { brokenExchanges } from '../../diff/broken-exchanges.ts';
import type { InterfaceChanges } from '../../diff/changes.ts';
import { type ChangeEvidence, effectOn, kindOfEvidence } from '../../diff/evidence.ts';
import { coveredBy, type KeptRuns, runOfCertificate, runsOfHistory } from '../../diff/kept-runs.ts';
import { isFileError } from '../../model/file-error.ts';
import { UsageError } from '../../model/usage-error.ts';
import { visible } from '../../model/visible.ts';
import { readRecording } from '../../recording/reading/read-recording.ts';
import type { Interface } from '../../run/contract-of.ts';
import type { Servers } from '../../traffic/match-operation.ts';
import { readKnown } from './baselines.ts';
import { readNamed } from './named-file.ts';

/** Two versions of an interface, and what differs. */
export interface Compared {
  before: Interface;
  after: Interface;
  changes: InterfaceChanges;
  /** The servers of recordings, if the user names any. */
  servers: Servers;
}

/** Bytes by which a file is told. */
const BEGINNING = 64 * 1024;

/** How many lines of a history that are not entries are told. */
const MAX_PROBLEMS = 5;

/** What a file of `--against` shows. @throws UsageError if it cannot be read, or is none of what it may be */
export async function evidenceIn(file: string, compared: Compared): Promise<ChangeEvidence> {
  const kind = kindOfEvidence(beginningOf(file));
  const name = file;
  const { before, after, changes } = compared;
  if (kind === 'recording') {
    const open = () => ({ name, entries: readRecording(file, process.stdin) });
    const changed = new Set(changes.service.map(({ id }) => id));
    return { kind, name, ...(await brokenExchanges({ ...compared, changed, open })) };
  }
  if (kind === 'baseline') {
    const baseline = await readKnown('--against', file, before.contract);
    return { kind, name, ...effectOn(baseline, changes) };
  }
  const { runs, ...others } = kind === 'history' ? historyIn(file, compared) : certificateIn(file, compared);
  const { requirements } = after.contract;
  return { kind, name, ...others, runs: runs.map((each) => coveredBy(each, changes.service, requirements)) };
}

/** The first bytes of a file; nothing if it cannot be read, which whoever reads it says. */
function beginningOf(file: string): string {
  try {
    if (!statSync(file).isFile()) return '';
    const descriptor = openSync(file, 'r');
    try {
      const bytes = Buffer.alloc(BEGINNING);
      return bytes.toString('utf8', 0, readSync(descriptor, bytes, 0, BEGINNING, 0));
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (isFileError(error)) return '';
    throw error;
  }
}

function certificateIn(file: string, { before, after }: Compared): KeptRuns {
  const read = runOfCertificate(readNamed('--against', file), before.contract, after.contract);
  if (typeof read === 'string') throw new UsageError(`--against: ${file}: ${read}`);
  return read;
}

function historyIn(file: string, { before, after }: Compared): KeptRuns {
  let problems = 0;
  return runsOfHistory(file, before.contract, after.contract, ({ line, problem }) => {
    problems += 1;
    if (problems <= MAX_PROBLEMS)
      process.stderr.write(`petspec: ${visible(`${file}: line ${line}: ${problem}`)}; ignored\n`);
  });
}
