import type { Check } from '../judge/evidence/check.ts';
import type { Contract } from '../model/contract.ts';
import { FileJudge } from './file-judge.ts';
import { type JudgedFile, type JudgedRecording, type JudgeOptions, RecordingJudgment } from './judgment.ts';
import type { ReadLine } from './reading/entry.ts';
import { withoutReplaced } from './repeated.ts';

/** A recording to judge. */
export interface RecordingFile {
  name: string;
  entries: AsyncIterable<ReadLine>;
}

/**
 * Judges recordings by the checks of a run. Each file is judged by itself: a store may be emptied between two recordings.
 * @throws UsageError if a file cannot be read, or has several servers and the user names none
 */
export async function judgeRecordings(
  contract: Contract,
  checks: readonly Check[],
  files: readonly RecordingFile[],
  options: JudgeOptions,
): Promise<JudgedRecording> {
  const judgment = new RecordingJudgment(contract, checks, options);
  const judged: JudgedFile[] = [];
  for (const { name, entries } of files) {
    const file = new FileJudge(name, judgment);
    for await (const entry of withoutReplaced(entries)) file.add(entry);
    judged.push(file.close());
  }
  return judgment.result(judged);
}
