import { type Report, SCHEMA_VERSION } from '../model/report/report.ts';
import { reportProblem } from '../model/report/report-schema.ts';

export type ReadReport = { ok: true; report: Report } | { ok: false; problem: string };

/** A report from the text of a report.json; or, in a few words, why it is none. */
export function readReport(text: string): ReadReport {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { ok: false, problem: 'is no JSON' };
  }
  const version = versionOf(value);
  if (version === undefined)
    return { ok: false, problem: 'is no report of petspec: it has no schemaVersion' };
  if (version !== SCHEMA_VERSION)
    return {
      ok: false,
      problem: `has schemaVersion ${version}; this petspec reads ${SCHEMA_VERSION}`,
    };
  const problem = reportProblem(value);
  return problem === undefined
    ? { ok: true, report: value as Report }
    : { ok: false, problem: `is no report of petspec: ${problem}` };
}

function versionOf(value: unknown): number | undefined {
  if (typeof value !== 'object' || value === null || !('schemaVersion' in value)) return undefined;
  return typeof value.schemaVersion === 'number' ? value.schemaVersion : undefined;
}
