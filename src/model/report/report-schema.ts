import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js';
import { ajvOfRecords } from '../ajv.ts';
import { isDeeper } from '../json.ts';
import { packageRoot } from '../package-root.ts';
import { clip, visible } from '../visible.ts';

/** The content of reports/report.schema.json. */
const REPORT_SCHEMA: { $id: string; [keyword: string]: unknown } = JSON.parse(
  readFileSync(join(packageRoot, 'reports', 'report.schema.json'), 'utf8'),
);

const LEDGER_LINE = `${REPORT_SCHEMA.$id}#/$defs/ledgerLine`;
let ajv: Ajv2020 | undefined;

/** Compiles on demand, as most runs read no report and no ledger. */
function validatorOf(id: string): ValidateFunction {
  ajv ??= ajvOfRecords({ strict: true, allowUnionTypes: true }).addSchema(REPORT_SCHEMA);
  return ajv.getSchema(id) as ValidateFunction;
}

/** The problem with the content of a report.json; undefined if it is valid. */
export function reportProblem(value: unknown): string | undefined {
  return problem(REPORT_SCHEMA.$id, value);
}

/** The problem with a line of a ledger; undefined if it is valid. */
export function ledgerLineProblem(value: unknown): string | undefined {
  return problem(LEDGER_LINE, value);
}

/** Deeper than any valid report, and shallow enough to validate. */
const MAX_DEPTH = 64;

function problem(id: string, value: unknown): string | undefined {
  if (isDeeper(value, MAX_DEPTH)) return `nested more than ${MAX_DEPTH} levels deep`;
  const validate = validatorOf(id);
  if (validate(value)) return undefined;
  const [first] = validate.errors ?? [];
  return visible(clip(`${first?.instancePath || 'it'} ${first?.message ?? 'is not valid'}`, 200));
}
