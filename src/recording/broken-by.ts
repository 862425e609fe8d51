import type { Check } from '../judge/evidence/check.ts';
import type { Contract, Requirement } from '../model/contract.ts';
import type { Exchange } from '../model/exchange.ts';
import type { Finding } from '../model/finding.ts';
import type { Servers } from '../traffic/match-operation.ts';
import { judgeRecordings, type RecordingFile } from './judge-recording.ts';
import type { JudgedRecording } from './judgment.ts';

/** What a recording violates by the newer version of an interface, and not by the older one. */
export interface Broken {
  requirement: Requirement;
  finding: Finding;
  /** The exchanges that show it. */
  exchanges: readonly Exchange[];
}

/** An interface to judge by. */
interface Judging {
  contract: Contract;
  checks: readonly Check[];
}

/**
 * Judges a recording by two versions of an interface.
 * @param open reads the recording from its beginning
 * @param servers those that are judged, if the user names any
 * @throws UsageError if the recording cannot be read, or has several servers and none is named
 */
export async function brokenBy(
  before: Judging,
  after: Judging,
  open: () => RecordingFile,
  servers: Servers,
): Promise<{ judged: number; broken: readonly Broken[] }> {
  const judge = ({ contract, checks }: Judging): Promise<JudgedRecording> =>
    judgeRecordings(contract, checks, [open()], { servers, redact: [] });
  const [old, now] = [await judge(before), await judge(after)];
  const broken = after.contract.requirements.flatMap((requirement): Broken[] => {
    const finding = now.findings[requirement.id];
    if (finding?.status !== 'violated' || old.findings[requirement.id]?.status === 'violated') return [];
    const exchanges = now.exchanges.filter(({ id }) => finding.evidence.includes(id));
    return [{ requirement, finding, exchanges }];
  });
  return { judged: now.files.reduce((sum, { judged }) => sum + judged, 0), broken };
}
