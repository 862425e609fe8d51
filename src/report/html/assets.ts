import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../model/package-root.ts';

const read = (file: string) => readFileSync(join(packageRoot, 'assets', file), 'utf8');
const PAGE_STYLE = read('page.css');

/** The style of a report, and of a comparison. */
export const REPORT_STYLE = PAGE_STYLE + read('report.css');
export const COMPARISON_STYLE = PAGE_STYLE + read('comparison.css');

/** What a report can do with scripts: filter, fold, copy, and unfold the target of a link and everything for printing. */
export const REPORT_SCRIPT = read('report.js');
