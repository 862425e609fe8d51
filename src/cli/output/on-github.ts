import { randomUUID } from 'node:crypto';
import { appendFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileErrorOf } from '../../model/file-error.ts';
import type { Report } from '../../model/report/report.ts';
import { REPORT_FILES } from '../../report/formats/files.ts';
import { renderAnnotations } from '../../report/formats/github.ts';
import { renderMarkdown } from '../../report/formats/markdown.ts';

/** The maximum size of a step's summary, in bytes. GitHub drops a larger one. */
const MAX_STEP_SUMMARY = 1024 * 1024;

/**
 * On GitHub Actions, prints annotations, sets the outputs of the step (`verdict`, and `report`, the path of report.json)
 * and adds to the job summary.
 * @param out folder of the reports, if any were written
 * @returns a line for each problem
 */
export function tellGithub(
  report: Report,
  env: NodeJS.ProcessEnv,
  print: (text: string) => void,
  out?: string,
): string[] {
  if (env.GITHUB_ACTIONS !== 'true') return [];
  print(renderAnnotations(report));
  const verdict = output('verdict', report.verdict);
  const path = out === undefined ? '' : output('report', resolve(out, REPORT_FILES.json));
  return [...appendOutputs(verdict + path, env), ...appendSummary(renderMarkdown(report), env)];
}

/** An output of a step. A random text marks its end, because a path may contain a line break. */
function output(name: string, value: string): string {
  const end = `end-of-${randomUUID()}`;
  return `${name}<<${end}\n${value}\n${end}\n`;
}

function appendOutputs(text: string, { GITHUB_OUTPUT: outputs }: NodeJS.ProcessEnv): string[] {
  if (!outputs) return [];
  return problemsOf('the outputs of the step', () => appendFileSync(outputs, text));
}

/** Adds to the job summary, if there is one. @returns a line if that fails */
export function appendSummary(text: string, { GITHUB_STEP_SUMMARY: summary }: NodeJS.ProcessEnv): string[] {
  if (!summary) return [];
  let isFull = false;
  const problems = problemsOf('the job summary', () => {
    const size = statSync(summary, { throwIfNoEntry: false })?.size ?? 0;
    isFull = size + Buffer.byteLength(text) >= MAX_STEP_SUMMARY;
    if (!isFull) appendFileSync(summary, `${text}\n`);
  });
  return isFull ? ['the job summary is full, so it lacks the report of petspec'] : problems;
}

function problemsOf(what: string, act: () => void): string[] {
  const error = fileErrorOf(act);
  return error ? [`cannot write ${what}: ${error.message}`] : [];
}
