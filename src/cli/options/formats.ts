import { UsageError } from '../../run/options.ts';

/** What `--format` chooses from; report.json and ledger.jsonl are always written. */
export const FORMATS = ['json', 'html', 'junit', 'ctrf', 'har', 'markdown'] as const;
export type Format = (typeof FORMATS)[number];

export const DEFAULT_FORMATS: readonly Format[] = ['json', 'html', 'junit', 'markdown'];

/** One more `--format`, or several with commas. @throws UsageError where there is no such format */
export function formats(text: string, earlier: readonly Format[] = []): readonly Format[] {
  const names = text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
  return [...new Set([...earlier, ...names.map(known)])];
}

function known(name: string): Format {
  const format = FORMATS.find((each) => each === name);
  if (format) return format;
  throw new UsageError(`--format ${name}: there is no such format; any of ${FORMATS.join(', ')}`);
}
