import { type Report, SCHEMA_VERSION } from '../model/report/report.ts';
import { reportProblem } from '../model/report/report-schema.ts';

export type ReadReport = { ok: true; report: Report } | { ok: false; problem: string };

/** Reads the text of a report.json. The problem says why it is not a report. */
export function readReport(text: string): ReadReport {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { ok: false, problem: 'not valid JSON' };
  }
  const version = versionOf(value);
  if (version === undefined) return { ok: false, problem: 'not a petspec report: schemaVersion is missing' };
  if (version !== SCHEMA_VERSION)
    return {
      ok: false,
      problem: `unsupported schemaVersion ${version}; this petspec reads ${SCHEMA_VERSION}`,
    };
  const problem = reportProblem(value);
  return problem === undefined
    ? { ok: true, report: value as Report }
    : { ok: false, problem: `not a petspec report: ${problem}` };
}

function versionOf(value: unknown): number | undefined {
  if (typeof value !== 'object' || value === null || !('schemaVersion' in value)) return undefined;
  return typeof value.schemaVersion === 'number' ? value.schemaVersion : undefined;
}
