import { CHARTS } from './charts.ts';
import { EXCHANGES } from './exchanges.ts';
import { FINDINGS } from './findings.ts';
import { HEAD } from './head.ts';
import { PAGE } from './page.ts';
import { PALETTE } from './palette.ts';
import { PRINT } from './print.ts';
import { REQUIREMENTS } from './requirements.ts';

/** The style of a report. */
export const STYLE = [PALETTE, PAGE, HEAD, FINDINGS, EXCHANGES, REQUIREMENTS, CHARTS, PRINT].join('');
