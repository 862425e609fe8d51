import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { isDeeper } from '../json.ts';
import { packageRoot } from '../package-root.ts';
import { clip, visible } from '../visible.ts';

/** reports/report.schema.json, as it ships with petspec. */
export const REPORT_SCHEMA: { $id: string; [keyword: string]: unknown } = JSON.parse(
  readFileSync(join(packageRoot, 'reports', 'report.schema.json'), 'utf8'),
);

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
// The package is CommonJS: under ESM its function is the default of the default.
(addFormats as unknown as { default: (instance: unknown) => void }).default(ajv);
const isReport = ajv.compile(REPORT_SCHEMA);
const isLedgerLine = ajv.compile({ $ref: `${REPORT_SCHEMA.$id}#/$defs/ledgerLine` });

/** What is wrong with the content of a report.json, in a few words; undefined where nothing is. */
export function reportProblem(value: unknown): string | undefined {
  return problem(isReport, value);
}

/** What is wrong with a line of a ledger, in a few words; undefined where nothing is. */
export function ledgerLineProblem(value: unknown): string | undefined {
  return problem(isLedgerLine, value);
}

/** Deeper than anything that is described, and than what is written out level by level can be. */
const MAX_DEPTH = 64;

function problem(validate: ValidateFunction, value: unknown): string | undefined {
  if (isDeeper(value, MAX_DEPTH)) return `it is nested more than ${MAX_DEPTH} levels deep`;
  if (validate(value)) return undefined;
  const [first] = validate.errors ?? [];
  return visible(clip(`${first?.instancePath || 'it'} ${first?.message ?? 'is not as it should be'}`, 200));
}
