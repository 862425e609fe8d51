import { randomUUID } from 'node:crypto';
import { appendFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Report } from '../../model/report/report.ts';
import { REPORT_FILES } from '../../report/formats/files.ts';
import { isFileError } from './write-reports.ts';

/** Bytes that the summary of a step may have; GitHub drops the whole of one that has more. */
const MAX_STEP_SUMMARY = 1024 * 1024;

/**
 * Tells GitHub Actions what a run found, where it runs there: annotations on stdout, the outputs of the step (`verdict`,
 * and `report`, the path of report.json), and the summary of the job.
 * @param out folder of the reports; without one none were written
 * @returns a line for each thing that could not be done
 */
export async function tellGithub(
  report: Report,
  env: NodeJS.ProcessEnv,
  print: (text: string) => void,
  out?: string,
): Promise<string[]> {
  if (env.GITHUB_ACTIONS !== 'true') return [];
  const [{ renderAnnotations }, { renderMarkdown }] = await Promise.all([
    import('../../report/formats/github.ts'),
    import('../../report/formats/markdown.ts'),
  ]);
  print(renderAnnotations(report));
  const verdict = output('verdict', report.verdict);
  const path = out === undefined ? '' : output('report', resolve(out, REPORT_FILES.json));
  return [...appendOutputs(verdict + path, env), ...appendSummary(renderMarkdown(report), env)];
}

/** An output of a step; its end is marked by what cannot occur in it, since a path may hold a line break. */
function output(name: string, value: string): string {
  const end = `end-of-${randomUUID()}`;
  return `${name}<<${end}\n${value}\n${end}\n`;
}

function appendOutputs(text: string, { GITHUB_OUTPUT: outputs }: NodeJS.ProcessEnv): string[] {
  if (!outputs) return [];
  return attempt('the outputs of this step', () => {
    appendFileSync(outputs, text);
    return [];
  });
}

/** Adds to the summary of the job, where there is one. @returns a line where that could not be done */
export function appendSummary(text: string, { GITHUB_STEP_SUMMARY: summary }: NodeJS.ProcessEnv): string[] {
  if (!summary) return [];
  return attempt('the summary of this job', () => {
    const size = statSync(summary, { throwIfNoEntry: false })?.size ?? 0;
    if (size + Buffer.byteLength(text) >= MAX_STEP_SUMMARY)
      return ['the summary of this job is full: the report of petspec is not in it'];
    appendFileSync(summary, `${text}\n`);
    return [];
  });
}

function attempt(what: string, act: () => string[]): string[] {
  try {
    return act();
  } catch (error) {
    if (!isFileError(error)) throw error;
    return [`${what} cannot be written: ${error.message}`];
  }
}
