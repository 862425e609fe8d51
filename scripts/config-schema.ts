/**
 * Writes what a configuration may hold: petspec.config.schema.json for editors, and the table of docs/configuration.md.
 * `npm run build && node dist/scripts/config-schema.js`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { configSchema, settingSchemas } from '../src/config/schema.ts';
import { packageRoot } from '../src/model/package-root.ts';

export const SCHEMA = join(packageRoot, 'petspec.config.schema.json');
export const PAGE = join(packageRoot, 'docs', 'configuration.md');

export function renderSchema(): string {
  return `${JSON.stringify(configSchema(), undefined, 2)}\n`;
}

/** A text with a row for each setting in place of the rows between its marks. */
export function withSettings(text: string): string {
  const rows = Object.entries(settingSchemas()).map(([name, { description, ...schema }]) => {
    const standard = 'default' in schema ? ` Default: \`${schema.default}\`.` : '';
    return `| \`${name}\` | ${description.replaceAll('|', '\\|')}${standard} |`;
  });
  const table = ['| setting | what it means |', '|---|---|', ...rows].join('\n');
  return text.replace(
    /(<!-- settings -->\n\n)[\s\S]*?(\n\n<!-- \/settings -->)/,
    (_, start, end) => `${start}${table}${end}`,
  );
}

if (process.argv[1]?.endsWith('config-schema.js') ?? false) {
  writeFileSync(SCHEMA, renderSchema());
  writeFileSync(PAGE, withSettings(readFileSync(PAGE, 'utf8')));
}
