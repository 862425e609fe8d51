import { occurrenceLine } from '../../model/report/finding-lines.ts';
import type { Report } from '../../model/report/report.ts';
import { shown } from '../../model/visible.ts';
import { consequencesLast } from '../consequences.ts';

const COLUMNS = [
  'id',
  'level',
  'section',
  'operation',
  'status',
  'exercised',
  'reason',
  'expected',
  'received',
  'in',
] as const;

/** The requirements as comma-separated values (RFC 4180), one line each. */
export function renderCsv(report: Report): string {
  const { requirements } = shown({ ...report, exchanges: [] });
  const cells = consequencesLast(requirements).map((each) => ({ ...each, in: occurrenceLine(each) }));
  const rows = cells.map((each) => COLUMNS.map((column) => String(each[column] ?? '')));
  return [COLUMNS, ...rows].map((row) => `${row.map(field).join(',')}\r\n`).join('');
}

/** A field in quotes. Spreadsheets would calculate what starts like a formula, and a target may send one. */
function field(text: string): string {
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return `"${harmless.replaceAll('"', '""')}"`;
}
