import { isObject } from '../contract/schema.ts';
import { countValues } from '../model/json/json-text.ts';
import { type Report, SCHEMA_VERSION } from '../model/report/report.ts';
import { reportProblem } from '../model/report/report-schema.ts';

/** petspec writes fewer, also in a report with a hundred thousand exchanges. */
const MAX_VALUES = 8_000_000;

/** Reads the text of a report.json. @returns the report, or why it is not one */
export function readReport(text: string): Report | string {
  if (countValues(text) > MAX_VALUES) return 'not a petspec report: it has more values than petspec reads';
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'not valid JSON';
  }
  const version = isObject(value) ? value.schemaVersion : undefined;
  if (typeof version !== 'number') return 'not a petspec report: schemaVersion is missing';
  if (version !== SCHEMA_VERSION)
    return `unsupported schemaVersion ${version}; this petspec reads ${SCHEMA_VERSION}`;
  const problem = reportProblem(value);
  return problem === undefined ? (value as Report) : `not a petspec report: ${problem}`;
}
