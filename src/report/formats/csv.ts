import { occurrenceLine } from '../../model/report/finding-lines.ts';
import type { Report } from '../../model/report/report.ts';
import { shown } from '../../model/visible.ts';
import { consequencesLast } from '../facts/consequences.ts';

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

/** The requirements as comma-separated values (RFC 4180), a line per requirement. */
export function renderCsv(report: Report): string {
  const { requirements } = shown({ ...report, exchanges: [] });
  const rows = consequencesLast(requirements).map((requirement) => {
    const cells = { ...requirement, in: occurrenceLine(requirement) };
    return COLUMNS.map((column) => String(cells[column] ?? ''));
  });
  return [COLUMNS, ...rows].map((row) => `${row.map(field).join(',')}\r\n`).join('');
}

/** A quoted field. Spreadsheets evaluate a text that starts like a formula, and a target may send one. */
function field(text: string): string {
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return `"${harmless.replaceAll('"', '""')}"`;
}
