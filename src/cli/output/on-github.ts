import { randomUUID } from 'node:crypto';
import { appendFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileErrorOf } from '../../model/file-error.ts';
import type { Report, Verdict } from '../../model/report/report.ts';
import { REPORT_FILES } from '../../report/files/formats.ts';
import { renderAnnotations } from '../../report/formats/github.ts';
import { renderMarkdown } from '../../report/formats/markdown.ts';

/** The maximum size of a step's summary, in bytes. GitHub drops a larger summary. */
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
  const path = out === undefined ? undefined : resolve(out, REPORT_FILES.json);
  return [
    ...appendOutputs({ verdict: report.verdict, report: path }, env),
    ...appendSummary(renderMarkdown(report), env),
  ];
}

/** What GitHub Actions gets about the runs of `--all`. */
export interface AllRuns {
  /** With the names of their targets. */
  runs: readonly { name: string; report: Report }[];
  /** Whether petspec failed on a target, so that it has no report. */
  isPartial: boolean;
  /** Renders the comparison as Markdown. A single run needs none. */
  comparison: () => string;
  /** The folder with a folder for each target, if any was written. */
  out?: string | undefined;
}

/**
 * Reports several runs to GitHub Actions as `tellGithub` reports one: the output `verdict` is the worst, and `report` is the
 * folder with the folders of the targets.
 * @returns a line for each problem
 */
export function tellGithubOfAll(
  { runs, isPartial, comparison, out }: AllRuns,
  env: NodeJS.ProcessEnv,
  print: (text: string) => void,
): string[] {
  if (env.GITHUB_ACTIONS !== 'true') return [];
  for (const { name, report } of runs) print(renderAnnotations(report, name));
  const [first, second] = runs;
  if (first === undefined) return [];
  const verdicts = runs.map(({ report }) => report.verdict);
  const verdict = worstVerdict(isPartial ? [...verdicts, 'incomplete'] : verdicts);
  return [
    ...appendOutputs({ verdict, report: out }, env),
    ...appendSummary(second === undefined ? renderMarkdown(first.report) : comparison(), env),
  ];
}

const WORST_FIRST = ['non-conformant', 'incomplete', 'conformant'] as const satisfies readonly Verdict[];

function worstVerdict(verdicts: readonly Verdict[]): Verdict {
  return WORST_FIRST.find((verdict) => verdicts.includes(verdict)) ?? 'conformant';
}

/** An output of a step. A random text marks its end, because a path may contain a line break. */
function output(name: string, value: string): string {
  const end = `end-of-${randomUUID()}`;
  return `${name}<<${end}\n${value}\n${end}\n`;
}

/** Sets the outputs of the step that have a value. @returns a line if that fails */
function appendOutputs(
  values: Readonly<Record<string, string | undefined>>,
  { GITHUB_OUTPUT: outputs }: NodeJS.ProcessEnv,
): string[] {
  if (!outputs) return [];
  const text = Object.entries(values)
    .map(([name, value]) => (value === undefined ? '' : output(name, value)))
    .join('');
  return problemsOf('the outputs of the step', () => appendFileSync(outputs, text));
}

/** Adds to the job summary, if there is one. @returns a line if that fails */
function appendSummary(text: string, { GITHUB_STEP_SUMMARY: summary }: NodeJS.ProcessEnv): string[] {
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
