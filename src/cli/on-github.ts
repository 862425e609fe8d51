import { appendFileSync, statSync } from 'node:fs';
import type { Report } from '../report/model.ts';
import { isFileError } from './write-reports.ts';

/** Bytes that the summary of a step may have; GitHub drops the whole of one that has more. */
const MAX_STEP_SUMMARY = 1024 * 1024;

/**
 * Tells GitHub Actions what a run found, where it runs there: annotations on stdout, and the summary of the job.
 * @returns a line for each thing that could not be done
 */
export async function tellGithub(
  report: Report,
  env: NodeJS.ProcessEnv,
  print: (text: string) => void,
): Promise<string[]> {
  if (env.GITHUB_ACTIONS !== 'true') return [];
  const [{ renderAnnotations }, { renderMarkdown }] = await Promise.all([
    import('../report/github.ts'),
    import('../report/markdown.ts'),
  ]);
  print(renderAnnotations(report));
  return appendSummary(renderMarkdown(report), env);
}

/** Adds to the summary of the job, where there is one. @returns a line where that could not be done */
export function appendSummary(text: string, env: NodeJS.ProcessEnv): string[] {
  const summary = env.GITHUB_STEP_SUMMARY;
  if (!summary) return [];
  try {
    const size = statSync(summary, { throwIfNoEntry: false })?.size ?? 0;
    if (size + Buffer.byteLength(text) >= MAX_STEP_SUMMARY)
      return ['the summary of this job is full: the report of petspec is not in it'];
    appendFileSync(summary, `${text}\n`);
    return [];
  } catch (error) {
    if (!isFileError(error)) throw error;
    return [`the summary of this job cannot be written: ${error.message}`];
  }
}
