import { CHARTS } from './charts.ts';
import { EXCHANGES } from './exchanges.ts';
import { FINDINGS } from './findings.ts';
import { HEAD } from './head.ts';
import { MATRIX } from './matrix.ts';
import { PAGE } from './page.ts';
import { PALETTE } from './palette.ts';
import { PRINT } from './print.ts';

/** The style of a report, part by part. */
export const STYLE = [PALETTE, PAGE, HEAD, FINDINGS, EXCHANGES, MATRIX, CHARTS, PRINT].join('');
