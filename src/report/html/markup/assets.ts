import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../model/package-root.ts';

/** The text of a file of the package's assets. */
export function readAsset(file: string): string {
  return readFileSync(join(packageRoot, 'assets', file), 'utf8');
}

const PAGE_STYLE = readAsset('page.css');

/** The style of a report, and of a comparison. */
export const REPORT_STYLE = PAGE_STYLE + readAsset('report.css');
export const COMPARISON_STYLE = PAGE_STYLE + readAsset('comparison.css');

/** The style and the script of the page that shows live traffic. */
export const LIVE_STYLE = REPORT_STYLE + readAsset('live.css');
export const LIVE_SCRIPT = readAsset('live.js');

/** What a comparison can do with scripts: filter. */
export const COMPARISON_SCRIPT = readAsset('comparison.js');

/** What a report can do with scripts: filter, fold, copy, and unfold the target of a link and everything for printing. */
export const REPORT_SCRIPT = readAsset('report.js');
