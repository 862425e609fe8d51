import { UsageError } from '../../model/usage-error.ts';
import { type Format, REPORT_FORMATS } from '../../report/formats/formats.ts';
import { chosen, separated } from './option-values.ts';

/** The choices of `--format`. */
export const FORMATS = Object.keys(REPORT_FORMATS) as readonly Format[];

export const DEFAULT_FORMATS: readonly Format[] = FORMATS.filter((name) => REPORT_FORMATS[name].isDefault);

/** What `--help` says of `--format`. */
export const FORMAT_HELP = `report format (repeatable or comma-separated): ${FORMATS.join(', ')} (default: ${DEFAULT_FORMATS.join(',')})`;

/** The formats with their files, for the end of `--help`. */
export const FORMATS_HELP = `
Formats:
${FORMATS.map((name) => {
  const { file, description } = REPORT_FORMATS[name];
  return `  ${name.padEnd(10)}${file.padEnd(18)}${description}\n`;
}).join('')}`;

/** Adds the formats of one more `--format`. @throws UsageError for an unknown format, or if the text names no format */
export function formats(text: string, earlier: readonly Format[] = []): readonly Format[] {
  if (separated(text).length === 0)
    throw new UsageError(`--format: no name; expected one of ${FORMATS.join(', ')}`);
  return [...new Set([...earlier, ...separated(text).map((name) => chosen('format', name, FORMATS))])];
}
